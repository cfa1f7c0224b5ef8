"""Marked blocks in README and docs, filled with a study's tables and numbers.

::

    <!-- faultpair:main study=release -->      a table, on lines of its own
    <!-- /faultpair -->

    Δ is <!-- faultpair:number study=release name=step/delta/all style=signed --><!-- /faultpair -->

What stands between the marks is written by `python -m analysis.rebuild`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

from faultpair.env.errors import UsageError

__all__ = ["BLOCK", "documents", "fill"]

BLOCK = re.compile(
    r"(?P<open><!-- faultpair:(?P<name>[\w-]+)(?P<options>[^>]*?) -->)"
    r"(?P<body>.*?)(?P<close><!-- /faultpair -->)",
    re.DOTALL,
)
OPENING = re.compile(r"<!-- faultpair:")

Content = Callable[[str, dict[str, str]], str]


def documents(root: Path) -> list[Path]:
    """Return the Markdown files that may hold blocks: README.md and all below docs/."""
    found = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    return [path for path in found if path.is_file()]


def fill(text: str, content: Content, where: str) -> str:
    """Return the text with every block filled with what ``content(name, options)`` gives.

    Raises
    ------
    UsageError
        If a block is not closed, or its options are not ``key=value``.
    """
    if len(OPENING.findall(text)) != len(BLOCK.findall(text)):
        raise UsageError(f"{where}: a faultpair block is not closed by '<!-- /faultpair -->'.")

    def put(match: re.Match[str]) -> str:
        body = content(match["name"], _options(match["options"], where))
        return f"{match['open']}{body}{match['close']}"

    return BLOCK.sub(put, text)


def _options(text: str, where: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in shlex.split(text):
        key, found, value = part.partition("=")
        if not found:
            raise UsageError(f"{where}: '{part}' in a faultpair block is not key=value.")
        options[key] = value
    return options
