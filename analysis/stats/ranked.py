"""The AUC of all faults against all clean runs, whose runs come in clusters.

The share of pairs of a fault and a clean run in which the fault has the higher score, ties
half. To first order an instance moves it by what its faults are above the clean runs, less the
AUC, and by what its clean runs are below the faults.

References
----------
DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, 837-845; Obuchowski (1997), Biometrics
53, 567-578, for runs in clusters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from ..data.columns import FloatArray, IntArray
from .clusters import TAIL, Share

__all__ = ["FEW_RANKED", "RANKED", "Ranked"]

RANKED = "Clopper-Pearson at the effective number of runs, of ranks"
FEW_RANKED = "no interval: fewer than 10 instances in effect"


@dataclass(frozen=True, slots=True)
class Ranked:
    """An AUC, and what each instance adds to it.

    Attributes
    ----------
    auc : array
        In [0, 1]: one number, or one of each study.
    added : array, shape (…, instances)
        What each instance moves it by.
    size : array, shape (instances,)
        The part of each instance in the runs of both kinds, which add up to those that count:
        4·faults·clean / (faults + clean).
    """

    auc: FloatArray
    added: FloatArray
    size: FloatArray

    @classmethod
    def of(
        cls, fault: FloatArray, clean: FloatArray, fault_unit: IntArray, clean_unit: IntArray
    ) -> Self:
        """Rank the scores of faults and clean runs, each of which has an instance."""
        n_fault, n_clean = len(fault), len(clean)
        n_units = 1 + max(int(fault_unit.max()), int(clean_unit.max()))
        ordered, faults = np.sort(clean), np.sort(fault)
        below = _twice_below(ordered, fault) / (2 * n_clean)
        above = 1 - _twice_below(faults, clean) / (2 * n_fault)
        auc = np.asarray(below.mean())
        units = ((fault_unit, below, n_fault), (clean_unit, above, n_clean))
        added, part = np.zeros(n_units), np.zeros(n_units)
        for unit, share, n in units:
            added += np.bincount(unit, (share - auc) / n, minlength=n_units)
            part += np.bincount(unit, minlength=n_units) / n
        return cls(auc, added, part * (2 * n_fault * n_clean / (n_fault + n_clean)))

    def ends(self, tail: float = TAIL) -> tuple[FloatArray, FloatArray]:
        """Return the interval of Clopper and Pearson at the effective number of runs."""
        influence = self.added * self.size.sum()
        return Share.of_influence(self.auc, influence, self.size, self.size).ends(tail)


def _twice_below(ordered: FloatArray, values: FloatArray) -> IntArray:
    """Return for each value how many of the ordered ones are below it, ties half, twice."""
    return np.searchsorted(ordered, values, side="left") + np.searchsorted(
        ordered, values, side="right"
    )
