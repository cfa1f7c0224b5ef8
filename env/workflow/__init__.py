"""Tool-call plans over typed tools that really run: see `Workflow` in `domain`."""

from .domain import Workflow

__all__ = ["Workflow"]
