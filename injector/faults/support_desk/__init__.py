"""The fault types and controls of the support desk, a module for each place of the edit."""
