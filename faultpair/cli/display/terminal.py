"""The terminal: where commands print, and the arguments that most commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from faultpair.env.errors import InfrastructureError

__all__ = ["INCOMPLETE", "AcceptEdits", "OutFolder", "StudyPath", "console", "errors", "say"]

INCOMPLETE = 3
"""The exit code of a command that left something to do."""


class _Output(Console):
    """A console that ends the command with 4 if its reader closes: 1 is a failed gate."""

    def on_broken_pipe(self) -> None:
        try:
            super().on_broken_pipe()
        except SystemExit:
            raise SystemExit(InfrastructureError.exit_code) from None


# Without emoji=False, the id `openai:m:…` or `python:fire:f` is printed with a picture in it.
console = _Output(emoji=False)
errors = _Output(stderr=True, soft_wrap=True, emoji=False)


def say(message: str) -> None:
    """Print a message beside the results."""
    errors.print(message, markup=False, highlight=False)


AcceptEdits = Annotated[
    bool,
    typer.Option(
        "--accept-edits",
        help="Use records that are not what was sealed, in this call; what is shown is marked.",
    ),
]
StudyPath = Annotated[Path, typer.Argument(metavar="STUDY", help="A study.toml, or its folder.")]
OutFolder = Annotated[
    Path | None, typer.Option("--out", help="Where records go; beside the study if not given.")
]
