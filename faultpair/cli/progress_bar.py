"""Telling how far a long job is: one bar on a terminal, nothing elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

__all__ = ["counting"]


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None]]:
    """Yield a function that adds to a counter shown on a terminal while the job runs."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda n: progress.advance(task, n)
