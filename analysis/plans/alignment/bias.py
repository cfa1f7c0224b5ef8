"""Leaning: the signed bias v − p, and whether a judge is kinder to what its own model made."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from faultpair.judges.plan_metrics.metrics import METRICS

from ...stats.bootstrap import Replicates
from ...stats.estimate import Estimate
from .cells import Cells
from .marginals import NO_PLAN, crossed, crossed_numbers, estimated, number_name

__all__ = ["OVERALL", "leaning_numbers", "self_preference"]

OVERALL = "overall"
PARTS = ("own", "lowest", "highest", "excess")
NO_OTHER = "the judge judged no other generator"


def leaning_numbers(bias: Cells) -> dict[str, Estimate]:
    """Return mean bias by judge, generator and metric, every tier counting the same."""
    found: dict[str, Estimate] = {}
    for by in (("condition", "judge"), ("condition", "judge", "generator")):
        found |= crossed_numbers("bias", bias, by)
        found |= crossed_numbers("bias", bias, (*by, "metric"))
    return found


def self_preference(bias: Cells, own: Mapping[str, str]) -> dict[str, Estimate]:
    """Set a judge's bias on its own model's plans against its range on those of others.

    Parameters
    ----------
    own : mapping from judge to generator
        Which generator is the judge's own model.

    Returns
    -------
    dict
        Own bias, the least and the largest on another generator, and own minus the mean
        of the others: overall, and by metric.
    """
    found: dict[str, Estimate] = {}
    overall = crossed(bias, ("condition", "judge", "generator"))
    by_metric = crossed(bias, ("condition", "judge", "generator", "metric"))
    for judge, generator in own.items():
        for condition in bias.names["condition"]:
            for metric in (OVERALL, *METRICS):
                end = () if metric == OVERALL else (metric,)
                every = overall if metric == OVERALL else by_metric
                of_generator = {
                    name: every[condition, judge, name, *end]
                    for name in bias.names["generator"]
                    if (condition, judge, name, *end) in every
                }
                if generator in of_generator:
                    mine = of_generator.pop(generator)
                    numbers = _against(mine, list(of_generator.values()))
                    place = {"condition": condition, "judge": judge, "metric": metric}
                    found |= {
                        number_name(f"self/{part}", **place): number
                        for part, number in zip(PARTS, numbers, strict=True)
                    }
    return found


def _against(own: Replicates, others: list[Replicates]) -> tuple[Estimate, ...]:
    if not others:
        nothing = estimated(Replicates(np.full(1, np.nan), 0, NO_OTHER))
        return estimated(own), nothing, nothing, nothing
    ordered = sorted(others, key=lambda drawn: float(drawn.values[0]))
    mean = np.mean([drawn.values for drawn in others], axis=0)
    excess = Replicates(own.values - mean, own.n, NO_PLAN)
    return tuple(map(estimated, (own, ordered[0], ordered[-1], excess)))
