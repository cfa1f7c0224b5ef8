"""Δ with its intervals: the default one, and those that stand beside it.

Which is the default, and why, is in docs/decisions/0005-interval-of-delta.md; the
table that decides is results/validity/tables/coverage.md.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .bootstrap import Replicates, ratio
from .estimate import Estimate, undefined
from .intervals import bca, from_draws, percentile
from .paired_difference import Clustered, score_interval, t_interval, union_interval

__all__ = ["BY_INSTANCE", "METHODS", "SCORE", "delta_estimates", "leave_one_out"]

SCORE = "Tango score at the effective number of pairs"
BY_INSTANCE = "percentile bootstrap over instances"
BCA = "BCa bootstrap over instances"
NO_BCA = "no interval: too few instances, or every resample on one side of the value"

Ends = tuple[float, float] | None

METHODS: dict[str, Callable[[Clustered, Replicates], Ends]] = {
    "score": lambda pairs, _: score_interval(pairs),
    "union": lambda pairs, _: union_interval(pairs),
    "t": lambda pairs, _: t_interval(pairs),
    "percentile": lambda _, drawn: percentile(drawn.values),
    "bca": lambda pairs, drawn: bca(drawn.values, leave_one_out(pairs)),
}
"""Every interval of Δ that the validity table compares."""


def delta_estimates(pairs: Clustered, drawn: Replicates) -> dict[str, Estimate]:
    """Return Δ with the default interval, and under ``/percentile`` and ``/bca`` with theirs."""
    if pairs.n == 0:
        return {name: undefined(drawn.nothing) for name in ("", "/percentile", "/bca")}
    value = float(drawn.values[0])
    return {
        "": Estimate(value, *score_interval(pairs), pairs.n, SCORE),
        "/percentile": from_draws(drawn, BY_INSTANCE),
        "/bca": _with_bca(from_draws(drawn, BCA), pairs, drawn),
    }


def leave_one_out(pairs: Clustered) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return Δ without each instance in turn; NaN where no pair is left."""
    total = pairs.hits - pairs.reverses - pairs.total
    return ratio(total.astype(np.float64), (pairs.n - pairs.size).astype(np.float64))


def _with_bca(found: Estimate, pairs: Clustered, drawn: Replicates) -> Estimate:
    if found.ci_low is None:
        return found
    ends = bca(drawn.values, leave_one_out(pairs))
    low, high = ends or (None, None)
    return Estimate(found.estimate, low, high, found.n, BCA, None if ends else NO_BCA)
