"""The fault types and controls of the support desk, grouped by what the edit changes."""
