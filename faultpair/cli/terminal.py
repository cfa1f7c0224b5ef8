"""The terminal: where commands print, and what they all take."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from faultpair.analysis.tables.table import Table
from faultpair.env.errors import InfrastructureError

__all__ = ["OutFolder", "StudyPath", "console", "errors", "show_tables"]


class _Output(Console):
    """A console whose reader may go away: then all stops, with 4, since 1 is a failed gate."""

    def on_broken_pipe(self) -> None:
        try:
            super().on_broken_pipe()
        except SystemExit:
            raise SystemExit(InfrastructureError.exit_code) from None


# Without emoji=False, the id `openai:m:…` or `python:fire:f` is printed with a picture in it.
console = _Output(emoji=False)
errors = _Output(stderr=True, soft_wrap=True, emoji=False)

StudyPath = Annotated[Path, typer.Argument(metavar="STUDY", help="A study.toml, or its folder.")]
OutFolder = Annotated[
    Path | None, typer.Option("--out", help="Where records go; beside the study if not given.")
]


def show_tables(tables: Iterable[Table]) -> None:
    """Print tables, whole where nobody sees edges."""
    from .table_layout import laid_out, widened

    for table in tables:
        if console.is_terminal:
            console.print(laid_out(table))
        else:
            console.print(widened(laid_out(table)), soft_wrap=True)
