"""Tables of measurements: what `faultpair score` shows of your own pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from ..measurement.compare import Comparison
from ..measurement.result import GroupResult, Measurement
from ..metrics.pairs import OUTCOMES
from ..stats.estimate import Estimate, point
from ..stats.readings import Reading
from .table import Cell, Column, Row, Style, Table, amounts, columns, counts, rates, signed, words

__all__ = ["comparison_table", "score_tables"]

READINGS = {
    Reading.CAUTIOUS: "an unscored fault counts as missed, an unscored clean run as flagged",
    Reading.JUDGED: "pairs with an unscored side are left out",
    Reading.GATE: "an unscored run counts as not flagged",
}
TEST_NOTE = (
    "Matched sets p: exact, two-sided; a blind judge flags a clean run and the faults made from it "
    "alike."
)
ONE_KIND = 3
"""The numbers of controls of one kind: its flips and its control-Δ, and that of all."""

OF_PASSES = {
    "noise/same": Column("Same in all passes", Style.RATE),
    "noise/flips": Column("Flips", Style.RATE),
    "noise/delta-mean": Column("Mean Δ", Style.SIGNED),
    "noise/delta-sd": Column("SD of Δ", Style.AMOUNT),
}


def score_tables(found: Sequence[Measurement]) -> list[Table]:
    """Return the summary of the judges, then their groups, controls, passes and cost, if any."""
    ranked = sorted(found, key=_rank)
    tables = [_summary(ranked), _groups(ranked), _types(ranked), _controls(ranked)]
    return [table for table in (*tables, _passes(ranked), _cost(ranked)) if table.rows]


def comparison_table(found: Comparison) -> Table:
    """Return the differences of two measurements, and the tests within a margin."""
    rows: list[Row] = [
        ("Δ, cautious", found.cautious, None, None),
        ("Δ, judged", found.delta, None, None),
        ("false alarms", found.false_alarms, None, None),
    ]
    for name, test in found.tests.items():
        p = point(test.p, found.n_pairs, "margin", test.reason or "a p-value")
        shown = Estimate(test.difference, test.ci_low, test.ci_high, found.n_pairs, "margin")
        held = "n/a" if test.p is None else "yes" if test.is_held else "not shown"
        rows.append((f"{name} within {test.margin:g}", shown, held, p))
    on = f"{found.n_pairs} pairs of {found.n_units} units that both judged"
    notes = [on if found.is_paired else found.reason or "The two have no run in common."]
    if found.tests:
        notes.append(
            "Within the margin: each at 5 % by itself, with an interval whose ends miss 5 % each; "
            "of false alarms, the first minus the second turned round."
        )
    shown_columns = words("In") + signed("Difference")
    if found.tests:
        shown_columns += (*words("Held"), Column("p", Style.P))
    width = len(shown_columns)
    title = f"{found.one} minus {found.other}"
    return Table("comparison", title, shown_columns, tuple(r[:width] for r in rows), tuple(notes))


def _rank(found: Measurement) -> tuple[float, str]:
    """Return what orders judges: the low end of Δ, the highest first; then the name."""
    low = found.delta.ci_low if found.delta.ci_low is not None else -math.inf
    return -low, found.judge


def _summary(found: Sequence[Measurement]) -> Table:
    first = found[0]
    is_silent = any(one.coverage.estimate != 1 for one in found)
    is_weighted = any(one.weighted is not None for one in found)
    has_controls = any(one.counts["controls"] for one in found)
    is_graded = any(one.auc is not None for one in found)
    parts: list[tuple[Column, list[Cell]]] = [(Column("Judge"), [one.judge for one in found])]

    def add(shown: tuple[Column, ...], *cells: Iterable[Cell]) -> None:
        parts.extend(zip(shown, map(list, cells), strict=True))

    add(signed("Δ"), (one.delta for one in found))
    if is_weighted:
        add(signed("Δ weighted"), (one.weighted for one in found))
    if is_silent and first.reading is not Reading.JUDGED:
        add(signed("Δ judged"), (_brief(one.judged) for one in found))
    if is_silent:
        add(rates("Coverage"), (_brief(one.coverage) for one in found))
    add(rates("Faults flagged"), (_brief(one.recall) for one in found))
    add(rates("False alarms"), (one.false_alarms for one in found))
    if has_controls:
        add(signed("Control-Δ"), (_brief(one.control_delta) for one in found))
        add(signed("Δ − control-Δ"), (one.adjusted for one in found))
    if is_graded:
        add(rates("Paired AUC"), (None if one.auc is None else _brief(one.auc) for one in found))
    counted = first.counts
    title = (
        f"Judges of {first.source}: {counted['pairs']} pairs in {counted['units']} units, "
        f"{counted['controls']} controls"
    )
    rows = tuple(zip(*(cells for _, cells in parts), strict=True))
    notes = tuple(_notes(first, is_silent=is_silent, is_weighted=is_weighted))
    return Table("score", title, tuple(column for column, _ in parts), rows, notes)


def _brief(number: Estimate) -> Estimate:
    """Keep the intervals on which claims rest; those of all numbers are in JSON."""
    return replace(number, ci_low=None, ci_high=None)


def _notes(first: Measurement, *, is_silent: bool, is_weighted: bool) -> Iterator[str]:
    yield (
        "Δ: flag rate on faults minus flag rate on their clean runs, with its 95 % interval, "
        "clustered by unit. Judges are in the order of its low end."
    )
    if is_silent:
        yield f"Δ is the {first.reading} one: {READINGS[first.reading]}."
    if is_weighted:
        yield "Δ weighted: each pair as often as its weight says. Nothing else is weighted."
    if first.counts["controls"]:
        yield (
            "Control-Δ: the same of harmless edits. A judge that reacts to any edit has one as "
            "high as its Δ."
        )
    else:
        yield "Without a control, a judge that reacts to any edit looks like one that finds faults."


def _groups(found: Sequence[Measurement]) -> Table:
    rows = tuple(_rows(found, lambda name: not name.startswith("type=") and name != "all"))
    shown = words("Group", "Judge") + rates("Recall") + signed("Δ")
    shown += counts(*map(str.capitalize, OUTCOMES))
    return Table("groups", f"Groups of {found[0].source}", shown, rows)


def _types(found: Sequence[Measurement]) -> Table:
    def tests(group: GroupResult) -> Row:
        return group.p, group.p_holm

    rows = tuple(_rows(found, lambda name: name.startswith("type="), tests))
    shown = words("Group", "Judge") + rates("Recall") + signed("Δ")
    shown += counts(*map(str.capitalize, OUTCOMES)) + columns(Style.P, "Matched sets p", "Holm p")
    title = f"Fault types of {found[0].source}"
    methods = (g.p_holm.method for one in found for g in one.groups if g.p_holm is not None)
    family = next((method for method in methods if method.startswith("Holm")), None)
    notes = (TEST_NOTE, *([f"Holm p: {family}."] if family else []))
    return Table("types", title, shown, rows, notes)


def _rows(
    found: Sequence[Measurement],
    is_shown: Callable[[str], bool],
    more: Callable[[GroupResult], Row] = lambda _: (),
) -> Iterator[Row]:
    """Yield a row a group and judge, the judges of one group together."""
    names = dict.fromkeys(group.name for one in found for group in one.groups)
    by_name = [{group.name: group for group in one.groups} for one in found]
    for name in filter(is_shown, names):
        for one, groups in zip(found, by_name, strict=True):
            group = groups[name]
            outcomes = (group.outcomes[outcome] for outcome in OUTCOMES)
            yield name, one.judge, group.recall, group.delta, *outcomes, *more(group)


def _controls(found: Sequence[Measurement]) -> Table:
    rows: list[Row] = []
    for name in found[0].controls:
        stat, _, kind = name.partition("/")
        is_sum_of_one = kind == "all" and len(found[0].controls) == ONE_KIND
        if stat == "control-delta" and not is_sum_of_one:
            for one in found:
                flips = one.controls.get(f"flips/{kind}")
                rows.append((kind, one.judge, flips, one.controls[name]))
    shown = words("Control", "Judge") + rates("Flips") + signed("Control-Δ")
    return Table("controls", f"Controls of {found[0].source}", shown, tuple(rows))


def _passes(found: Sequence[Measurement]) -> Table:
    rows = tuple(
        (one.judge, *(one.passes.get(name) for name in OF_PASSES)) for one in found if one.passes
    )
    notes = ("Flips: decisions of a further pass that are not those of the first.",)
    title = f"Passes over the runs of {found[0].source}"
    return Table("passes", title, (*words("Judge"), *OF_PASSES.values()), rows, notes)


def _cost(found: Sequence[Measurement]) -> Table:
    rows = tuple(
        (one.judge, one.cost["cost/seconds"]) for one in found if "cost/seconds" in one.cost
    )
    shown = words("Judge") + amounts("Seconds a verdict")
    return Table("cost", f"Cost of the judges of {found[0].source}", shown, rows)
