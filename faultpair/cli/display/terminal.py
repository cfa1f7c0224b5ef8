"""The terminal: where commands print, and the arguments that most commands take."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console, ConsoleOptions
from rich.segment import Segment
from rich.text import Text

from faultpair.env.errors import InfrastructureError, UsageError
from faultpair.env.plain_text import plain_lines

if TYPE_CHECKING:  # a command that shows one run need not load a domain
    from faultpair.studies.spec import StudySpec

__all__ = [
    "INCOMPLETE",
    "AcceptEdits",
    "OutFolder",
    "Output",
    "StudyPath",
    "console",
    "errors",
    "require",
    "say",
    "say_world",
    "styled",
]

INCOMPLETE = 3
"""The exit code of a command that left something to do."""


class Output(Console):
    """A console that prints text as it is: without markup, emoji codes or control characters.

    It ends the command with 4 if its reader closes: 1 is a failed gate.
    """

    def __init__(self, **settings: Any) -> None:
        # With emoji, the id `openai:m:…` or `python:fire:f` is printed with a picture in it.
        super().__init__(markup=False, emoji=False, **settings)

    def render_str(self, text: str, **settings: Any) -> Text:
        """Escape a text before its width is measured."""
        return super().render_str(plain_lines(text), **settings)

    def render(self, renderable: Any, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Escape all that is printed; the codes of the console itself are control segments."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else plain_lines(text), style, control)

    def on_broken_pipe(self) -> None:
        try:
            super().on_broken_pipe()
        except SystemExit:
            raise SystemExit(InfrastructureError.exit_code) from None


def styled(text: str, style: str = "") -> Text:
    """Return a text in a style; the `Text` of Rich alone drops some control characters."""
    return Text(plain_lines(text), style)


console = Output()
errors = Output(stderr=True, soft_wrap=True)


def say(message: str) -> None:
    """Print a message beside the results."""
    errors.print(message, highlight=False)


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


def say_world(study: StudySpec) -> None:
    """Print a line if a study names no world and its domain has another than the first."""
    if study.has_unnamed_world:
        errors.print(
            "The study names no world, so it is of world 1, where ids or names in a run can tell "
            "its scenario or type. Write world = 2 in a new study.",
            highlight=False,
        )


def require(option: str, value: float, expected: str, *, holds: bool) -> None:
    """Refuse the value of an option that is out of its range, which ``expected`` says."""
    if not holds:
        raise UsageError(f"{option} must be {expected}; it is {value:g}.")
