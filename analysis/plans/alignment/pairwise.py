"""Agreement of judges with each other: exact agreement, Cohen's κ, and where they part.

Of n verdicts that two judges gave on the same plan and metric, κ is
(n Σ nᵢᵢ − Σ nᵢ₊ n₊ᵢ) / (n² − Σ nᵢ₊ n₊ᵢ). A verdict off the scale {0, ½, 1}, of a judge that
answers freely, counts as the nearest level (halfway as the higher), but for exact agreement.

References
----------
Cohen (1960), Educ. Psychol. Meas. 20, 37-46.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ...data.columns import FloatArray, IntArray
from ...stats.bootstrap import Replicates, ratio
from ...stats.estimate import Estimate, count
from .grid import Grid, joined
from .marginals import estimated, number_name
from .ranking import FEWEST, spearman
from .record_bootstrap import EVERY, Resample

__all__ = ["LEVELS", "Pair", "gap_numbers", "kappa", "levels", "pairs_of", "pairwise_numbers"]

LEVELS = ("0", "0.5", "1")
N = len(LEVELS)
HALF = 1
SAME_PLAN = ("record", "generator", "tier")
NO_VARIANCE = "both judges give one and the same verdict throughout"
NO_DISAGREEMENT = "the two judges never disagree"
NO_GAP = f"fewer than {FEWEST} pairs have a κ, or all κ or all distances are equal"


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
        """Return Cohen's κ, undefined where chance alone explains all."""
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


def pairwise_numbers(pairs: list[Pair]) -> dict[str, Estimate]:
    """Return the numbers of each pair, and their means by condition."""
    found: dict[str, Estimate] = {}
    for pair in pairs:
        place = f"{pair.one}/{pair.other}/condition={pair.condition}"
        found[f"agreement/{place}"] = estimated(pair.agreement)
        found[f"kappa/{place}"] = estimated(pair.kappa)
        found[f"at-half/{place}"] = estimated(pair.at_half)
        for row, column in np.ndindex(N, N):
            cell = count(int(pair.matrix[0, row, column]), pair.n)
            found[f"confusion/{place}/{LEVELS[row]}/{LEVELS[column]}"] = cell
    for condition in dict.fromkeys(pair.condition for pair in pairs):
        own = [pair for pair in pairs if pair.condition == condition]
        means = {
            "agreement": _mean([pair.agreement for pair in own]),
            "kappa": _mean([pair.kappa for pair in own]),
        }
        found |= {
            number_name(stem, condition=condition): estimated(mean) for stem, mean in means.items()
        }
    return found


def gap_numbers(pairs: list[Pair], tier_of: Mapping[str, int]) -> dict[str, Estimate]:
    """Return ρ between κ of two judges and the distance of their tiers, by condition.

    ``tier_of`` holds the caller's tiers of judges, by size say; pairs of others are left
    out. n counts pairs, which share judges and so are not independent.
    """
    found: dict[str, Estimate] = {}
    for condition in dict.fromkeys(pair.condition for pair in pairs):
        own = [p for p in pairs if p.condition == condition and {p.one, p.other} <= {*tier_of}]
        known = [pair for pair in own if not np.isnan(pair.kappa.values[0])]
        if not own:
            continue
        rho = np.full(1, np.nan)
        if len(known) >= FEWEST:
            values = np.stack([pair.kappa.values for pair in known], axis=-1)
            gaps = [float(abs(tier_of[pair.one] - tier_of[pair.other])) for pair in known]
            rho = spearman(values, np.broadcast_to(gaps, values.shape))
        name = number_name("kappa-gap", condition=condition)
        found[name] = estimated(Replicates(rho, len(known), NO_GAP))
    return found


def _sides(one: Grid, other: Grid) -> tuple[Grid, Grid] | None:
    left, right = joined(one, other, *SAME_PLAN)
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
        Pair(condition, *names, sums[:, place, :-1].reshape(-1, N, N), sums[:, place, -1])
        for place, names in enumerate(sides)
    ]


def _counts(one: FloatArray, other: FloatArray) -> IntArray:
    cell = levels(one) * N + levels(other)
    columns = [(cell == place).sum(axis=1) for place in range(N * N)]
    counts: IntArray = np.stack([*columns, (one == other).sum(axis=1)], axis=1).astype(np.int64)
    return counts


def _mean(drawn: list[Replicates]) -> Replicates:
    known = [one for one in drawn if not np.isnan(one.values[0])]
    if not known:
        return Replicates(np.full(1, np.nan), 0, NO_VARIANCE)
    return Replicates(np.mean([one.values for one in known], axis=0), len(known), NO_VARIANCE)
