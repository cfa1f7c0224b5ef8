"""What a user sees while judges are asked: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from faultpair.env.records import Verdict

__all__ = ["Counts", "Watch", "watching"]

LINE_EVERY_S = 15.0


@dataclass(slots=True)
class Counts:
    """How the requests of this run came out. One that is shared counts once."""

    total: int = 0
    flagged: int = 0
    clean: int = 0
    unscored: int = 0
    errors: int = 0
    repeated: int = 0
    started_s: float = field(default_factory=lambda: time.monotonic())

    @property
    def done(self) -> int:
        """All that is settled."""
        return self.flagged + self.clean + self.unscored + self.errors

    def add(self, verdict: Verdict | None) -> None:
        """Count a verdict, or an attempt that came to none."""
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
        return f"{counts}{again}, {self.pace()}"

    def pace(self) -> str:
        """Return the rate, a second or, where that is slow, a minute."""
        rate = self.done / max(time.monotonic() - self.started_s, 1e-9)
        return f"{rate:.0f} a second" if rate >= 2 else f"{60 * rate:.3g} a minute"

    def left(self) -> str:
        """Return the time that the rest takes at this rate."""
        if not self.done:
            return "?"
        seconds = (time.monotonic() - self.started_s) / self.done * (self.total - self.done)
        minutes, rest = divmod(round(max(seconds, 0)), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


class Watch:
    """Follows a run: what is built, how much there is to ask, then each attempt."""

    def __init__(self, console: Console, progress: Progress | None) -> None:
        self.tally = Counts()
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
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def on_start(self, total: int) -> None:
        """Take in how many requests are to be settled, and start to count."""
        self.tally = Counts(total)
        self._next_line_s = time.monotonic() + LINE_EVERY_S
        if self._progress is not None and self._task is not None:
            self._progress.reset(self._task, total=total, description="")

    def on_attempt(self, judge_id: str, verdict: Verdict | None) -> None:
        """Count an attempt, and show the count."""
        self.tally.add(verdict)
        if self._progress is not None and self._task is not None:
            text = f"{judge_id}: {self.tally}"
            self._progress.update(self._task, completed=self.tally.done, description=text)
        elif time.monotonic() >= self._next_line_s or self.tally.done == self.tally.total:
            self._next_line_s = time.monotonic() + LINE_EVERY_S
            done = f"{self.tally.done} of {self.tally.total} requests"
            self.on_message(f"{judge_id}: {done}: {self.tally}, {self.tally.left()} left")


@contextmanager
def watching(console: Console | None = None) -> Iterator[Watch]:
    """Yield what follows a run, for as long as it is shown."""
    console = console or Console(stderr=True, emoji=False)
    if not console.is_terminal:
        yield Watch(console, None)
        return
    columns = (
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.description}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        yield Watch(console, progress)
