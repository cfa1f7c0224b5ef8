"""The verdicts of a study as matrices: one row a judge and repeat, one column a trajectory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from .columns import BoolArray, Coded, FloatArray, IntArray, UintArray

__all__ = ["Series", "Verdicts"]


@dataclass(frozen=True, slots=True, order=True)
class Series:
    """One pass of one judge over the runs."""

    judge_id: str
    sample: int
    repeat: int

    @property
    def name(self) -> str:
        """Return ``sample.repeat``, as tables name a pass."""
        return f"{self.sample}.{self.repeat}"


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Matrices of shape (series, runs); series sorted by judge, sample, repeat.

    ``judged`` says that there is a record, ``scored`` that it holds a decision;
    all other matrices have a meaning only there. ``step`` is -1 where none is named,
    ``confidence`` and ``score``, which is P(faulty), are NaN where none is stated.
    ``shared`` says that the answer is that to the same request about another run.
    ``view`` and ``task`` have one entry a series.
    """

    series: tuple[Series, ...]
    view: tuple[str | None, ...]
    task: tuple[str | None, ...]
    judged: BoolArray
    scored: BoolArray
    flagged: BoolArray
    failed: BoolArray
    step: IntArray
    named: Coded
    confidence: FloatArray
    rationale: UintArray
    latency_s: FloatArray
    prompt_tokens: IntArray
    completion_tokens: IntArray
    score: FloatArray
    shared: BoolArray

    @property
    def called(self) -> BoolArray:
        """Return where a request was made: not shared, and not held back as too long."""
        spent = (self.latency_s > 0) | (self.prompt_tokens + self.completion_tokens > 0)
        return self.judged & ~self.shared & (self.scored | self.failed | spent)

    def take(self, rows: Iterable[int]) -> Verdicts:
        """Return the verdicts of a choice of series, in the order given."""
        chosen = np.fromiter(rows, np.int64)
        parts: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, tuple):
                parts[field.name] = tuple(value[row] for row in chosen)
            else:
                parts[field.name] = value.take(chosen) if field.name == "named" else value[chosen]
        return Verdicts(**parts)

    def first_passes(self) -> Verdicts:
        """Return the first sample and repeat of every judge, on which the tables rest."""
        judges = [series.judge_id for series in self.series]
        return self.take(row for row, judge in enumerate(judges) if judge not in judges[:row])

    def with_last(self, judge_id: str, name: str) -> Verdicts:
        """Move a judge behind all others, under another name."""
        own = [row for row, series in enumerate(self.series) if series.judge_id == judge_id]
        moved = self.take([*(row for row in range(len(self.series)) if row not in own), *own])
        others = moved.series[: len(moved.series) - len(own)]
        renamed = (replace(self.series[row], judge_id=name) for row in own)
        return replace(moved, series=(*others, *renamed))

    def with_views(self, views: dict[str, str]) -> Verdicts:
        """Supply the view of judges whose records do not have it."""
        known = (views.get(series.judge_id) for series in self.series)
        pairs = zip(self.view, known, strict=True)
        return replace(self, view=tuple(own if own is not None else view for own, view in pairs))
