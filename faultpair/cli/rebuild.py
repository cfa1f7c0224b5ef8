"""`faultpair rebuild`: `python -m analysis.rebuild`, outside a checkout too."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from faultpair.analysis.rebuild import rebuild
from faultpair.env.errors import UsageError

__all__ = ["command"]


def command(
    results: Annotated[Path, typer.Option(help="The folder that holds the studies.")] = Path(
        "results"
    ),
    study: Annotated[str | None, typer.Option(help="The name of one study; all if none.")] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Compare, do not write; exit with 1 on a difference.")
    ] = False,
    no_figures: Annotated[bool, typer.Option("--no-figures", help="Leave figures alone.")] = False,
) -> None:
    """Rebuild every table, figure and number of the studies from kept records."""
    if not results.is_dir():  # a check of nothing must not pass as one that found no difference
        raise UsageError(f"There is no folder {results}. Name yours with --results.")
    code = rebuild(results=results, study=study, check=check, figures=not no_figures)
    raise typer.Exit(code)
