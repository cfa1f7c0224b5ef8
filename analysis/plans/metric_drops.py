"""Falls: by how much grades fall from parents to planted plans, with the intervals of the mean.

A grade on 0, ½, 1 answers two questions: is the plan below 1, is it below ½? So the fall
of a grade, twice over, is what two binary judges would tell apart, and its mean is a Δ
of pairs as any other: the intervals are those of `delta`, with two questions a pair. How
far the questions of a pair, and the pairs of a record, hang together is what the
effective number of pairs takes account of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self, TypeVar

import numpy as np

from ..data.columns import FloatArray, IntArray
from ..metrics.contrasts import sign_flip
from ..metrics.pairs import NO_PAIR
from ..stats.bootstrap import Replicates, UnitColumns, ratio
from ..stats.delta import delta_estimates
from ..stats.estimate import Estimate, undefined
from ..stats.paired_difference import Clustered

__all__ = ["Falls", "resampled_falls"]

STEPS = 2
"""Steps of the scale 0, ½, 1."""

FINE_STEPS = 1_000
"""Of grades that are not on it: they are rounded to thousandths."""

PURPOSE = "plan pairs"

K = TypeVar("K", bound=tuple[object, ...])


@dataclass(frozen=True, slots=True)
class Falls:
    """The falls of some grades, in steps of their scale, summed by record.

    The tiers of a record have one plan and one fault, so records are what is drawn.

    Attributes
    ----------
    total, size : int, shape (records,)
        The sum of the falls, and the largest that it could be.
    hits, reverses : int
        The sums of all falls and of all rises.
    n : int
        How many grades fell, rose or stayed.
    """

    total: IntArray
    size: IntArray
    hits: int
    reverses: int
    n: int

    @classmethod
    def of(cls, fall: FloatArray, record: IntArray, n_records: int, parts: int = 1) -> Self:
        """Sum falls in [-1, 1]; ``parts`` is how many grades each of them is the mean of."""
        steps = parts * (STEPS if _are_on(fall, parts * STEPS) else FINE_STEPS)
        moved = np.rint(fall * steps).astype(np.int64)
        total = np.bincount(record, moved, minlength=n_records).astype(np.int64)
        size = np.bincount(record, minlength=n_records) * steps
        hits, reverses = int(moved[moved > 0].sum()), -int(moved[moved < 0].sum())
        return cls(total, size, hits, reverses, len(fall))

    def estimates(self, drawn: Replicates) -> dict[str, Estimate]:
        """Return Δ with each of its intervals, and the two-sided p of sign flips over records."""
        some = self.size > 0
        pairs = Clustered(self.total[some], self.size[some], self.hits, self.reverses)
        deltas = delta_estimates(pairs, drawn).items()
        found = {f"delta{name}": replace(delta, n=self.n) for name, delta in deltas}
        found["p"] = sign_flip(self.total[some]) if some.any() else undefined(NO_PAIR)
        return {name: _over_records(number) for name, number in found.items()}


def resampled_falls(falls: Mapping[K, Falls], n_resamples: int) -> dict[K, Replicates]:
    """Return the mean of each under the same resamples of the records."""
    n_records = max((len(fall.total) for fall in falls.values()), default=0)
    ledger = UnitColumns(n_records)
    for key, fall in falls.items():
        ledger.add((*key, "total"), fall.total)
        ledger.add((*key, "size"), fall.size)
    one_stratum = np.zeros(n_records, np.int64)
    sums = ledger.sums(one_stratum, purpose=PURPOSE, n_resamples=n_resamples)
    return {
        key: Replicates(ratio(sums[*key, "total"], sums[*key, "size"]), fall.n, NO_PAIR)
        for key, fall in falls.items()
    }


def _over_records(number: Estimate) -> Estimate:
    """Say what was drawn: what `delta` takes for instances are records here."""
    return replace(number, method=number.method.replace("instances", "records"))


def _are_on(fall: FloatArray, steps: int) -> bool:
    return bool((fall * steps == np.rint(fall * steps)).all())
