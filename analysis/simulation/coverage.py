"""Every kind of published interval, counted in a cell of studies."""

from __future__ import annotations

from collections.abc import Sequence

from ..stats.clusters import is_borne
from .design import Cell, sizes_of
from .kinds_of_pairs import BESIDE, PAIRS
from .kinds_of_rates import RATES
from .kinds_of_scores import SCORES
from .tallies import Tally, tally
from .trial import Judges

__all__ = ["KINDS", "cell_counts"]

KINDS = {**PAIRS, **RATES, **SCORES, **BESIDE}
"""Every published kind of interval."""

OF_CLEAN_RUNS = ("false alarms", "difference of false alarms")
CLEAN_ONLY = ("agent",)


def cell_counts(cell: Cell, studies: int, kinds: Sequence[str] = ()) -> dict[str, Tally | None]:
    """Count the intervals of a cell by kind; None where the kind has none there.

    Each kind draws for itself, so that some kinds are counted as they are among all.
    """
    judges = Judges(cell, studies)
    has_pairs = bool(is_borne(sizes_of(cell))) and cell.shape not in CLEAN_ONLY
    return {
        name: tally(KINDS[name](judges)) if has_pairs or name in OF_CLEAN_RUNS else None
        for name in kinds or KINDS
    }
