"""Marked blocks in README and docs, filled with a study's tables and numbers.

::

    <!-- faultpair:main study=release -->      a table, on lines of its own
    <!-- /faultpair -->

    Δ is <!-- faultpair:number study=release name=step/delta/all style=signed --><!-- /faultpair -->

The text between the marks is written by `python -m analysis.rebuild`.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from faultpair.env.errors import UsageError

from ..stats.estimate import Estimate
from ..tables.table import Style, shown, value_text

__all__ = ["filled_documents"]

BLOCK = re.compile(
    r"(?P<open><!-- faultpair:(?P<name>[\w-]+)(?P<options>[^>]*?) -->)"
    r"(?P<body>.*?)(?P<close><!-- /faultpair -->)",
    re.DOTALL,
)
OPENING = re.compile(r"<!-- faultpair:")

Options = dict[str, str]
Content = Callable[[str, Options], str]


def filled_documents(results: Path, files: dict[Path, bytes]) -> dict[Path, bytes]:
    """Return README.md and all pages below docs/ that hold blocks, with these filled.

    A block about a study that was not rebuilt this time reads the files in its folder.

    Raises
    ------
    UsageError
        If a block is not closed, its options are not ``key=value``, or it names no table or
        number that there is.
    """
    root = results.resolve().parent
    pages = (root / "README.md", *sorted((root / "docs").rglob("*.md")))
    content = _content(results, files)
    documents: dict[Path, bytes] = {}
    for path in pages:
        if path.is_file():
            text = _text_of(path)
            if OPENING.search(text):
                documents[path] = _fill(text, content, str(path)).encode()
    return documents


def _text_of(document: Path) -> str:
    try:
        return document.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{document} is not UTF-8 text; convert it and try again.") from error


def _fill(text: str, content: Content, where: str) -> str:
    if len(OPENING.findall(text)) != len(BLOCK.findall(text)):
        raise UsageError(f"{where}: a faultpair block is not closed by '<!-- /faultpair -->'.")

    def put(match: re.Match[str]) -> str:
        body = content(match["name"], _options(match["options"], where))
        return f"{match['open']}{body}{match['close']}"

    return BLOCK.sub(put, text)


def _options(text: str, where: str) -> Options:
    options: Options = {}
    for part in shlex.split(text):
        key, equals, value = part.partition("=")
        if not equals:
            raise UsageError(f"{where}: '{part}' in a faultpair block is not key=value.")
        options[key] = value
    return options


def _content(results: Path, files: dict[Path, bytes]) -> Content:
    """Return the function that fills a block from files just made, or from those kept."""

    def read(study: str, file: str) -> str:
        path = results / study / file
        if path in files:
            return files[path].decode()
        if path.is_file():
            return path.read_text(encoding="utf-8")
        raise UsageError(f"A faultpair block asks for {path}, which no rebuild makes.")

    def content(name: str, options: Options) -> str:
        study = options.get("study")
        if study is None:
            raise UsageError(f"The faultpair block '{name}' does not say study=NAME.")
        if name != "number":
            return f"\n{read(study, f'tables/{name}.md')}"
        numbers = json.loads(read(study, "numbers.json"))["numbers"]
        return _number(numbers, study, options)

    return content


def _number(numbers: dict[str, dict[str, Any]], study: str, options: Options) -> str:
    name = options.get("name", "")
    if name not in numbers:
        raise UsageError(f"Study '{study}' has no number named '{name}'.")
    number = Estimate(**{"reason": None, **numbers[name]})
    style = _style(options.get("style", "rate"))
    if options.get("interval") == "no" and number.estimate is not None:
        return value_text(number.estimate, style)
    return shown(number, style)


def _style(name: str) -> Style:
    if name not in list(Style):
        raise UsageError(f"No style is named '{name}'. Known styles: {', '.join(Style)}.")
    return Style(name)
