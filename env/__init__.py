"""Worlds an agent acts in, and the records that every other room speaks in."""
