"""Marks in README and docs, filled with a study's tables and numbers.

::

    <!-- faultpair:main study=release -->      a table, on lines of its own
    <!-- /faultpair -->

    Δ is <!--n:release/step/delta/all-->+0.193, or with its interval
    <!--ci:release/step/delta/all-->+0.193 [+0.108, +0.279].

`python -m analysis.rebuild` writes what is between the marks of a table, and the number
behind the mark of a number.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

from faultpair.env.errors import UsageError

__all__ = ["documents", "fill", "has_marks"]

BLOCK = re.compile(
    r"(?P<open><!-- faultpair:(?P<name>[\w-]+)(?P<options>[^>]*?) -->)"
    r"(?P<body>.*?)(?P<close><!-- /faultpair -->)",
    re.DOTALL,
)
OPENING = re.compile(r"<!-- faultpair:")
NUMBER = re.compile(
    r"(?P<open><!--(?P<kind>n|ci):(?P<study>[\w-]+)/(?P<name>[^>\n]+?)-->)"
    r"(?:n/a|<?[+-]?\d+(?:\.\d+)?(?: \[[+-]?\d[\d.]*, [+-]?\d[\d.]*\]†?| \(blind\))?)?"
)

Content = Callable[[str, dict[str, str]], str]


def documents(root: Path) -> list[Path]:
    """Return the Markdown files that may hold blocks: README.md and all below docs/."""
    found = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    return [path for path in found if path.is_file()]


def has_marks(text: str) -> bool:
    """Return whether a text holds a mark of a table or of a number."""
    return bool(OPENING.search(text) or NUMBER.search(text))


def fill(text: str, content: Content, where: str) -> str:
    """Return the text with every mark filled with what ``content(name, options)`` gives.

    The name of a number's mark is ``n``, or ``ci`` for the number with its interval.

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

    def put_number(match: re.Match[str]) -> str:
        options = {"study": match["study"], "name": match["name"]}
        return match["open"] + content(match["kind"], options)

    return NUMBER.sub(put_number, BLOCK.sub(put, text))


def _options(text: str, where: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in shlex.split(text):
        key, found, value = part.partition("=")
        if not found:
            raise UsageError(f"{where}: '{part}' in a faultpair block is not key=value.")
        options[key] = value
    return options
