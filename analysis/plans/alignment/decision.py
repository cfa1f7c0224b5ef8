"""Decisions: which judge aligns best in each condition and tier, and by how much."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...data.columns import FloatArray
from ...stats.bootstrap import Replicates
from ...stats.estimate import Estimate, undefined
from .cells import Cells, mean_of_each, shared
from .key import PlanKey, PlanNumbers
from .marginals import NO_PLAN, estimated, share_of_resamples
from .match_score import rounded

__all__ = ["Decision", "decision_numbers", "decisions"]

ALONE = "only one judge judged there"


@dataclass(frozen=True, slots=True)
class Decision:
    """The best judge of a condition and tier, over the cells that all judges there share.

    ``distance`` is how far the runner-up is behind; ``holds`` the share of resamples in
    which the best stays so. ``runner_up`` is None if no other judge judged there.
    """

    condition: str
    tier: str
    best: str
    runner_up: str | None
    alignment: Estimate
    distance: Estimate
    holds: Estimate


def decisions(cells: Cells) -> list[Decision]:
    """Return a decision for every condition and tier; of equal judges the first by name is best."""
    found = []
    for names, _ in cells.groups(("condition", "tier")):
        judges = shared(cells, **names)
        if judges:
            values = mean_of_each(cells, judges)
            n = min(cells.n(own) for own in judges.values())
            found.append(_decision(names["condition"], names["tier"], values, n))
    return found


def decision_numbers(made: list[Decision]) -> PlanNumbers:
    """Return the numbers of the decisions, without their names."""
    numbers: PlanNumbers = {}
    for one in made:
        key = PlanKey("decision", condition=one.condition, tier=one.tier)
        for name in ("alignment", "distance", "holds"):
            numbers[key._replace(of=name)] = getattr(one, name)
    return numbers


def _decision(condition: str, tier: str, values: dict[str, FloatArray], n: int) -> Decision:
    level = {judge: rounded(replicates) for judge, replicates in values.items()}
    best, *others = sorted(level, key=lambda judge: -float(level[judge][0]))
    alignment = estimated(Replicates(values[best], n, NO_PLAN))
    if not others:
        distance = holds = undefined(ALONE)
    else:
        ahead = Replicates(values[best] - values[others[0]], n, NO_PLAN)
        stays = np.all([level[best][1:] >= level[other][1:] for other in others], axis=0)
        distance, holds = estimated(ahead), share_of_resamples(stays)
    return Decision(
        condition=condition,
        tier=tier,
        best=best,
        runner_up=others[0] if others else None,
        alignment=alignment,
        distance=distance,
        holds=holds,
    )
