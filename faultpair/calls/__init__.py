"""Asking an engine: one request with retries, many requests at once."""
