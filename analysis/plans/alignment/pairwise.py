"""Agreement of judges with each other: exact agreement, Cohen's κ, and how often ½ is involved.

Of n verdicts that two judges gave on the same plan and metric, κ is
(n Σ nᵢᵢ − Σ nᵢ₊ n₊ᵢ) / (n² − Σ nᵢ₊ n₊ᵢ). A verdict off the scale {0, ½, 1}, of a judge that
answers freely, counts as the nearest level (halfway as the higher), but for exact agreement.

References
----------
Cohen (1960), Educ. Psychol. Meas. 20, 37-46.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ...data.columns import FloatArray, IntArray, ratio
from ...stats.bootstrap import Replicates
from ...stats.estimate import count
from .grid import Grid, joined
from .key import PlanKey, PlanNumbers
from .marginals import estimated
from .record_bootstrap import EVERY, Resample

__all__ = ["LEVELS", "Pair", "kappa", "levels", "pairs_of", "pairwise_numbers"]

LEVELS = ("0", "0.5", "1")
N = len(LEVELS)
HALF = 1
SAME_PLAN = ("record", "generator", "tier")
NO_VARIANCE = "both judges give one and the same verdict throughout"
NO_DISAGREEMENT = "the two judges never disagree"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two judges under one condition.

    ``matrix`` has shape (1 + resamples, 3, 3): rows are levels of ``one``, columns of
    ``other``; ``same`` counts verdicts that are equal.
    """

    condition: str
    one: str
    other: str
    matrix: FloatArray
    same: FloatArray

    def key(self, stat: str) -> PlanKey:
        """Return the key of a number of the pair."""
        return PlanKey(stat, one=self.one, other=self.other, condition=self.condition)

    def confusion_key(self, one: str, other: str) -> PlanKey:
        """Return the key of how often the first judge gave one level, the second another."""
        return self.key("confusion")._replace(levels=f"{one}/{other}")

    @property
    def n(self) -> int:
        """Return how many verdicts both gave, four a plan."""
        return int(self.matrix[0].sum())

    @property
    def agreement(self) -> Replicates:
        """Return the share of verdicts that are equal."""
        return Replicates(ratio(self.same, self.matrix.sum(axis=(1, 2))), self.n, "no shared plan")

    @property
    def kappa(self) -> Replicates:
        """Return Cohen's κ, undefined where the expected agreement is 1."""
        return Replicates(kappa(self.matrix), self.n, NO_VARIANCE)

    @property
    def at_half(self) -> Replicates:
        """Return the share of differing verdicts of which one is ½."""
        off = self.matrix * (1 - np.eye(N))
        touching = off[:, HALF, :].sum(axis=1) + off[:, :, HALF].sum(axis=1)
        total = off.sum(axis=(1, 2))
        return Replicates(ratio(touching, total), int(total[0]), NO_DISAGREEMENT)


def levels(verdict: FloatArray) -> IntArray:
    """Return 0, 1, 2 for the nearest of 0, ½, 1."""
    return np.floor(verdict * 2 + 0.5).astype(np.int64)


def kappa(matrix: FloatArray) -> FloatArray:
    """Return κ of confusion counts of shape (…, k, k)."""
    n = matrix.sum(axis=(-2, -1))
    seen = n * np.trace(matrix, axis1=-2, axis2=-1)
    chance = (matrix.sum(axis=-1) * matrix.sum(axis=-2)).sum(axis=-1)
    return ratio(seen - chance, n * n - chance)


def pairs_of(grid: Grid, resample: Resample) -> list[Pair]:
    """Return every two judges that share a plan, condition by condition."""
    found: list[Pair] = []
    for condition in grid.condition.names:
        under = grid.under(condition)
        of_judge = {name: under.take(under.judge.where(name)) for name in grid.judge.names}
        sides = {
            (one, other): _sides(of_judge[one], of_judge[other])
            for one, other in combinations(grid.judge.names, 2)
        }
        found += _pairs(condition, {names: both for names, both in sides.items() if both}, resample)
    return found


def pairwise_numbers(pairs: list[Pair]) -> PlanNumbers:
    """Return the numbers of each pair, and their means by condition."""
    numbers: PlanNumbers = {}
    for pair in pairs:
        numbers[pair.key("agreement")] = estimated(pair.agreement)
        numbers[pair.key("kappa")] = estimated(pair.kappa)
        numbers[pair.key("at-half")] = estimated(pair.at_half)
        for row, column in np.ndindex(N, N):
            cell = count(int(pair.matrix[0, row, column]), pair.n)
            numbers[pair.confusion_key(LEVELS[row], LEVELS[column])] = cell
    for condition in dict.fromkeys(pair.condition for pair in pairs):
        own = [pair for pair in pairs if pair.condition == condition]
        means = {
            "agreement": _mean([pair.agreement for pair in own]),
            "kappa": _mean([pair.kappa for pair in own]),
        }
        numbers |= {
            PlanKey(stat, condition=condition): estimated(mean) for stat, mean in means.items()
        }
    return numbers


def _sides(one: Grid, other: Grid) -> tuple[Grid, Grid] | None:
    left, right = joined(one, other, SAME_PLAN)
    return (one.take(left), other.take(right)) if len(left) else None


def _pairs(
    condition: str, sides: dict[tuple[str, str], tuple[Grid, Grid]], resample: Resample
) -> list[Pair]:
    """Count nine levels and equal verdicts of every pair, with one sum for all of them."""
    if not sides:
        return []
    record = np.concatenate([one.record.codes for one, _ in sides.values()])
    group = np.repeat(np.arange(len(sides)), [len(one) for one, _ in sides.values()])
    values = np.concatenate([_counts(one.verdict, other.verdict) for one, other in sides.values()])
    sums = resample.sums(record, group, values, len(sides))[:, EVERY]
    return [
        Pair(
            condition=condition,
            one=one,
            other=other,
            matrix=sums[:, place, :-1].reshape(-1, N, N),
            same=sums[:, place, -1],
        )
        for place, (one, other) in enumerate(sides)
    ]


def _counts(one: FloatArray, other: FloatArray) -> IntArray:
    cell = levels(one) * N + levels(other)
    columns = [(cell == place).sum(axis=1) for place in range(N * N)]
    counts: IntArray = np.stack([*columns, (one == other).sum(axis=1)], axis=1).astype(np.int64)
    return counts


def _mean(numbers: list[Replicates]) -> Replicates:
    known = [one for one in numbers if not np.isnan(one.values[0])]
    if not known:
        return Replicates(np.full(1, np.nan), 0, NO_VARIANCE)
    return Replicates(np.mean([one.values for one in known], axis=0), len(known), NO_VARIANCE)
