"""Tables of what judges flag: the main table, the design, precision at a prevalence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..data.study_data import LABELLER, StudyData
from ..metrics.baselines import baseline_names
from ..metrics.detection import PREVALENCES
from ..stats.estimate import Estimate
from .table import Column, Style, Table

__all__ = ["design", "main", "precision", "summary"]

Columns = tuple[tuple[str, Column], ...]

MAIN = (
    ("recall/all", Column("Recall", Style.RATE)),
    ("recall/silent", Column("Silent", Style.RATE)),
    ("recall/loud", Column("Loud", Style.RATE)),
    ("false-alarms", Column("False alarms", Style.RATE)),
    ("delta/all", Column("Δ", Style.SIGNED)),
    ("localisation/detected", Column("Step, of detected", Style.RATE)),
    ("localisation/joint", Column("Step, of all", Style.RATE)),
    ("typing/macro-f1", Column("Type F1", Style.RATE)),
    ("ece", Column("ECE", Style.RATE)),
    ("coin/recall/all", Column("Coin", Style.RATE)),
    ("runs/judged", Column("Judged", Style.COUNT)),
    ("runs/unscored", Column("Unscored", Style.COUNT)),
    ("runs/errors", Column("Errors", Style.COUNT)),
)


AUC = ("auc/all", Column("Paired AUC", Style.RATE))
AUC_NOTE = (
    "Paired AUC: share of pairs whose fault has the higher P(faulty), ties half; 0.5 is chance.",
)
LABELLER_NOTE = (f"{LABELLER}: its findings are labels of these runs, so its row is no result.",)

SUMMARY = (
    ("recall/all", Column("Faults flagged", Style.RATE)),
    ("false-alarms", Column("False alarms", Style.RATE)),
    ("delta/all", Column("Δ", Style.SIGNED)),
    ("delta/silent", Column("Δ silent", Style.SIGNED)),
    ("delta/loud", Column("Δ loud", Style.SIGNED)),
)


def summary(study: StudyData, numbers: dict[str, Estimate]) -> Table:
    """Give what a reader needs first: few columns, one row a judge, then the baselines."""
    shown = _with_auc(SUMMARY, numbers)
    rows = tuple(
        (name, *(_brief(numbers.get(f"{name}/{number}"), number) for number, _ in shown))
        for name in (*study.judges, *baseline_names(study.judges))
    )
    notes = (
        "Δ: flag rate on faults minus flag rate on their clean parents, with its 95 % interval.",
        "Silent faults leave the required end state as it is, loud ones lose it.",
    )
    columns = (Column("Judge"), *(column for _, column in shown))
    title = f"Summary of {study.name}"
    return Table("summary", title, columns, rows, (*notes, *_more_notes(study, numbers)))


def main(study: StudyData, numbers: dict[str, Estimate]) -> Table:
    """Give one row a judge, then the baselines."""
    rows, shown = [], _with_auc(MAIN, numbers)
    for name in (*study.judges, *baseline_names(study.judges)):
        rows.append((name, *(numbers.get(f"{name}/{number}") for number, _ in shown)))
    notes: tuple[str, ...] = (
        "Δ: paired discrimination, flag rate on faults minus flag rate on their clean parents.",
        "Coin: recall and false-alarm rate of a blind coin that flags as often as the judge; "
        "its Δ is 0 and its precision the prevalence.",
        "Rates are over scored runs; unscored runs and errors are of those judged.",
        "Interval of Δ: Tango's score at the effective number of pairs; of other numbers, where "
        "not marked, the percentile bootstrap.",
    )
    columns = (Column("Judge"), *(column for _, column in shown))
    title = f"Main results of {study.name}"
    of_auc = ("The interval of paired AUC is made as that of Δ.",) if _has_auc(numbers) else ()
    notes = (*notes, *of_auc, *_more_notes(study, numbers))
    return Table("main", title, columns, tuple(rows), notes)


def design(study: StudyData, numbers: dict[str, Estimate]) -> Table:
    """Count the faults and pairs in every group."""
    whole = ("runs", "clean", "controls", "faults", "pairs", "unpaired", "instances", "verdicts")
    rows: list[tuple[Estimate | str | None, ...]] = [
        (name, numbers[f"design/{name}"], None) for name in whole
    ]
    for name in numbers:
        group = name.removeprefix("design/faults/")
        if group != name and f"design/pairs/{group}" in numbers:
            rows.append((group, numbers[name], numbers[f"design/pairs/{group}"]))
    columns = (Column("What"), Column("Number", Style.COUNT), Column("Pairs", Style.COUNT))
    return Table("design", f"Design of {study.name}", columns, tuple(rows))


def precision(study: StudyData, numbers: dict[str, Estimate]) -> Table:
    """Give the share of flagged runs that would be faulty at a stated prevalence."""
    columns = [Column("Judge")]
    for prevalence in PREVALENCES:
        columns.append(Column(f"Precision at {prevalence:.0%}", Style.RATE))
        columns.append(Column(f"Floor at {prevalence:.0%}", Style.RATE))
    rows = []
    for name in (*study.judges, *baseline_names(study.judges)):
        row: list[Estimate | str | None] = [name]
        for prevalence in PREVALENCES:
            row.append(numbers.get(f"{name}/precision/{prevalence}"))
            row.append(numbers.get(f"{name}/precision/{prevalence}/floor"))
        rows.append(tuple(row))
    notes = ("Floor: precision at the upper exact bound of the false-alarm rate.",)
    title = f"Precision of {study.name} at a stated share of faulty runs"
    return Table("precision", title, tuple(columns), tuple(rows), notes)


def _with_auc(columns: Columns, numbers: dict[str, Estimate]) -> Columns:
    """Put paired AUC behind Δ where a judge gives scores."""
    if not _has_auc(numbers):
        return columns
    place = [name for name, _ in columns].index("delta/all") + 1
    return (*columns[:place], AUC, *columns[place:])


def _more_notes(study: StudyData, numbers: dict[str, Estimate]) -> tuple[str, ...]:
    labeller = LABELLER_NOTE if LABELLER in study.judges else ()
    return (*(AUC_NOTE if _has_auc(numbers) else ()), *labeller, *_incomplete(study, numbers))


def _incomplete(study: StudyData, numbers: dict[str, Estimate]) -> Iterator[str]:
    """Name the judges whose numbers rest on a part of the pairs."""
    there_are = numbers["design/pairs"].estimate
    for name in study.judges:
        delta = numbers.get(f"{name}/delta/all")
        if delta is not None and there_are and 0 < delta.n < there_are:
            yield f"{name}: rests on {delta.n} of {there_are:.0f} pairs."


def _has_auc(numbers: dict[str, Estimate]) -> bool:
    return any(name.endswith("/auc/all") for name in numbers)


def _brief(number: Estimate | None, name: str) -> Estimate | None:
    """Keep the intervals of Δ and of the false alarms, on which claims rest."""
    if number is None or name in ("delta/all", "false-alarms"):
        return number
    return replace(number, ci_low=None, ci_high=None)
