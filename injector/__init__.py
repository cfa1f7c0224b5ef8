"""Fault types: what one is, and how it is planted at a known step."""
