"""Tables of a design: the power of a set of runs, and the requests that its judges make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..data.columns import BoolArray, IntArray
from ..data.runs import Runs
from ..metrics.groups import fault_groups
from ..stats.estimate import Estimate, count, point, undefined
from ..stats.power import detectable_delta, false_alarm_bound, half_width, pairs_needed
from .table import Row, Table, counts, rates, signed, words

__all__ = ["Load", "calls_table", "power_table"]

BASE_RATE, WANTED, DELTA = 0.05, 0.05, 0.5
NOT_EVEN = "not even a judge that flags every fault would be told from chance with 80 % power"
NO_PAIR = "there is no such pair"
NO_CALLS = "no calls"


def power_table(
    name: str,
    runs: Runs,
    *,
    base_rate: float = BASE_RATE,
    wanted: float = WANTED,
    delta: float = DELTA,
) -> Table:
    """Give, for every group of faults, what its pairs can show of one judge.

    Parameters
    ----------
    base_rate : float
        The share of clean runs that the judge is thought to flag.
    wanted : float
        The half-width that is wanted of an interval of Δ.
    delta : float
        The Δ at which half-widths are given; they are widest near one half.
    """
    rows = []
    for group, members in fault_groups(runs).items():
        size = _pairs_by_instance(runs, members)
        rows.append((str(group), *_row(size, base_rate, wanted, delta)))
    columns = words("Group") + counts("Pairs", "Instances") + signed("Least Δ found")
    columns += rates(f"Half-width at Δ = {delta:g}") + counts(f"Pairs for ±{wanted:g}")
    clean = int(runs.clean.sum())
    notes = (
        f"For a judge that flags {base_rate:.0%} of clean runs and decides on each fault afresh.",
        "Least Δ found: with 80 % power, two-sided at 5 %, pairs of one parent counted as such.",
        f"{clean} clean runs without a flag allow a false-alarm rate of up to "
        f"{false_alarm_bound(clean):.1%}.",
    )
    return Table("power", f"What {name} can show", columns, tuple(rows), notes)


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


def _row(size: IntArray, base_rate: float, wanted: float, delta: float) -> Row:
    n = int(size.sum())
    counts = (_whole(n), _whole(len(size)))
    if n == 0:
        return (*counts, *[undefined(NO_PAIR)] * 3)
    delta = min(delta, 1 - base_rate)
    least = detectable_delta(size, base_rate)
    return (
        *counts,
        undefined(NOT_EVEN, n) if least is None else _planned(least, n),
        _planned(half_width(size, delta, base_rate), n),
        _whole(pairs_needed(size, wanted, delta, base_rate)),
    )


def _pairs_by_instance(runs: Runs, members: BoolArray) -> IntArray:
    rows = members & (runs.parent >= 0)
    return np.unique(runs.instance.codes[rows], return_counts=True)[1].astype(np.int64)


def _planned(value: float, n: int) -> Estimate:
    return point(value, n, "planned", "a plan, not a result")


def _whole(value: int) -> Estimate:
    return count(value, value)
