"""Tables of what judges flag: the main table, the design, precision at a prevalence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..data.study_data import LABELLER, StudyData
from ..metrics.baselines import baseline_names, of_coin
from ..metrics.detection import FALSE_ALARMS, PREVALENCES
from ..metrics.key import ALL, LOUD, SILENT, NumberKey, Numbers, design_key
from ..stats.estimate import Estimate
from .table import Column, Style, Table

__all__ = ["design", "main", "precision", "summary"]

Columns = tuple[tuple[NumberKey, Column], ...]

DELTA = NumberKey("delta", ALL)

MAIN = (
    (NumberKey("recall", ALL), Column("Recall", Style.RATE)),
    (NumberKey("recall", SILENT), Column("Silent", Style.RATE)),
    (NumberKey("recall", LOUD), Column("Loud", Style.RATE)),
    (FALSE_ALARMS, Column("False alarms", Style.RATE)),
    (DELTA, Column("Δ", Style.SIGNED)),
    (NumberKey("localisation/detected"), Column("Step, of detected", Style.RATE)),
    (NumberKey("localisation/joint"), Column("Step, of all", Style.RATE)),
    (NumberKey("typing/macro-f1"), Column("Type F1", Style.RATE)),
    (NumberKey("ece"), Column("ECE", Style.RATE)),
    (of_coin(NumberKey("recall", ALL)), Column("Coin", Style.RATE)),
    (NumberKey("runs/judged"), Column("Judged", Style.COUNT)),
    (NumberKey("runs/unscored"), Column("Unscored", Style.COUNT)),
    (NumberKey("runs/errors"), Column("Errors", Style.COUNT)),
)


AUC = (NumberKey("auc", ALL), Column("Paired AUC", Style.RATE))
AUC_NOTE = (
    "Paired AUC: share of pairs whose fault has the higher P(faulty), ties half; 0.5 is chance.",
)
LABELLER_NOTE = (f"{LABELLER}: its findings are labels of these runs, so its row is no result.",)

SUMMARY = (
    (NumberKey("recall", ALL), Column("Faults flagged", Style.RATE)),
    (FALSE_ALARMS, Column("False alarms", Style.RATE)),
    (DELTA, Column("Δ", Style.SIGNED)),
    (NumberKey("delta", SILENT), Column("Δ silent", Style.SIGNED)),
    (NumberKey("delta", LOUD), Column("Δ loud", Style.SIGNED)),
)


def summary(study: StudyData, numbers: Numbers) -> Table:
    """Give what a reader needs first: few columns, one row a judge, then the baselines."""
    shown = _with_auc(SUMMARY, numbers)
    rows = tuple(
        (name, *(_brief(numbers.get(key._replace(judge=name)), key) for key, _ in shown))
        for name in (*study.judges, *baseline_names(study.judges))
    )
    notes = (
        "Δ: flag rate on faults minus flag rate on their clean parents, with its 95 % interval.",
        "Silent faults leave the required end state as it is, loud ones lose it.",
    )
    columns = (Column("Judge"), *(column for _, column in shown))
    title = f"Summary of {study.name}"
    return Table("summary", title, columns, rows, (*notes, *_more_notes(study, numbers)))


def main(study: StudyData, numbers: Numbers) -> Table:
    """Give one row a judge, then the baselines."""
    rows, shown = [], _with_auc(MAIN, numbers)
    for name in (*study.judges, *baseline_names(study.judges)):
        rows.append((name, *(numbers.get(key._replace(judge=name)) for key, _ in shown)))
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


def design(study: StudyData, numbers: Numbers) -> Table:
    """Count the faults and pairs in every group."""
    whole = ("runs", "clean", "controls", "faults", "pairs", "unpaired", "instances", "verdicts")
    rows: list[tuple[Estimate | str | None, ...]] = [
        (name, numbers[design_key(name)], None) for name in whole
    ]
    for key, number in numbers.items():
        if (key.family, key.stat, key.part) == ("design", "faults", "") and key.group:
            rows.append((str(key.group), number, numbers[design_key("pairs", key.group)]))
    columns = (Column("What"), Column("Number", Style.COUNT), Column("Pairs", Style.COUNT))
    return Table("design", f"Design of {study.name}", columns, tuple(rows))


def precision(study: StudyData, numbers: Numbers) -> Table:
    """Give the share of flagged runs that would be faulty at a stated prevalence."""
    columns = [Column("Judge")]
    for prevalence in PREVALENCES:
        columns.append(Column(f"Precision at {prevalence:.0%}", Style.RATE))
        columns.append(Column(f"Floor at {prevalence:.0%}", Style.RATE))
    rows = []
    for name in (*study.judges, *baseline_names(study.judges)):
        row: list[Estimate | str | None] = [name]
        for prevalence in PREVALENCES:
            key = NumberKey("precision", str(prevalence), judge=name)
            row += [numbers.get(key), numbers.get(key._replace(part="floor"))]
        rows.append(tuple(row))
    notes = ("Floor: precision at the upper exact bound of the false-alarm rate.",)
    title = f"Precision of {study.name} at a stated share of faulty runs"
    return Table("precision", title, tuple(columns), tuple(rows), notes)


def _with_auc(columns: Columns, numbers: Numbers) -> Columns:
    """Put paired AUC behind Δ where a judge gives scores."""
    if not _has_auc(numbers):
        return columns
    place = [key for key, _ in columns].index(DELTA) + 1
    return (*columns[:place], AUC, *columns[place:])


def _more_notes(study: StudyData, numbers: Numbers) -> tuple[str, ...]:
    labeller = LABELLER_NOTE if LABELLER in study.judges else ()
    return (*(AUC_NOTE if _has_auc(numbers) else ()), *labeller, *_incomplete(study, numbers))


def _incomplete(study: StudyData, numbers: Numbers) -> Iterator[str]:
    """Name the judges whose numbers rest on a part of the pairs."""
    there_are = numbers[design_key("pairs")].estimate
    for name in study.judges:
        delta = numbers.get(DELTA._replace(judge=name))
        if delta is not None and there_are and 0 < delta.n < there_are:
            yield f"{name}: rests on {delta.n} of {there_are:.0f} pairs."


def _has_auc(numbers: Numbers) -> bool:
    return any(key.stat == "auc" and key.group == ALL for key in numbers)


def _brief(number: Estimate | None, key: NumberKey) -> Estimate | None:
    """Keep the intervals of Δ and of the false alarms, on which claims rest."""
    if number is None or key in (DELTA, FALSE_ALARMS):
        return number
    return replace(number, ci_low=None, ci_high=None)
