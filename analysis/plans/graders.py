"""Graders: one judge under one condition in one pass over the plans, and the grid of all.

Several judges of a study file may be one grader, each on tiers of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from faultpair.env.errors import StudyError

from ..data.columns import BoolArray, Coded, FloatArray, encode
from ..data.study_data import StudyData
from ..stats.estimate import count
from ..stats.intervals import proportion
from .alignment.catalog import Setup
from .alignment.grid import Grid
from .alignment.key import PlanKey, PlanNumbers
from .data import Plans

__all__ = [
    "CORRUPTED",
    "WITHOUT",
    "WITH_TRUTH",
    "GraderPass",
    "first_passes",
    "grade_numbers",
    "grader_passes",
    "grid_of",
    "setup_of",
]

WITH_TRUTH = "with-gt"
WITHOUT = "without-gt"
CORRUPTED = "corrupted-gt"

N_RESAMPLES = 2_000
"""The number of the paper; a smaller one may be chosen for a quick look."""


@dataclass(slots=True)
class GraderPass:
    """The grades of one judge under one condition in one pass.

    Attributes
    ----------
    judge, condition : str
        The engine, and how it is asked; ``ids`` are the judges of the study file.
    meant, judged : bool, shape (runs,)
        The plans that it is to grade, and those with a verdict, readable or not.
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
        """Return the factors of its numbers."""
        return {"condition": self.condition, "judge": self.judge}


def grader_passes(study: StudyData, plans: Plans) -> tuple[GraderPass, ...]:
    """Return every pass, by condition in the order of the study file, then by judge and pass.

    Raises
    ------
    StudyError
        If two judges of one grader graded the same plan.
    """
    conditions = plans.settings.conditions()
    passes: dict[tuple[str, str, int], GraderPass] = {}
    entries = {judge.id: judge for judge in plans.settings.judges}
    for row, series in enumerate(study.passes.series):
        entry = entries.get(series.judge_id)
        if entry is None:
            continue
        meant = _of_tiers(plans, tuple(map(str, entry.tiers)))
        judged, values = study.passes.judged[row], plans.values[row]
        key = (entry.engine, conditions[entry.id], series.repeat)
        if key not in passes:
            passes[key] = GraderPass(
                judge=entry.engine,
                condition=conditions[entry.id],
                repeat=series.repeat,
                ids=(entry.id,),
                meant=meant,
                judged=judged,
                values=values,
            )
        else:
            _add(passes[key], entry.id, meant, judged, values)
    order = list(dict.fromkeys(conditions.values()))
    in_order = sorted(passes, key=lambda key: (order.index(key[1]), key[0], key[2]))
    return tuple(passes[key] for key in in_order)


def first_passes(passes: Sequence[GraderPass]) -> list[GraderPass]:
    """Return the first pass of each judge under each condition, on which pairs rest."""
    return [grader for grader in passes if grader.repeat == 0]


def grid_of(plans: Plans, passes: Sequence[GraderPass]) -> Grid:
    """Return every plan that has grades, once for each pass, with its printed reference."""
    passes = [grader for grader in passes if grader.scored.any()]
    rows = [np.flatnonzero(grader.scored) for grader in passes]
    run = np.concatenate(rows)
    size = [len(own) for own in rows]
    conditions = [grader.condition for grader in passes]

    def spread(names: Sequence[str], first: Sequence[str] = ()) -> Coded:
        column = encode(names, first)
        return Coded(column.names, np.repeat(column.codes, size))

    return Grid(
        record=plans.record.take(run),
        generator=_present(plans.origin.take(run)),
        judge=spread([grader.judge for grader in passes]),
        tier=_present(plans.tier.take(run)),
        topology=_present(plans.topology.take(run)),
        condition=spread(conditions, conditions),
        reference=plans.references["printed"][run],
        verdict=np.concatenate([g.values[own] for g, own in zip(passes, rows, strict=True)]),
        repeat=np.repeat(np.array([grader.repeat for grader in passes], np.int64), size),
    )


def grade_numbers(passes: Sequence[GraderPass]) -> PlanNumbers:
    """Return how many verdicts each judge gave under each condition, and how many have no grades.

    Verdicts without grades are excluded from all other numbers. All passes count.
    """
    numbers: PlanNumbers = {}
    for condition, judge in dict.fromkeys((g.condition, g.judge) for g in passes):
        own = [g for g in passes if (g.condition, g.judge) == (condition, judge)]
        n = sum(int(grader.judged.sum()) for grader in own)
        graded = sum(int(grader.scored.sum()) for grader in own)
        key = PlanKey("grades", condition=condition, judge=judge)
        counts = {
            "passes": count(len(own), len(own)),
            "verdicts": count(n, n),
            "null": count(n - graded, n),
            "null-share": proportion(n - graded, n, "there is no verdict"),
        }
        numbers |= {key._replace(of=name): number for name, number in counts.items()}
    return numbers


def setup_of(plans: Plans, n_resamples: int) -> Setup:
    """Return the names of the conditions, and the generator that is each judge's own model."""
    return Setup(
        with_truth=WITH_TRUTH,
        without=WITHOUT,
        corrupted=CORRUPTED,
        own=plans.settings.own_planners(),
        n_resamples=min(n_resamples, N_RESAMPLES),
    )


def _add(
    grader: GraderPass, judge_id: str, meant: BoolArray, judged: BoolArray, values: FloatArray
) -> None:
    """Add the grades of another judge of the study file, which graded other plans."""
    if (grader.judged & judged).any():
        raise StudyError(
            f"The judges {grader.ids[-1]!r} and {judge_id!r} ask {grader.judge} about the same "
            f"plan under the same condition, {grader.condition}. Leave one of them out, or give "
            "them settings or tiers that differ."
        )
    grader.ids = (*grader.ids, judge_id)
    grader.meant = grader.meant | meant
    grader.judged = grader.judged | judged
    grader.values = np.where(judged[:, np.newaxis], values, grader.values)


def _of_tiers(plans: Plans, tiers: tuple[str, ...]) -> BoolArray:
    if not tiers:
        return np.ones(len(plans.tier.codes), np.bool_)
    rows: BoolArray = np.logical_or.reduce([plans.tier.where(tier) for tier in tiers])
    return rows


def _present(column: Coded) -> Coded:
    """Return a column without the names that no row has, in the same order."""
    codes, place = np.unique(column.codes, return_inverse=True)
    return Coded(tuple(column.names[code] for code in codes), place.astype(np.int64))
