"""What a table of rates does not show: runs not judged yet, and answers that say nothing.

A judge that fails is unscored, not wrong; so whoever reads its row has to be told
how much it rests on, and why the rest is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from faultpair.env.jsonl import read_lines, read_records
from faultpair.env.records import Verdict
from faultpair.studies.folder import StudyFolder

__all__ = ["Completeness", "completeness_of"]

MOST_REASONS = 3


@dataclass(slots=True)
class Completeness:
    """How many runs a judge has judged, of ``n_runs``, and why verdicts of it are unscored."""

    judge_id: str
    n_runs: int
    judged: set[str] = field(default_factory=set)
    n_verdicts: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def says_nothing(self) -> bool:
        """Whether there are verdicts, and none of them is scored."""
        return 0 < self.n_verdicts == self.reasons.total()

    def lines(self) -> Iterator[str]:
        """Yield a line on runs that are not judged, and one on what is unscored."""
        if len(self.judged) < self.n_runs:
            yield f"{self.judge_id}: {len(self.judged)} of {self.n_runs} runs are judged."
        if self.reasons:
            shown = self.reasons.most_common(MOST_REASONS)
            why = "; ".join(f"{reason} ({n})" for reason, n in shown)
            lost = self.reasons.total()
            yield f"{self.judge_id}: {lost} of {self.n_verdicts} verdicts are unscored: {why}."


def completeness_of(folder: StudyFolder) -> tuple[Completeness, ...]:
    """Return what is missing of each judge of a folder, in the order of its verdicts."""
    n_runs = sum(1 for _ in read_lines(folder.trajectories))
    found: dict[str, Completeness] = {}
    for verdict in read_records(folder.verdicts, Verdict):
        losses = found.setdefault(verdict.judge_id, Completeness(verdict.judge_id, n_runs))
        losses.judged.add(verdict.trajectory_id)
        losses.n_verdicts += 1
        if verdict.faulty is None:
            losses.reasons[_reason(verdict)] += 1
    return tuple(found.values())


def _reason(verdict: Verdict) -> str:
    return (verdict.error or verdict.unscored or "no reason given").rstrip(".")
