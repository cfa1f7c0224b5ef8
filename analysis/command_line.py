"""The command lines of the analysis: options that commands share, and how a command ends.

What they print is plain text, as is what typer says about a wrong argument.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from faultpair.env.errors import FaultpairError
from faultpair.env.plain_text import make_plain, plain_lines
from faultpair.env.plugins import cause_of

__all__ = [
    "AcceptEdits",
    "Check",
    "Force",
    "NoFigures",
    "Results",
    "StudyName",
    "report",
    "run",
    "say",
]

Results = Annotated[Path, typer.Option(help="The folder that holds the studies.")]
StudyName = Annotated[str | None, typer.Option(help="The name of one study; all if not given.")]
Check = Annotated[
    bool, typer.Option("--check", help="Compare, do not write; exit with 1 on a difference.")
]
Force = Annotated[bool, typer.Option("--force", help="Also overwrite files that no rebuild made.")]
AcceptEdits = Annotated[
    bool,
    typer.Option(
        "--accept-edits",
        help="Use records that are not what was sealed, in this call; all results are marked.",
    ),
]
NoFigures = Annotated[bool, typer.Option("--no-figures", help="Leave figures alone.")]


class _Command(TyperCommand):
    """A command whose messages about wrong arguments quote them as plain text."""

    def make_context(self, *args: Any, **settings: Any) -> Any:
        try:
            return super().make_context(*args, **settings)
        except Exception as error:  # typer has no public name for the class of its errors
            make_plain(error)
            raise


def run(command: Callable[..., None], name: str, arguments: Sequence[str] | None) -> int:
    """Run one command and return its exit code; a user's mistake is one line on stderr."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command(cls=_Command)(command)
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        app(args=given, prog_name=f"python -m {name}")
    except (Exception, SystemExit) as error:
        cause = cause_of(error)
        if isinstance(cause, FaultpairError):
            report(f"{cause}\n")
            return cause.exit_code
        if isinstance(cause, SystemExit):
            return cause.code if isinstance(cause.code, int) else 0
        raise
    return 0


def say(text: str) -> None:
    """Write a text to the standard output."""
    sys.stdout.write(plain_lines(text))


def report(text: str) -> None:
    """Write a text to the standard error."""
    sys.stderr.write(plain_lines(text))
