"""Judges: `judge` is their protocol, `exhibit` what they can be shown, `catalog` their list."""
