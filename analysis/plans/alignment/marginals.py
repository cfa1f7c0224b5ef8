"""Marginal means: over all cells of each combination of some factors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from faultpair.judges.plan_metrics.metrics import METRICS

from ...data.columns import BoolArray, FloatArray
from ...stats.bootstrap import Replicates
from ...stats.estimate import Estimate, point
from ...stats.intervals import mean_of_units
from .cells import CELL_FACTORS, EQUAL, Cells, Weighting
from .key import PlanKey, PlanNumbers
from .record_bootstrap import EVERY

__all__ = ["NO_PLAN", "estimated", "marginal_means", "marginal_numbers", "share_of_resamples"]

NO_PLAN = "no plan was judged there"


def marginal_means(
    cells: Cells,
    by: Sequence[str],
    *,
    weighting: Weighting = Weighting.CELLS,
) -> dict[tuple[str, ...], Replicates]:
    """Return the mean of every group that has a plan; keys are names in the order of ``by``.

    ``by`` may hold condition, judge, generator, tier, topology and metric. Without
    metric, the four are averaged (equation 4b).
    """
    marginals: dict[tuple[str, ...], Replicates] = {}
    for names, members in cells.groups([factor for factor in by if factor in CELL_FACTORS]):
        for topology, stratum in _strata(cells, "topology" in by):
            n = cells.n(members, stratum)
            if n == 0:
                continue
            means = cells.mean(members, topology=stratum, weighting=weighting)
            for metric, values in _metrics(means, "metric" in by):
                place = names | {"topology": topology, "metric": metric}
                marginals[tuple(place[factor] for factor in by)] = Replicates(
                    values, n, NO_PLAN, min(n, cells.records[stratum])
                )
    return marginals


def marginal_numbers(
    key: PlanKey, cells: Cells, by: Sequence[str], *, weighting: Weighting = Weighting.CELLS
) -> PlanNumbers:
    """Return the same as estimates, under a key with the names of each combination."""
    means = marginal_means(cells, by, weighting=weighting)
    return {
        key._replace(**dict(zip(by, names, strict=True))): estimated(mean)
        for names, mean in means.items()
    }


def estimated(number: Replicates) -> Estimate:
    """Return a number, with an interval if it is a mean over resampled records."""
    return mean_of_units(number)


def share_of_resamples(holds: BoolArray) -> Estimate:
    """Return the share of the resamples in which a condition holds."""
    share = float(holds.mean())
    return point(share, len(holds), "share of resamples", "a share itself")


def _strata(cells: Cells, apart: bool) -> Iterator[tuple[str, int]]:
    if not apart:
        yield "", EVERY
        return
    for stratum, topology in enumerate(cells.names["topology"]):
        yield topology, stratum


def _metrics(means: FloatArray, apart: bool) -> Iterator[tuple[str, FloatArray]]:
    if not apart:
        yield "", (means * EQUAL).sum(axis=1) / sum(EQUAL)
        return
    for place, metric in enumerate(METRICS):
        yield metric, means[:, place]
