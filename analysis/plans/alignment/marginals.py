"""Means by any crossing of factors, and the names that numbers bear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from faultpair.judges.plan_metrics.metrics import METRICS

from ...data.columns import BoolArray, FloatArray
from ...stats.bootstrap import Replicates
from ...stats.estimate import Estimate
from ...stats.intervals import from_draws
from .cells import CELL_FACTORS, EQUAL, Cells, Weighting
from .record_bootstrap import BY_RECORD, EVERY

__all__ = [
    "NO_PLAN",
    "crossed",
    "crossed_numbers",
    "estimated",
    "number_name",
    "share_of_resamples",
]

ORDER = (*CELL_FACTORS, "topology", "metric")
NO_PLAN = "no plan was judged there"


def number_name(stem: str, **names: str) -> str:
    """Return the name of a number, its factors in a fixed order.

    >>> number_name("alignment", tier="hard", judge="a")
    'alignment/judge=a/tier=hard'
    """
    return "/".join([stem, *(f"{factor}={names[factor]}" for factor in ORDER if factor in names)])


def crossed(
    cells: Cells,
    by: Sequence[str],
    *,
    weighting: Weighting = Weighting.CELLS,
    weights: Sequence[float] = EQUAL,
) -> dict[tuple[str, ...], Replicates]:
    """Return the mean of every group that has a plan; keys are names in the order of ``by``.

    ``by`` may hold condition, judge, generator, tier, topology and metric. Without
    metric, the four are averaged by ``weights``; equal ones are equation 4b.
    """
    found: dict[tuple[str, ...], Replicates] = {}
    for names, members in cells.groups([factor for factor in by if factor in CELL_FACTORS]):
        for topology, stratum in _strata(cells, "topology" in by):
            n = cells.n(members, stratum)
            if n == 0:
                continue
            means = cells.mean(members, topology=stratum, weighting=weighting)
            for metric, values in _metrics(means, weights, "metric" in by):
                place = names | {"topology": topology, "metric": metric}
                found[tuple(place[factor] for factor in by)] = Replicates(values, n, NO_PLAN)
    return found


def crossed_numbers(
    stem: str, cells: Cells, by: Sequence[str], *, weighting: Weighting = Weighting.CELLS
) -> dict[str, Estimate]:
    """Return the same as estimates by name."""
    means = crossed(cells, by, weighting=weighting)
    return {
        number_name(stem, **dict(zip(by, key, strict=True))): estimated(drawn)
        for key, drawn in means.items()
    }


def estimated(drawn: Replicates) -> Estimate:
    """Return a number with its interval over resampled records."""
    return from_draws(drawn, BY_RECORD)


def share_of_resamples(holds: BoolArray) -> Estimate:
    """Return in which share of the resamples something holds."""
    share = float(holds.mean())
    return Estimate(share, None, None, len(holds), "share of resamples", "a share itself")


def _strata(cells: Cells, apart: bool) -> Iterator[tuple[str, int]]:
    if not apart:
        yield "", EVERY
        return
    for stratum, topology in enumerate(cells.names["topology"]):
        yield topology, stratum


def _metrics(
    means: FloatArray, weights: Sequence[float], apart: bool
) -> Iterator[tuple[str, FloatArray]]:
    if not apart:
        yield "", (means * weights).sum(axis=1) / sum(weights)
        return
    for place, metric in enumerate(METRICS):
        yield metric, means[:, place]
