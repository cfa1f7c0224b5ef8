"""Seats: one judge under one condition in one pass over the plans, and the grid they make.

Several judges of a study file may share a seat, each on tiers of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from faultpair.env.errors import StudyError

from ..data.columns import BoolArray, Coded, FloatArray, IntArray
from ..data.study_data import StudyData
from ..stats.estimate import Estimate, count
from ..stats.intervals import proportion
from .alignment.grid import Grid
from .alignment.marginals import number_name
from .alignment.numbers import Setup
from .data import Plans, coded_in
from .settings import CORRUPTED, WITH_TRUTH, WITHOUT

__all__ = [
    "N_RESAMPLES",
    "GraderPass",
    "first_passes",
    "grade_numbers",
    "grid_of",
    "seats_of",
    "setup_of",
]

N_RESAMPLES = 2_000
"""As many as the paper draws; fewer where a quick look is wanted."""


@dataclass(slots=True)
class GraderPass:
    """The grades of one judge under one condition in one pass.

    Attributes
    ----------
    judge, condition : str
        Who is asked, and how; ``ids`` are the judges of the study file.
    meant, judged : bool, shape (runs,)
        The plans that it is to grade, and those that it gave a verdict on, read or not.
    values : float, shape (runs, 4)
        NaN where there is no grade.
    """

    judge: str
    condition: str
    repeat: int
    ids: tuple[str, ...]
    meant: BoolArray
    judged: BoolArray
    values: FloatArray

    @property
    def scored(self) -> BoolArray:
        """Return the plans that have grades."""
        scored: BoolArray = np.logical_and.reduce(~np.isnan(self.values), axis=1)
        return scored

    @property
    def place(self) -> dict[str, str]:
        """Return what its numbers are named after."""
        return {"condition": self.condition, "judge": self.judge}


def seats_of(study: StudyData, plans: Plans) -> tuple[GraderPass, ...]:
    """Return every seat, by condition as the study file first names it, then by judge and pass.

    Raises
    ------
    StudyError
        If two judges of one seat graded the same plan.
    """
    conditions = plans.settings.conditions()
    found: dict[tuple[str, str, int], GraderPass] = {}
    entries = {judge.id: judge for judge in plans.settings.judges}
    for row, series in enumerate(study.passes.series):
        entry = entries.get(series.judge_id)
        if entry is None:
            continue
        meant = _of_tiers(plans, tuple(map(str, entry.tiers)))
        judged, values = study.passes.judged[row], plans.values[row]
        key = (entry.engine, conditions[entry.id], series.repeat)
        if key not in found:
            found[key] = GraderPass(*key[:2], series.repeat, (entry.id,), meant, judged, values)
        else:
            _share(found[key], entry.id, meant, judged, values)
    order = list(dict.fromkeys(conditions.values()))
    in_order = sorted(found, key=lambda key: (order.index(key[1]), key[0], key[2]))
    return tuple(found[key] for key in in_order)


def first_passes(seats: Sequence[GraderPass]) -> list[GraderPass]:
    """Return the first pass of each judge under each condition, on which pairs rest."""
    return [seat for seat in seats if seat.repeat == 0]


def grid_of(plans: Plans, seats: Sequence[GraderPass]) -> Grid:
    """Return every plan that has grades, once for each seat, against the printed reference."""
    seats = [seat for seat in seats if seat.scored.any()]
    rows = [np.flatnonzero(seat.scored) for seat in seats]
    run = np.concatenate(rows)
    size = [len(own) for own in rows]

    def spread(names: Sequence[str], first: Sequence[str] = ()) -> Coded:
        column = coded_in(names, first)
        return Coded(column.names, np.repeat(column.codes, size))

    return Grid(
        record=plans.record.take(run),
        generator=_present(plans.origin.take(run)),
        judge=spread([seat.judge for seat in seats]),
        tier=_present(plans.tier.take(run)),
        topology=_present(plans.topology.take(run)),
        condition=spread([seat.condition for seat in seats], [seat.condition for seat in seats]),
        reference=plans.references["printed"][run],
        verdict=np.concatenate([seat.values[own] for seat, own in zip(seats, rows, strict=True)]),
        repeat=np.repeat(_integers([seat.repeat for seat in seats]), size),
    )


def grade_numbers(seats: Sequence[GraderPass]) -> dict[str, Estimate]:
    """Return how many verdicts each judge gave under each condition, and how many have no grades.

    Those are excluded from all else. All passes count.
    """
    found: dict[str, Estimate] = {}
    for place in dict.fromkeys((seat.condition, seat.judge) for seat in seats):
        own = [seat for seat in seats if (seat.condition, seat.judge) == place]
        n = sum(int(seat.judged.sum()) for seat in own)
        graded = sum(int(seat.scored.sum()) for seat in own)
        numbers = {
            "passes": count(len(own), len(own)),
            "verdicts": count(n, n),
            "null": count(n - graded, n),
            "null-share": proportion(n - graded, n, "there is no verdict"),
        }
        found |= {
            number_name(f"grades/{name}", **own[0].place): number
            for name, number in numbers.items()
        }
    return found


def setup_of(plans: Plans, n_resamples: int) -> Setup:
    """Return what the columns do not say: the names of conditions, and whose plans are whose."""
    return Setup(
        with_truth=WITH_TRUTH,
        without=WITHOUT,
        corrupted=CORRUPTED,
        own=plans.settings.own_planners(),
        n_resamples=min(n_resamples, N_RESAMPLES),
    )


def _share(
    seat: GraderPass, judge_id: str, meant: BoolArray, judged: BoolArray, values: FloatArray
) -> None:
    if (seat.judged & judged).any():
        raise StudyError(
            f"The judges {seat.ids[-1]!r} and {judge_id!r} ask {seat.judge} about the same plan "
            f"under the same condition, {seat.condition}. Leave one of them out, or give them "
            "settings or tiers that differ."
        )
    seat.ids = (*seat.ids, judge_id)
    seat.meant = seat.meant | meant
    seat.judged = seat.judged | judged
    seat.values = np.where(judged[:, np.newaxis], values, seat.values)


def _of_tiers(plans: Plans, tiers: tuple[str, ...]) -> BoolArray:
    if not tiers:
        return np.ones(len(plans.tier.codes), np.bool_)
    found: BoolArray = np.logical_or.reduce([plans.tier.where(tier) for tier in tiers])
    return found


def _present(column: Coded) -> Coded:
    """Return a column without the names that no row bears, in the order that they had."""
    codes, place = np.unique(column.codes, return_inverse=True)
    return Coded(tuple(column.names[code] for code in codes), place.astype(np.int64))


def _integers(values: Sequence[int]) -> IntArray:
    return np.array(values, np.int64)
