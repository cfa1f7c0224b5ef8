"""The command line: the table of commands, and how each of them ends.

Exit codes: 0 ok, 1 a gate or drift check failed, 2 usage, 3 incomplete, 4 infrastructure.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pkgutil import resolve_name
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from faultpair.env.errors import FaultpairError, InfrastructureError
from faultpair.env.plain_text import make_plain
from faultpair.env.plugins import cause_of
from faultpair.version import __version__

from .display.terminal import INCOMPLETE, console, errors

__all__ = ["COMMANDS", "main"]

COMMANDS = {
    "build": "Build a study's set: clean runs, planted faults, controls, in one fixed order.",
    "judge": "Ask judges that need no model about every run of a file.",
    "run": "Build a study's set, send the requests that have no answer yet, and show the main "
    "table.",
    "report": "Show the main tables of a judged study, and what they mean.",
    "score": "Score judges on your own pairs, from a table with one row a verdict.",
    "power": "Compute what a study can show, and how many calls it takes, before a judge is asked.",
    "rebuild": "Rebuild every table, figure and number of the studies from kept records.",
    "replay": "Make kept runs again and compare every field; exit with 1 if one differs.",
    "verify": "Check all records of a study and print its root digest; exit with 1 if one differs.",
    "list": "List faults, domains, scenarios, judges, views, tasks or engines.",
    "show": "Print a planted run beside its clean parent, the steps that differ marked.",
    "human-sample": "Draw plans for human review, as a table to fill in.",
    "check-fault": "Check a fault type against its contract; exit with 1 if it breaks a law.",
    "check-domain": "Check a domain, its oracle and rules against the contract; "
    "exit with 1 if a law is broken.",
    "models": "The models of the embedded engine.",
}
"""The help line of each command. A command is the function `command` in the module of its name,
imported when it is called, so that no command waits for the imports of another.
"""


class _Commands(TyperGroup):
    """The commands of the table, each of which may be interrupted."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return a command itself in place of its entry in the list."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, name and _imported(name), rest

    def invoke(self, ctx: Any) -> Any:
        with _plain_ends():
            return super().invoke(ctx)

    def make_context(self, *args: Any, **settings: Any) -> Any:
        """Parse the arguments, for which typer may import much."""
        with _plain_ends():
            return super().make_context(*args, **settings)


@contextmanager
def _plain_ends() -> Iterator[None]:
    """End an interruption in a sentence; what an error quotes becomes plain text."""
    try:
        yield
    except KeyboardInterrupt:  # for which typer has an exit code of its own
        errors.print("faultpair: interrupted before the end.", highlight=False)
        raise typer.Exit(INCOMPLETE) from None
    except Exception as error:  # typer has no public name for the class of its errors
        make_plain(error)
        raise


app = typer.Typer(
    cls=_Commands,
    help="Tells whether a judge of agent runs can be trusted, by planting known faults.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; a user's mistake ends in one sentence and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # else a letter the terminal lacks ends the command
            stream.reconfigure(errors="replace")
    try:
        given = sys.argv[1:] if arguments is None else list(arguments)
        app(args=given, prog_name="faultpair", obj=tuple(given))
    except (Exception, SystemExit) as error:
        cause = cause_of(error)
        if not isinstance(cause, FaultpairError | OSError):
            raise
        errors.print(f"faultpair: {cause}", highlight=False)
        # An OSError is one such as a full disk behind the standard output.
        sys.exit(getattr(cause, "exit_code", InfrastructureError.exit_code))


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        console.print(f"faultpair {__version__}")
        raise typer.Exit


def _entry() -> None:
    """Hold the place of a command in `--help`; `resolve_command` replaces it."""


for _name, _line in COMMANDS.items():
    app.command(_name, help=_line)(_entry)


def _imported(name: str) -> Any:
    command = resolve_name(f"faultpair.cli.{name.replace('-', '_')}:command")
    if not isinstance(command, typer.Typer):
        function, command = command, typer.Typer(add_completion=False)
        command.command(name, help=COMMANDS[name])(function)  # Python with -OO has no docstrings
    return get_command(command)
