"""The texts that judges of plans are asked with, each a file of this folder."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

__all__ = ["plan_text"]


@cache
def plan_text(name: str) -> str:
    """Return a text by the name of its file, such as ``single/sequence``."""
    return files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")
