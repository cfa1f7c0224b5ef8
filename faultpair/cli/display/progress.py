"""The progress of a long job: a bar or a counter on a terminal, else a line every 15 seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeRemainingColumn,
)

from faultpair.env.plain_text import plain
from faultpair.env.records import Verdict

from .terminal import Output

__all__ = ["Counts", "ProgressDisplay", "counting", "run_display"]

LINE_EVERY_S = 15.0


@dataclass(slots=True)
class Counts:
    """The outcomes of the requests of this run. A shared request counts once."""

    total: int = 0
    flagged: int = 0
    clean: int = 0
    unscored: int = 0
    errors: int = 0
    repeated: int = 0
    started_s: float = field(default_factory=lambda: time.monotonic())

    @property
    def done(self) -> int:
        """The number of settled requests."""
        return self.flagged + self.clean + self.unscored + self.errors

    def add(self, verdict: Verdict | None) -> None:
        """Count a verdict, or an attempt without one."""
        if verdict is None:
            self.repeated += 1
        elif verdict.error is not None:
            self.errors += 1
        elif verdict.faulty is None:
            self.unscored += 1
        elif verdict.faulty:
            self.flagged += 1
        else:
            self.clean += 1

    def __str__(self) -> str:
        counts = (
            f"{self.flagged} flagged, {self.clean} clean, {self.unscored} unscored, "
            f"{self.errors} errors"
        )
        again = f", {self.repeated} made again" if self.repeated else ""
        return f"{counts}{again}"

    def pace(self) -> str:
        """Return the rate a second or, below two a second, a minute."""
        rate = self.done / max(time.monotonic() - self.started_s, 1e-9)
        return f"{rate:.0f} a second" if rate >= 2 else f"{60 * rate:.3g} a minute"

    def left(self) -> str:
        """Return the remaining time at this rate."""
        if not self.done:
            return "?"
        seconds = (time.monotonic() - self.started_s) / self.done * (self.total - self.done)
        minutes, rest = divmod(round(max(seconds, 0)), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


class ProgressDisplay:
    """Shows a run: the runs built, the number of requests, then each attempt."""

    def __init__(self, console: Console, progress: Progress | None) -> None:
        self.counts = Counts()
        self._console = console
        self._progress = progress
        self._task = progress.add_task("building", total=None) if progress else None
        self._next_line_s = time.monotonic() + LINE_EVERY_S

    def on_built(self, n: int) -> None:
        """Show that so many more runs are built."""
        if self._progress is not None and self._task is not None:
            self._progress.advance(self._task, n)

    def on_message(self, text: str) -> None:
        """Print a line."""
        self._console.print(text, highlight=False, soft_wrap=True)

    def on_start(self, total: int) -> None:
        """Start to count the requests of this run."""
        self.counts = Counts(total)
        self._next_line_s = time.monotonic() + LINE_EVERY_S
        if self._progress is not None and self._task is not None:
            self._progress.reset(self._task, total=total, description="")

    def on_attempt(self, judge_id: str, verdict: Verdict | None) -> None:
        """Count an attempt, and show the counts."""
        counts, judge_id = self.counts, plain(judge_id)
        counts.add(verdict)
        if self._progress is not None and self._task is not None:
            text = f"{judge_id}: {counts}, {counts.pace()}"
            self._progress.update(self._task, completed=counts.done, description=text)
        elif time.monotonic() >= self._next_line_s or counts.done == counts.total:
            self._next_line_s = time.monotonic() + LINE_EVERY_S
            done = f"{counts.done} of {counts.total} requests"
            pace, left = counts.pace(), counts.left()
            self.on_message(f"{judge_id}: {done}: {counts}, {pace}, {left} left")


@contextmanager
def run_display(console: Console | None = None) -> Iterator[ProgressDisplay]:
    """Yield the display of a run."""
    console = console or Output(stderr=True)
    if not console.is_terminal:
        yield ProgressDisplay(console, None)
        return
    columns = (
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.description}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        yield ProgressDisplay(console, progress)


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None]]:
    """Yield a function that adds to a counter, which a terminal shows during the job."""
    console = Output(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda n: progress.advance(task, n)
