"""How often each kind of interval covers, on which side it misses, and how wide it is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..stats.clusters import is_borne
from ..stats.estimate import significant
from .design import Cell, sizes_of
from .kinds_of_pairs import BESIDE, PAIRS
from .kinds_of_rates import RATES
from .kinds_of_scores import SCORES
from .trial import Judges, Tried

__all__ = ["KINDS", "SLOTS", "cell_counts", "tally"]

SLOTS = ("of", "above", "below", "given", "width", "own", "steps")
"""What is counted of a kind: the studies, those whose ends are both above the truth, both
below it, and those with an interval; the mean width of these, the width of the central 95 %
of their estimates, and how many steps of one instance that is (−1: it has no such step)."""

KINDS = {**PAIRS, **RATES, **SCORES, **BESIDE}
"""Every published kind of interval."""

OF_CLEAN_RUNS = ("false alarms", "difference of false alarms")
CLEAN_ONLY = ("agent",)
SLACK = 1e-9

Tally = list[float] | None


def cell_counts(cell: Cell, studies: int, kinds: Sequence[str] = ()) -> dict[str, Tally]:
    """Count the intervals of a cell by kind; None where the kind has none there.

    Each kind draws for itself, so that some kinds are counted as they are among all.
    """
    judges = Judges(cell, studies)
    has_pairs = bool(is_borne(sizes_of(cell))) and cell.shape not in CLEAN_ONLY
    return {
        name: tally(KINDS[name](judges)) if has_pairs or name in OF_CLEAN_RUNS else None
        for name in kinds or KINDS
    }


def tally(tried: Tried) -> Tally:
    """Count intervals by where they lie; None if there is none in any study."""
    is_given = ~np.isnan(tried.low)
    low, high = tried.low[is_given], tried.high[is_given]
    if not len(low):
        return None
    values = np.sort(tried.value[is_given])
    own = float(np.quantile(values, 0.975) - np.quantile(values, 0.025))
    return [
        len(tried.low),
        int((low > tried.truth + SLACK).sum()),
        int((high < tried.truth - SLACK).sum()),
        len(low),
        significant(float((high - low).mean()), 6) or 0.0,
        significant(own, 6) or 0.0,
        (significant(own / tried.step, 6) or 0.0) if tried.step else -1.0,
    ]
