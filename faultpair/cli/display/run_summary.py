"""What a run shows at its end: the main table, and how complete the verdicts are.

A judge that fails is unscored, not wrong, and a table of rates does not show how much of
the set a row rests on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.baselines import in_order
from faultpair.analysis.metrics.catalog import main_numbers
from faultpair.analysis.metrics.detection import FALSE_ALARMS
from faultpair.analysis.metrics.key import ALL, LOUD, SILENT, NumberKey
from faultpair.analysis.metrics.silence import COVERAGE, HEADLINE, is_silent
from faultpair.analysis.tables.table import Cell, Column, Style, Table
from faultpair.env.jsonl import read_lines, read_records
from faultpair.env.plain_text import plain
from faultpair.env.records import Verdict
from faultpair.studies.folder import StudyFolder

from .table_layout import marked_tables, show_tables, without_ends

__all__ = ["Completeness", "completeness_of", "main_table", "show_main_table"]

RATES = (
    (NumberKey("recall", ALL), Column("recall", Style.RATE)),
    (FALSE_ALARMS, Column("false alarms", Style.RATE)),
)
WHOLE = (
    (HEADLINE, Column("paired Δ", Style.SIGNED)),
    (NumberKey("delta", SILENT), Column("Δ silent", Style.SIGNED)),
    (NumberKey("delta", LOUD), Column("Δ loud", Style.SIGNED)),
)
SILENT_JUDGES = (
    (HEADLINE, Column("cautious Δ", Style.SIGNED)),
    (NumberKey("delta", ALL), Column("judged Δ", Style.SIGNED)),
    (COVERAGE, Column("coverage", Style.RATE)),
)
UNSCORED = (NumberKey("runs/unscored"), Column("unscored", Style.COUNT))
WHOLE_NOTES = (
    "paired Δ: flag rate on faults minus flag rate on the clean runs they came from.",
    "Silent faults leave the required end state as it is, loud ones lose it.",
)
SILENT_NOTES = (
    "Δ: flag rate on faults minus flag rate on the clean runs they came from. Cautious: an "
    "unscored fault counts as missed, an unscored clean run as flagged.",
    "Judged: over pairs with both sides scored; coverage is their share.",
)

MOST_REASONS = 3


def show_main_table(folder: StudyFolder, mark: str = "") -> None:
    """Print the main table of a study whose verdicts are written."""
    show_tables(marked_tables([main_table(folder)], mark))


def main_table(folder: StudyFolder) -> Table:
    """Return the main table of a study whose verdicts are written.

    It has one row a judge, the best first, and the baselines below.
    """
    study = load_study(folder.out)
    numbers = main_numbers(study)
    silent = is_silent(study, numbers)
    shown = (*RATES, *(SILENT_JUDGES if silent else WHOLE), UNSCORED)
    rows = tuple(
        (name, *(_cell(numbers.get(key._replace(judge=name)), key) for key, _ in shown))
        for name in in_order(study, numbers, with_baselines=True)
    )
    columns = (Column("judge"), *(column for _, column in shown))
    notes = SILENT_NOTES if silent else WHOLE_NOTES
    return Table("main", folder.study.title, columns, rows, notes)


@dataclass(slots=True)
class Completeness:
    """How many of ``n_runs`` runs a judge has judged, and why verdicts of it are unscored."""

    judge_id: str
    n_runs: int
    judged: set[str] = field(default_factory=set)
    n_verdicts: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def is_empty(self) -> bool:
        """Whether there are verdicts, and none of them is scored."""
        return 0 < self.n_verdicts == self.reasons.total()

    def lines(self) -> Iterator[str]:
        """Yield a line on runs that are not judged, and one on unscored verdicts."""
        name = plain(self.judge_id)
        if len(self.judged) < self.n_runs:
            yield f"{name}: {len(self.judged)} of {self.n_runs} runs are judged."
        if self.reasons:
            shown = self.reasons.most_common(MOST_REASONS)
            why = "; ".join(f"{reason} ({n})" for reason, n in shown)
            n = self.reasons.total()
            yield f"{name}: {n} of {self.n_verdicts} verdicts are unscored: {why}."


def completeness_of(folder: StudyFolder) -> tuple[Completeness, ...]:
    """Return the completeness of each judge of a folder, in the order of its verdicts."""
    n_runs = sum(1 for _ in read_lines(folder.trajectories))
    by_judge: dict[str, Completeness] = {}
    for verdict in read_records(folder.verdicts, Verdict):
        judge_id = verdict.judge_id
        completeness = by_judge.setdefault(judge_id, Completeness(judge_id, n_runs))
        completeness.judged.add(verdict.trajectory_id)
        completeness.n_verdicts += 1
        if verdict.faulty is None:
            completeness.reasons[_reason(verdict)] += 1
    return tuple(by_judge.values())


def _cell(number: Cell, key: NumberKey) -> Cell:
    """Keep the interval of the headline alone."""
    return number if key == HEADLINE else without_ends(number)


def _reason(verdict: Verdict) -> str:
    return (verdict.error or verdict.unscored or "no reason given").rstrip(".")
