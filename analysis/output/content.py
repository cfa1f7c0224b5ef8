"""What a marked block may hold: a table of a study, or one of its numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from faultpair.env.errors import UsageError

from ..stats.estimate import Estimate
from ..tables.table import shown, value_text
from .macros import style_of

__all__ = ["block_content"]


def block_content(results: Path, files: dict[Path, bytes]) -> Callable[[str, dict[str, str]], str]:
    """Return the function that fills a block from files just made, or from those kept.

    A block about a study that was not rebuilt this time reads the files in its folder.
    """

    def read(study: str, file: str) -> str:
        path = results / study / file
        if path in files:
            return files[path].decode()
        if path.is_file():
            return path.read_text(encoding="utf-8")
        raise UsageError(f"A faultpair block asks for {path}, which nobody makes.")

    def content(name: str, options: dict[str, str]) -> str:
        study = options.get("study")
        if study is None:
            raise UsageError(f"The faultpair block '{name}' does not say study=NAME.")
        if name not in ("n", "ci"):
            return f"\n{read(study, f'tables/{name}.md')}"
        numbers = json.loads(read(study, "numbers.json"))["numbers"]
        return _number(numbers, study, options["name"], with_interval=name == "ci")

    return content


def _number(
    numbers: dict[str, dict[str, Any]], study: str, name: str, *, with_interval: bool
) -> str:
    if name not in numbers:
        raise UsageError(f"Study '{study}' has no number named '{name}'.")
    number = Estimate(**{"reason": None, **numbers[name]})
    style = style_of(name, number)
    if with_interval or number.estimate is None:
        return shown(number, style)
    return value_text(number.estimate, style)
