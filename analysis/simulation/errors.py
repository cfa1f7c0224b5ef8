"""How often each test rejects a true null hypothesis, and the bias of ECE that tables state."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ..data.columns import BoolArray, FloatArray, IntArray
from ..metrics import calibration
from ..stats.bootstrap import UnitColumns
from ..stats.estimate import significant
from ..stats.intervals import ALPHA
from ..stats.paired_difference import Clustered, square_and_add
from ..stats.tests import holm, matched_sets, sign_flip
from .design import COMMITTED
from .simulated import uniform

__all__ = ["ErrorCell", "Hypothesis", "calibration_counts", "error_cells", "error_counts"]

MARGIN = 0.1
FOUND = 0.3
JUDGES, TYPES = 10, 40
STATED = (0.55, 0.65, 0.75, 0.85, 0.95)


class Hypothesis(StrEnum):
    """A test, and the null hypothesis that is true."""

    MATCHED = "matched sets"
    """One blind judge: it flags each run afresh."""
    CONTRAST = "contrast"
    """Two judges that find as much as each other."""
    CONTRASTS = "five contrasts, Holm"
    """Five of them, two not answered yet: any adjusted p at most .05."""
    EQUIVALENCE = "equivalence"
    """A difference at the margin: called smaller."""
    INFERIORITY = "non-inferiority"
    """A Δ at the floor: called above it."""
    FAMILY = "ten blind judges, forty types"
    """Any of the 400 Holm-adjusted p of matched sets at most .05."""


@dataclass(frozen=True, slots=True)
class ErrorCell:
    """A test on a shape of study: ``faults`` each of so many instances, or a committed shape."""

    test: Hypothesis
    instances: int
    faults: int | str
    base_rate: float

    @property
    def size(self) -> IntArray:
        """Return the faults of each instance."""
        if isinstance(self.faults, str):
            counts = COMMITTED[self.faults]
            return np.repeat(list(counts), list(counts.values()))
        return np.full(self.instances, self.faults)


def error_cells() -> tuple[ErrorCell, ...]:
    """Return every cell of the table of errors."""
    shapes: list[tuple[int, int | str]] = [(10, 5), (20, 2), (50, 3), (154, "paper")]
    found = [
        ErrorCell(Hypothesis.MATCHED, 40, faults, rate)
        for faults in (1, 2, 3, 5, 10)
        for rate in (0.02, 0.1, 0.3)
    ]
    found += [ErrorCell(Hypothesis.MATCHED, 414, "balanced", rate) for rate in (0.02, 0.1, 0.3)]
    for test in (
        Hypothesis.CONTRAST,
        Hypothesis.CONTRASTS,
        Hypothesis.EQUIVALENCE,
        Hypothesis.INFERIORITY,
    ):
        found += [ErrorCell(test, *shape, rate) for shape in shapes for rate in (0.02, 0.1, 0.3)]
    return (*found, *(ErrorCell(Hypothesis.FAMILY, 414, "balanced", r) for r in (0.02, 0.1, 0.3)))


def error_counts(cell: ErrorCell, studies: int) -> int:
    """Count the studies in which the test rejects at 5 %."""
    if cell.test is Hypothesis.MATCHED:
        parent, flags = _coin(cell, studies, cell.base_rate, ("coin",))
        p = [matched_sets(flags[row], cell.size, parent[row]).estimate for row in range(studies)]
        return _rejected(p)
    if cell.test is Hypothesis.FAMILY:
        return sum(_family(cell, study) for study in range(studies))
    if cell.test in (Hypothesis.CONTRAST, Hypothesis.CONTRASTS):
        n_pairs = 1 if cell.test is Hypothesis.CONTRAST else 3
        p = [_least_contrast(cell, study, n_pairs) for study in range(studies)]
        return _rejected(p)
    # A Δ at the floor, or at the margin: hits come with the chance base rate + margin.
    parent, flags = _coin(cell, studies, cell.base_rate + MARGIN, ("margin",))
    pairs = Clustered(np.where(parent, 0, flags), np.where(parent, cell.size - flags, 0), cell.size)
    low, high = square_and_add(pairs, ALPHA)
    if cell.test is Hypothesis.EQUIVALENCE:
        return int(((low > -MARGIN) & (high < MARGIN)).sum())
    return int((low > MARGIN).sum())


def calibration_counts(n_instances: int, n_judges: int) -> dict[str, float | None]:
    """Compare the ECE of judges that are right as often as they say with its stated bias."""
    n_runs = n_instances + int((np.arange(n_instances) % 4 + 1).sum())
    shape = (n_judges, n_runs)
    drawn = uniform(2 * n_judges * n_runs, "calibrated", n_instances).reshape(2, *shape)
    confidence = np.array(STATED)[(drawn[0] * len(STATED)).astype(np.int64)]
    columns = UnitColumns(n_runs)
    every = np.ones(n_runs, np.bool_)
    for judge in range(n_judges):
        stated = calibration.Stated(every, confidence[judge], drawn[1][judge] < confidence[judge])
        calibration.accumulate(columns, stated, judge)
    sums = columns.sums(purpose="runs", n_resamples=0)
    replicates = [calibration.replicate(sums, judge) for judge in range(n_judges)]
    ece = [float(own[calibration.ECE].values[0]) for own in replicates]
    bias = [calibration.ece_bias(row) or 0.0 for row in confidence]
    return {
        "instances": n_instances,
        "simulations": n_judges,
        "verdicts": n_runs,
        "ece": significant(math.fsum(ece)),
        "ece_squared": significant(math.fsum(value**2 for value in ece)),
        "bias": significant(math.fsum(bias)),
    }


def _rejected(p_values: list[float | None]) -> int:
    return sum(p is not None and p <= ALPHA for p in p_values)


def _coin(
    cell: ErrorCell, studies: int, rate: float, purpose: tuple[str | int, ...]
) -> tuple[BoolArray, IntArray]:
    """Return the flags on the parents, and how many faults of each instance are flagged."""
    size = cell.size
    place = (str(cell.test), cell.instances, str(cell.faults), str(cell.base_rate), *purpose)
    parent = uniform(studies * len(size), *place, "parents").reshape(studies, len(size))
    fault = uniform(studies * int(size.sum()), *place, "faults").reshape(studies, -1) < rate
    first = np.cumsum(size) - size
    return parent < cell.base_rate, np.add.reduceat(fault, first, axis=1, dtype=np.int64)


def _least_contrast(cell: ErrorCell, study: int, n_pairs: int) -> float | None:
    """Return the least p of some contrasts, adjusted over five if there are several."""
    p: list[float | None] = []
    for place in range(n_pairs):
        sums: list[FloatArray | IntArray] = []
        for side in ("one", "other"):
            parent, flags = _coin(cell, 1, cell.base_rate + FOUND, (side, study, place))
            sums.append((flags - parent * cell.size)[0])
        p.append(sign_flip((sums[0] - sums[1]).astype(np.int64)).estimate)
    adjusted = p if n_pairs == 1 else holm([*p, None, None])
    return min((one for one in adjusted if one is not None), default=None)


def _family(cell: ErrorCell, study: int) -> bool:
    """Return whether any of the types and judges of one study is found to be no coin."""
    size = cell.size
    unit = np.repeat(np.arange(len(size)), size)
    kind = np.arange(len(unit)) % TYPES
    p: list[float | None] = []
    place = (str(cell.test), str(cell.base_rate), study)
    for judge in range(JUDGES):
        parent = uniform(len(size), *place, judge, "parents") < cell.base_rate
        fault = uniform(len(unit), *place, judge, "faults") < cell.base_rate
        for name in range(TYPES):
            rows = kind == name
            own = np.bincount(unit[rows], minlength=len(size))
            flags = np.bincount(unit[rows], fault[rows], minlength=len(size)).astype(np.int64)
            some = own > 0
            p.append(matched_sets(flags[some], own[some], parent[some]).estimate)
    return any(one is not None and one <= ALPHA for one in holm(p))
