"""Fault types and controls of plans."""
