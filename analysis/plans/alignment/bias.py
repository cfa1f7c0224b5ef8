"""The signed bias v − p of judges, and self-preference: that on plans of the judge's own model."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from faultpair.judges.plan_metrics.metrics import METRICS

from ...stats.bootstrap import Replicates
from ...stats.estimate import Estimate
from .cells import Cells
from .key import OVERALL, PlanKey, PlanNumbers
from .marginals import NO_PLAN, estimated, marginal_means, marginal_numbers

__all__ = ["bias_numbers", "self_preference"]

PARTS = ("own", "lowest", "highest", "excess")
NO_OTHER = "the judge judged no other generator"


def bias_numbers(bias: Cells) -> PlanNumbers:
    """Return mean bias by judge, generator and metric, every tier counting the same."""
    numbers: PlanNumbers = {}
    for by in (("condition", "judge"), ("condition", "judge", "generator")):
        numbers |= marginal_numbers(PlanKey("bias"), bias, by)
        numbers |= marginal_numbers(PlanKey("bias"), bias, (*by, "metric"))
    return numbers


def self_preference(bias: Cells, own: Mapping[str, str]) -> PlanNumbers:
    """Compare a judge's bias on its own model's plans with its range on those of others.

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
    numbers: PlanNumbers = {}
    overall = marginal_means(bias, ("condition", "judge", "generator"))
    by_metric = marginal_means(bias, ("condition", "judge", "generator", "metric"))
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
                    four = _against(mine, list(of_generator.values()))
                    key = PlanKey("self", condition=condition, judge=judge, metric=metric)
                    numbers |= {
                        key._replace(of=part): number
                        for part, number in zip(PARTS, four, strict=True)
                    }
    return numbers


def _against(own: Replicates, others: list[Replicates]) -> tuple[Estimate, ...]:
    if not others:
        nothing = estimated(Replicates(np.full(1, np.nan), 0, NO_OTHER))
        return estimated(own), nothing, nothing, nothing
    ordered = sorted(others, key=lambda number: float(number.values[0]))
    mean = np.mean([number.values for number in others], axis=0)
    excess = Replicates(own.values - mean, own.n, NO_PLAN)
    return tuple(map(estimated, (own, ordered[0], ordered[-1], excess)))
