"""The command lines of the analysis: options that commands share, and how a command ends."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from faultpair.env.errors import FaultpairError

__all__ = ["AcceptEdits", "Check", "Force", "NoFigures", "Results", "StudyName", "run"]

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


def run(command: Callable[..., None], name: str, arguments: Sequence[str] | None) -> int:
    """Run one command and return its exit code; a user's mistake is one line on stderr."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(command)
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        app(args=given, prog_name=f"python -m {name}")
    except FaultpairError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0
