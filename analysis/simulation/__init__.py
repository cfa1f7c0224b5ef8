"""Simulated judges of known behaviour, and how often each interval covers."""
