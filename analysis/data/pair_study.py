"""Plain data as a study, so that its numbers come from the functions that every study's do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from faultpair.env.errors import RecordError
from faultpair.env.records import Cell

from .columns import BoolArray, Coded, IntArray
from .pair_data import PairData
from .runs import Runs
from .study_data import StudyData, assemble
from .verdicts import Series, Verdicts

__all__ = ["study_of"]

MOST_CELLS = 10_000_000
"""Judges × passes × runs: a verdict has a place in matrices, given or not."""

LOST = (Cell.UNCHANGED_LOST, Cell.CHANGED_LOST)
CHANGED = (Cell.CHANGED_SURVIVES, Cell.CHANGED_LOST)


def study_of(data: PairData) -> StudyData:
    """Return the runs and verdicts of plain data as those of a study without texts or views.

    A fault without a cell counts as loud, and no stratum of such data is published.

    Raises
    ------
    RecordError
        If judges and runs are so many that most have nothing to do with each other.
    """
    return assemble(data.name, _runs(data), _verdicts(data))


def _runs(data: PairData) -> Runs:
    n = len(data.run.names)
    none = Coded((), np.full(n, -1, np.int64))
    minus = np.full(n, -1, np.int64)
    child = data.parent >= 0
    has_cell = data.cell.codes >= 0
    return Runs(
        ids=data.run.names,
        instance=data.unit,
        domain=none,
        scenario=data.scenario,
        faulty=child & (data.control.codes < 0),
        control=data.control,
        failure_step=minus,
        failure_type=data.type,
        outcome_correct=~child | (has_cell & ~_of(data.cell, LOST)),
        parent=data.parent,
        reply_changed=np.where(has_cell, _of(data.cell, CHANGED), minus),
        reply_policy=none,
        variant=none,
        n_steps=np.zeros(n, np.int64),
        marks={},
    )


def _of(cell: Coded, cells: Sequence[Cell]) -> BoolArray:
    found: BoolArray = np.logical_or.reduce([cell.where(name) for name in cells])
    return found


def _verdicts(data: PairData) -> Verdicts:
    passes, row = np.unique(np.stack([data.judge.codes, data.repeat]), axis=1, return_inverse=True)
    shape = (passes.shape[1], len(data.run.names))
    if shape[0] * shape[1] > MOST_CELLS:
        raise RecordError(
            f"{data.name}: {shape[0]} judges and passes on {shape[1]} runs are more than "
            f"{MOST_CELLS:,} verdicts, of which {len(row)} are given. Split the file by judge."
        )
    place = (row.ravel(), data.run.codes)

    def spread(values: IntArray | np.ndarray, missing: float | bool) -> np.ndarray:
        matrix = np.full(shape, missing, values.dtype)
        matrix[place] = values
        return matrix

    zero = np.zeros(shape, np.int64)
    no, nan = np.zeros(shape, np.bool_), np.full(shape, np.nan)
    scored = spread(data.flagged >= 0, False)
    return Verdicts(
        series=tuple(Series(data.judge.names[j], 0, int(r)) for j, r in passes.T.tolist()),
        view=(None,) * shape[0],
        task=(None,) * shape[0],
        judged=spread(np.ones(len(row), np.bool_), False),
        scored=scored,
        flagged=spread(data.flagged == 1, False),
        failed=no,
        step=zero - 1,
        named=Coded((), zero - 1),
        confidence=nan,
        rationale=zero.astype(np.uint64),
        latency_s=spread(np.nan_to_num(data.seconds), 0.0),
        prompt_tokens=zero,
        completion_tokens=zero,
        score=np.where(scored, spread(data.score, np.nan), np.nan),
        shared=no,
    )
