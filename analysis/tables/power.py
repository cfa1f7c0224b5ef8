"""Tables of a design: the power of a set of runs, and the requests that its judges make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ..data.columns import BoolArray, IntArray
from ..data.runs import Runs
from ..metrics.groups import fault_groups
from ..stats.clusters import FEW
from ..stats.contrast_power import least_alarm_difference, least_difference
from ..stats.estimate import Estimate, count, point, undefined
from ..stats.intervals import ALPHA
from ..stats.planned_judge import PlannedJudge
from ..stats.power import (
    false_alarm_bound,
    half_width,
    instances_needed,
    is_published,
    least_above_floor,
    least_delta,
)
from ..stats.readings import Reading
from .table import Row, Table, counts, rates, signed, words

__all__ = ["Aim", "Load", "calls_table", "contrast_power_table", "power_table"]

NOT_EVEN = "not even a judge that flags every fault would be found with 80 % power"
NOT_AT_ALL = "not even the largest difference would be found with 80 % power"
NO_PAIR = "there is no such pair"
NO_CALLS = "no calls"
INSIDE_OTHERS = ("policy=", "variant=")
"""Groups inside a cell or a type, too small to plan for."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What is wanted of a study.

    Attributes
    ----------
    half_width : float
        The half-width that is wanted of an interval of Δ.
    delta : float
        The Δ at which half-widths are given; they are widest near one half.
    floor : float or None
        A Δ that a judge is to be shown to be above.
    """

    half_width: float = 0.05
    delta: float = 0.5
    floor: float | None = None


class Declared(Protocol):
    """A declared contrast, of a study file or of its seal."""

    @property
    def name(self) -> str: ...
    @property
    def judge(self) -> str: ...
    @property
    def against(self) -> str: ...
    @property
    def metric(self) -> str: ...
    @property
    def group(self) -> str: ...


def power_table(name: str, runs: Runs, judge: PlannedJudge, aim: Aim) -> Table:
    """Give, for every group of faults, what its pairs can show of one judge."""
    delta = min(aim.delta, 1 - judge.base_rate)
    aim = replace(aim, delta=delta)
    readings = (Reading.CAUTIOUS, Reading.JUDGED) if judge.abstains else (Reading.CAUTIOUS,)
    judges = [replace(judge, reading=reading) for reading in readings]
    known: dict[bytes, Row] = {}
    rows: list[Row] = []
    for group, members in fault_groups(runs).items():
        if not str(group).startswith(INSIDE_OTHERS):
            size = np.sort(_pairs_by_instance(runs, members))
            key = size.tobytes()
            if key not in known:
                known[key] = _row(size, judges, aim)
            rows.append((str(group), *known[key]))
    found = ["Least Δ found", "Least Δ found, judged"][: len(judges)]
    if aim.floor is not None:
        found.append(f"Least Δ above {aim.floor:g}")
    columns = words("Group") + counts("Pairs", "Instances") + signed(*found)
    columns += rates(f"Half-width at Δ = {delta:g}")
    columns += counts(f"Pairs for ±{aim.half_width:g}", f"Instances for ±{aim.half_width:g}")
    notes = (_assumed(judge), *_notes(judge, aim), _bound(int(runs.clean.sum())))
    return Table("power", f"What {name} can show", columns, tuple(rows), notes)


def contrast_power_table(
    name: str, runs: Runs, contrasts: Sequence[Declared], judge: PlannedJudge
) -> Table:
    """Give the least difference that each declared contrast can show, alone and after Holm."""
    groups = {str(group): members for group, members in fault_groups(runs).items()}
    known: dict[tuple[bytes, bool], list[Estimate]] = {}
    rows: list[Row] = []
    for contrast in contrasts:
        is_delta = contrast.metric == "delta"
        members = groups.get(contrast.group, np.zeros_like(runs.clean)) if is_delta else runs.clean
        size = _pairs_by_instance(runs, members) if is_delta else np.ones(members.sum(), np.int64)
        n = int(size.sum())
        between = f"{contrast.judge} − {contrast.against}"
        what = f"Δ, {contrast.group}" if is_delta else "false alarms"
        key = np.sort(size).tobytes(), is_delta
        if key not in known:
            levels = (ALPHA, ALPHA / len(contrasts))
            known[key] = [_difference(size, judge, level, is_delta) for level in levels]
        rows.append((contrast.name, between, what, _whole(n), *known[key]))
    columns = words("Contrast", "Judges", "Of") + counts("Units")
    columns += signed("Least difference found", f"First of {len(contrasts)}")
    afresh = replace(judge, abstains=0.0)
    notes = (
        _assumed(afresh).removesuffix(".")
        + ", as does the other, independently."
        + (" Both score every run." if judge.abstains else ""),
        "Least difference found: by sign flips at 5 %, with 80 % power, between two judges whose "
        "mean Δ is in the middle of what is possible.",
        f"First of {len(contrasts)}: at 5 % over the number of declared contrasts, which is "
        "Holm's first step.",
    )
    return Table(
        "contrast-power", f"What the contrasts of {name} can show", columns, tuple(rows), notes
    )


@dataclass(frozen=True, slots=True)
class Load:
    """The view of a judge, its verdicts and its requests; None of these for one without a model."""

    view: str
    verdicts: int
    requests: int | None = None


def calls_table(name: str, loads: Mapping[str, Load]) -> Table:
    """Give the verdicts and the requests of every judge, and of all."""
    rows: list[Row] = []
    for judge, load in loads.items():
        requests = NO_CALLS if load.requests is None else _whole(load.requests)
        rows.append((judge, load.view, _whole(load.verdicts), requests))
    verdicts = sum(load.verdicts for load in loads.values())
    n_requests = sum(load.requests or 0 for load in loads.values())
    rows.append(("all", "", _whole(verdicts), _whole(n_requests)))
    columns = words("Judge", "View") + counts("Verdicts", "Requests")
    notes = (
        "Requests that are equal within one pass of a judge are sent once; "
        "one that fails is made again.",
    )
    return Table("calls", f"Requests that {name} takes", columns, tuple(rows), notes)


def _row(size: IntArray, judges: Sequence[PlannedJudge], aim: Aim) -> Row:
    n, n_instances = int(size.sum()), len(size)
    first = (_whole(n), _whole(n_instances))
    floors = 0 if aim.floor is None else 1
    if n == 0:
        return (*first, *[undefined(NO_PAIR)] * (len(judges) + floors + 3))
    nothing = NOT_EVEN if is_published(size) else FEW
    least = [least_delta(size, judge) for judge in judges]
    if aim.floor is not None:
        least.append(least_above_floor(size, judges[0], aim.floor))
    needed = instances_needed(size, judges[0], aim.half_width, aim.delta)
    return (
        *first,
        *(_planned(value, n, nothing) for value in least),
        _planned(half_width(size, judges[0], aim.delta), n, FEW),
        _whole(int(needed.sum())),
        _whole(len(needed)),
    )


def _difference(size: IntArray, judge: PlannedJudge, level: float, is_delta: bool) -> Estimate:
    n = int(size.sum())
    if n == 0:
        return undefined(NO_PAIR)
    if is_delta:
        return _planned(least_difference(size, judge, level), n, NOT_AT_ALL)
    return _planned(least_alarm_difference(n, judge.base_rate, level), n, NOT_AT_ALL)


def _assumed(judge: PlannedJudge) -> str:
    return f"For a judge that flags {judge.base_rate:.0%} of clean runs and {judge.answers.text}."


def _notes(judge: PlannedJudge, aim: Aim) -> tuple[str, ...]:
    notes = [
        "Least Δ found: the published 95 % interval is wholly above 0 with a chance of 80 %, in "
        "simulated studies. Half-width: half the mean width of the interval.",
    ]
    if judge.abstains:
        notes.append(
            f"It leaves {judge.abstains:.0%} of runs unscored; Δ is that of the runs that it "
            "scores. An unscored fault counts as missed and an unscored clean run as flagged; "
            "judged: their pairs are left out."
        )
    if aim.floor is not None:
        notes.append(
            f"Least Δ above {aim.floor:g}: non-inferiority to this floor at 5 % holds with a "
            "chance of 80 %."
        )
    return tuple(notes)


def _bound(clean: int) -> str:
    return (
        f"{clean} clean runs without a flag allow a false-alarm rate of up to "
        f"{false_alarm_bound(clean):.1%}."
    )


def _pairs_by_instance(runs: Runs, members: BoolArray) -> IntArray:
    rows = members & (runs.parent >= 0)
    return np.unique(runs.instance.codes[rows], return_counts=True)[1].astype(np.int64)


def _planned(value: float | None, n: int, nothing: str) -> Estimate:
    if value is None:
        return undefined(nothing, n)
    return point(value, n, "planned", "a plan, not a result")


def _whole(value: int) -> Estimate:
    return count(value, value)
