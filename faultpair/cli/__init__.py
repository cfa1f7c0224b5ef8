"""The command line, one module a command."""

from .app import main

__all__ = ["main"]
