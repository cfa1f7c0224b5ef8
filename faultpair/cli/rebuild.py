"""`faultpair rebuild`: `python -m analysis.rebuild`, outside a checkout too."""

from __future__ import annotations

from pathlib import Path

import typer

from faultpair.analysis.command_line import (
    AcceptEdits,
    Check,
    Force,
    NoFigures,
    Results,
    StudyName,
)
from faultpair.analysis.rebuild import rebuild
from faultpair.env.errors import UsageError

__all__ = ["command"]


def command(
    results: Results = Path("results"),
    study: StudyName = None,
    check: Check = False,
    no_figures: NoFigures = False,
    force: Force = False,
    accept_edits: AcceptEdits = False,
) -> None:
    """Rebuild every table, figure and number of the studies from kept records."""
    if not results.is_dir():  # a check of nothing must not pass as one that found no difference
        raise UsageError(f"There is no folder {results}. Name yours with --results.")
    code = rebuild(
        results=results,
        study=study,
        check=check,
        figures=not no_figures,
        force=force,
        accept_edits=accept_edits,
    )
    raise typer.Exit(code)
