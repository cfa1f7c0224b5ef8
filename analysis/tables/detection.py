"""Tables of what judges flag: the main table, the design, precision at a prevalence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..data.study_data import LABELLER_ROW, StudyData
from ..metrics.baselines import in_order, of_coin
from ..metrics.controls import ADJUSTED, ALARMS_WITH_CONTROLS, CONTROL_HEADLINE
from ..metrics.detection import F1, FALSE_ALARMS, OWN, PREVALENCES
from ..metrics.key import ALL, LOUD, SILENT, Group, NumberKey, Numbers, design_key
from ..metrics.silence import CAUTIOUS, COVERAGE, GATE, HEADLINE, is_silent
from ..metrics.type_scenarios import COUNTED, FLAGGED
from ..stats.estimate import Estimate
from .reading_notes import GATE_NOTE, has_controls, reading_notes
from .rows import judge_rows
from .table import Column, Row, Style, Table, counts, rates, words

__all__ = ["design", "main", "precision", "summary", "type_scenarios"]

Columns = dict[NumberKey, Column]

READINGS: Columns = {
    HEADLINE: Column("Cautious Δ", Style.SIGNED),
    NumberKey("delta", ALL): Column("Judged Δ", Style.SIGNED),
    NumberKey(GATE, ALL): Column("Gate's Δ", Style.SIGNED),
    COVERAGE: Column("Coverage", Style.RATE),
}
"""What stands in the place of Δ where a run is unscored, so that its readings differ."""

CONTROLS: Columns = {
    CONTROL_HEADLINE: Column("Control-Δ", Style.SIGNED),
    ADJUSTED: Column("Adjusted Δ", Style.SIGNED),
}
MAIN: Columns = {
    NumberKey("recall", ALL): Column("Recall", Style.RATE),
    NumberKey("recall", SILENT): Column("Silent", Style.RATE),
    NumberKey("recall", LOUD): Column("Loud", Style.RATE),
    FALSE_ALARMS: Column("False alarms", Style.RATE),
    ALARMS_WITH_CONTROLS: Column("Alarms, with controls", Style.RATE),
    HEADLINE: Column("Δ", Style.SIGNED),
    NumberKey("localisation/detected"): Column("Step, of detected", Style.RATE),
    NumberKey("localisation/joint"): Column("Step, of all", Style.RATE),
    NumberKey("typing/macro-f1"): Column("Type F1", Style.RATE),
    NumberKey("ece"): Column("ECE", Style.RATE),
    of_coin(NumberKey("recall", ALL)): Column("Coin", Style.RATE),
    NumberKey("runs/judged"): Column("Judged", Style.COUNT),
    NumberKey("runs/unscored"): Column("Unscored", Style.COUNT),
    NumberKey("runs/errors"): Column("Errors", Style.COUNT),
}
SUMMARY: Columns = {
    NumberKey("recall", ALL): Column("Faults flagged", Style.RATE),
    FALSE_ALARMS: Column("False alarms", Style.RATE),
    HEADLINE: Column("Δ", Style.SIGNED),
    NumberKey(CAUTIOUS, SILENT): Column("Δ silent", Style.SIGNED),
    NumberKey(CAUTIOUS, LOUD): Column("Δ loud", Style.SIGNED),
}
WITH_ENDS = (HEADLINE, FALSE_ALARMS, *CONTROLS)
"""The numbers whose intervals a summary has: claims rest on them."""

AUC: Columns = {NumberKey("auc", ALL): Column("Paired AUC", Style.RATE)}
AUC_NOTE = (
    "Paired AUC: share of pairs whose fault has the higher P(faulty), ties half; 0.5 is chance."
)


def summary(study: StudyData, numbers: Numbers) -> Table:
    """Give what a reader needs first: few columns, one row a judge, then the baselines."""
    shown = _columns(SUMMARY, study, numbers)
    shown.pop(NumberKey(GATE, ALL), None)
    rows = tuple(
        (name, *(_brief(numbers.get(key._replace(judge=name)), key) for key in shown))
        for name in in_order(study, numbers, with_baselines=True)
    )
    notes = (
        "Δ: flag rate on faults minus flag rate on their clean parents, with its 95 % interval.",
        "Silent faults leave the required end state as it is, loud ones lose it.",
        *_more_notes(study, numbers),
    )
    title = f"Summary of {study.name}"
    return Table("summary", title, (*words("Judge"), *shown.values()), rows, notes)


def main(study: StudyData, numbers: Numbers) -> Table:
    """Give one row a judge, then the baselines."""
    shown = _columns(MAIN, study, numbers)
    rows = judge_rows(in_order(study, numbers, with_baselines=True), numbers, shown)
    notes: tuple[str, ...] = (
        "Δ: paired discrimination, flag rate on faults minus flag rate on their clean parents.",
        "Coin: recall and false-alarm rate of a blind coin that flags as often as the judge; "
        "its Δ is 0 and its precision the prevalence.",
        "Rates are over scored runs; unscored runs and errors are of those judged.",
        "Intervals, 95 %: of rates and of type F1, exact at the effective number of runs, as runs "
        "of one instance are clustered and the mix of types is not held; of Δ and of paired AUC, "
        "square-and-add of gains and losses. ECE has none, as its bias is not known.",
        *([GATE_NOTE] if is_silent(study, numbers) else []),
        *_more_notes(study, numbers),
    )
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


def type_scenarios(study: StudyData, numbers: Numbers) -> Table:
    """Count the faults of each type in each scenario, and those that each judge flags."""
    runs = study.runs
    rows: list[Row] = []
    for judge in ("", *study.judges):
        for kind in runs.failure_type.names:
            group = Group("type", kind)
            keys = (
                NumberKey(FLAGGED, group, name, judge)
                if judge
                else design_key(COUNTED, group, name)
                for name in runs.scenario.names
            )
            rows.append((judge or "all there are", kind, *map(numbers.get, keys)))
    columns = words("Flagged by", "Type") + counts(*runs.scenario.names)
    title = f"Faults by type and scenario, {study.name}"
    return Table("type-scenarios", title, columns, tuple(rows))


def precision(study: StudyData, numbers: Numbers) -> Table:
    """Give the share of flagged runs that would be faulty at a stated prevalence."""
    columns = words("Judge") + rates("F1", "Precision in the set", "Floor in the set")
    keys: list[NumberKey] = [F1, OWN, OWN._replace(part="floor")]
    for prevalence in PREVALENCES:
        columns += rates(f"Precision at {prevalence:.0%}", f"Floor at {prevalence:.0%}")
        keys += [NumberKey("precision", str(prevalence), part) for part in ("", "floor")]
    rows = judge_rows(in_order(study, numbers, with_baselines=True), numbers, keys)
    notes = (
        "Floor: the low end of precision; neither recall nor false alarms are taken as known.",
        "F1 and precision in the set depend on its share of faults, which is the designer's. "
        "Beside F1 stands that of flagging all.",
    )
    title = f"Precision of {study.name} at a stated share of faulty runs"
    return Table("precision", title, columns, rows, notes)


def _columns(columns: Columns, study: StudyData, numbers: Numbers) -> Columns:
    """Put the readings of Δ in its place, and behind it what only some studies have."""
    found: Columns = {}
    for key, column in columns.items():
        if key == HEADLINE:
            found |= READINGS if is_silent(study, numbers) else {key: column}
            found |= CONTROLS if has_controls(study) else {}
            found |= AUC if _has_auc(numbers) else {}
        elif key != ALARMS_WITH_CONTROLS or has_controls(study):
            found[key] = column
    return found


def _more_notes(study: StudyData, numbers: Numbers) -> Iterator[str]:
    yield from reading_notes(study, numbers)
    if _has_auc(numbers):
        yield AUC_NOTE
    if LABELLER_ROW in study.judges:
        yield f"{LABELLER_ROW}: its findings are labels of these runs, so its row is no result."
    there_are = numbers[design_key("pairs")].estimate
    for name in study.judges:
        delta = numbers.get(HEADLINE._replace(judge=name))
        if delta is not None and there_are and 0 < delta.n < there_are:
            yield f"{name}: rests on {delta.n} of {there_are:.0f} pairs."


def _has_auc(numbers: Numbers) -> bool:
    return any(key.stat == "auc" and key.group == ALL for key in numbers)


def _brief(number: Estimate | None, key: NumberKey) -> Estimate | None:
    """Keep the intervals on which claims rest."""
    if number is None or key in WITH_ENDS:
        return number
    return replace(number, ci_low=None, ci_high=None)
