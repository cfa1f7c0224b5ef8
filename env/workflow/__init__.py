"""Tool-call plans over typed tools that really run: see `env.workflow.domain.Workflow`."""

from .domain import Workflow

__all__ = ["Workflow"]
