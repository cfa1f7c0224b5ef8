"""Tables of what judges flag: the main table, the design, precision at a prevalence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..data.study_data import LABELLER_ROW, StudyData
from ..metrics.baselines import baseline_names, of_coin
from ..metrics.detection import FALSE_ALARMS, PREVALENCES
from ..metrics.key import ALL, LOUD, SILENT, NumberKey, Numbers, design_key
from ..stats.estimate import Estimate
from .rows import judge_rows
from .table import Column, Row, Style, Table, counts, rates, words

__all__ = ["design", "main", "precision", "summary"]

Columns = dict[NumberKey, Column]

DELTA = NumberKey("delta", ALL)

MAIN = {
    NumberKey("recall", ALL): Column("Recall", Style.RATE),
    NumberKey("recall", SILENT): Column("Silent", Style.RATE),
    NumberKey("recall", LOUD): Column("Loud", Style.RATE),
    FALSE_ALARMS: Column("False alarms", Style.RATE),
    DELTA: Column("Δ", Style.SIGNED),
    NumberKey("localisation/detected"): Column("Step, of detected", Style.RATE),
    NumberKey("localisation/joint"): Column("Step, of all", Style.RATE),
    NumberKey("typing/macro-f1"): Column("Type F1", Style.RATE),
    NumberKey("ece"): Column("ECE", Style.RATE),
    of_coin(NumberKey("recall", ALL)): Column("Coin", Style.RATE),
    NumberKey("runs/judged"): Column("Judged", Style.COUNT),
    NumberKey("runs/unscored"): Column("Unscored", Style.COUNT),
    NumberKey("runs/errors"): Column("Errors", Style.COUNT),
}
SUMMARY = {
    NumberKey("recall", ALL): Column("Faults flagged", Style.RATE),
    FALSE_ALARMS: Column("False alarms", Style.RATE),
    DELTA: Column("Δ", Style.SIGNED),
    NumberKey("delta", SILENT): Column("Δ silent", Style.SIGNED),
    NumberKey("delta", LOUD): Column("Δ loud", Style.SIGNED),
}
AUC = {NumberKey("auc", ALL): Column("Paired AUC", Style.RATE)}
AUC_NOTE = (
    "Paired AUC: share of pairs whose fault has the higher P(faulty), ties half; 0.5 is chance.",
)
LABELLER_NOTE = (
    f"{LABELLER_ROW}: its findings are labels of these runs, so its row is no result.",
)


def summary(study: StudyData, numbers: Numbers) -> Table:
    """Give what a reader needs first: few columns, one row a judge, then the baselines."""
    shown = _with_auc(SUMMARY, numbers)
    rows = tuple(
        (name, *(_brief(numbers.get(key._replace(judge=name)), key) for key in shown))
        for name in (*study.judges, *baseline_names(study.judges))
    )
    notes: tuple[str, ...] = (
        "Δ: flag rate on faults minus flag rate on their clean parents, with its 95 % interval.",
        "Silent faults leave the required end state as it is, loud ones lose it.",
    )
    title, notes = f"Summary of {study.name}", (*notes, *_more_notes(study, numbers))
    return Table("summary", title, (*words("Judge"), *shown.values()), rows, notes)


def main(study: StudyData, numbers: Numbers) -> Table:
    """Give one row a judge, then the baselines."""
    shown = _with_auc(MAIN, numbers)
    rows = judge_rows((*study.judges, *baseline_names(study.judges)), numbers, shown)
    notes: tuple[str, ...] = (
        "Δ: paired discrimination, flag rate on faults minus flag rate on their clean parents.",
        "Coin: recall and false-alarm rate of a blind coin that flags as often as the judge; "
        "its Δ is 0 and its precision the prevalence.",
        "Rates are over scored runs; unscored runs and errors are of those judged.",
        "Intervals, 95 %: of rates and of type F1, exact at the effective number of runs, as runs "
        "of one instance are clustered and the mix of types is not held; of Δ and of paired AUC, "
        "square-and-add of gains and losses. ECE has none, as its bias is not known.",
    )
    notes = (*notes, *_more_notes(study, numbers))
    title = f"Main results of {study.name}"
    return Table("main", title, (*words("Judge"), *shown.values()), rows, notes)


def design(study: StudyData, numbers: Numbers) -> Table:
    """Count the faults and pairs in every group."""
    whole = ("runs", "clean", "controls", "faults", "pairs", "unpaired", "instances", "verdicts")
    rows: list[Row] = [(name, numbers[design_key(name)], None) for name in whole]
    for key, number in numbers.items():
        if (key.family, key.stat, key.part) == ("design", "faults", "") and key.group:
            rows.append((str(key.group), number, numbers[design_key("pairs", key.group)]))
    columns = words("What") + counts("Number", "Pairs")
    return Table("design", f"Design of {study.name}", columns, tuple(rows))


def precision(study: StudyData, numbers: Numbers) -> Table:
    """Give the share of flagged runs that would be faulty at a stated prevalence."""
    columns = words("Judge")
    keys: list[NumberKey] = []
    for prevalence in PREVALENCES:
        columns += rates(f"Precision at {prevalence:.0%}", f"Floor at {prevalence:.0%}")
        keys += [NumberKey("precision", str(prevalence), part) for part in ("", "floor")]
    rows = judge_rows((*study.judges, *baseline_names(study.judges)), numbers, keys)
    notes = (
        "Floor: the low end of precision; neither recall nor false alarms are taken as known.",
    )
    title = f"Precision of {study.name} at a stated share of faulty runs"
    return Table("precision", title, columns, rows, notes)


def _with_auc(columns: Columns, numbers: Numbers) -> Columns:
    """Put paired AUC behind Δ where a judge gives scores."""
    if not _has_auc(numbers):
        return columns
    place = list(columns).index(DELTA) + 1
    entries = list(columns.items())
    return dict([*entries[:place], *AUC.items(), *entries[place:]])


def _more_notes(study: StudyData, numbers: Numbers) -> tuple[str, ...]:
    labeller = LABELLER_NOTE if LABELLER_ROW in study.judges else ()
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
