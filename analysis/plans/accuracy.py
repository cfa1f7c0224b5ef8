"""The accuracy of the generators of plans, by every variant of the reference.

A request without a plan is left out, which raises the accuracy of a model that fails often;
`ALL_REQUESTS` counts it as 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from faultpair.env.plans.records import Tier
from faultpair.judges.plan_metrics.metrics import METRICS
from faultpair.judges.plan_metrics.variants import VARIANTS

from ..data.columns import IntArray, encode, ratio
from ..data.runs import Runs
from ..stats.bootstrap import Replicates, UnitColumns
from .alignment.key import ALL_TIERS, PlanKey, PlanNumbers
from .alignment.marginals import estimated
from .alignment.match_score import SCALE, units
from .data import Plans

__all__ = ["ALL_REQUESTS", "accuracy_numbers"]

ALL_REQUESTS = "all-requests"
"""The printed reference over all requests: no plan counts 0."""

NO_PLAN = "there is no plan"
PURPOSE = "plan variants"


class _Request(NamedTuple):
    """One request for a plan, or one planted plan. ``run`` is -1 without a plan."""

    record: str
    topology: str
    generator: str
    tier: str
    run: int


def accuracy_numbers(plans: Plans, runs: Runs, n_resamples: int) -> PlanNumbers:
    """Return the accuracy of each generator by each variant of the reference, by tier.

    Accuracy is the mean of the four metrics; over all tiers each tier counts the same.
    Records are drawn within their topology.
    """
    requests = tuple(_requests(plans, runs))
    record = encode([request.record for request in requests])
    topology = encode([request.topology for request in requests])
    # All requests of a record have one topology, which is read from the first of them.
    _, first = np.unique(record.codes, return_index=True)
    run = np.array([request.run for request in requests], np.int64)
    groups = _groups(requests, plans)
    columns = UnitColumns(len(record.names))
    for place, rows in groups.items():
        _accumulate(columns, place, plans, record.codes[rows], run[rows])
    sums = columns.sums(topology.codes[first], purpose=PURPOSE, n_resamples=n_resamples)
    numbers: PlanNumbers = {}
    for variant in (*VARIANTS, ALL_REQUESTS):
        replicates = {
            place: Replicates(
                ratio(sums[*place, variant], sums[*place, "of", variant]) / SCALE / len(METRICS),
                int(sums[*place, "of", variant][0]),
                NO_PLAN,
                len(np.unique(record.codes[rows])),
            )
            for place, rows in groups.items()
        }
        for (generator, tier), number in _with_all_tiers(replicates).items():
            key = PlanKey("variant", variant, generator=generator, tier=tier)
            numbers[key] = estimated(number)
    return numbers


def _requests(plans: Plans, runs: Runs) -> Iterator[_Request]:
    if plans.attempts:
        row = {name: place for place, name in enumerate(runs.ids)}
        for facts in plans.attempts:
            run = row.get(facts.trajectory_id, -1)
            yield _Request(facts.record_id, facts.topology, facts.planner, facts.tier, run)
        return
    columns = (plans.record, plans.topology, plans.origin, plans.tier)
    for run in range(len(runs.ids)):
        record, topology, origin, tier = (column.names[column.codes[run]] for column in columns)
        yield _Request(record, topology, origin, tier, run)


def _groups(requests: Sequence[_Request], plans: Plans) -> dict[tuple[str, str], IntArray]:
    """Return the rows of each (generator, tier) in the order of the names."""
    generator = encode([request.generator for request in requests], plans.origin.names)
    tier = encode([request.tier for request in requests], map(str, Tier))
    groups = {
        (name, level): np.flatnonzero(generator.where(name) & tier.where(level))
        for name in generator.names
        for level in tier.names
    }
    return {place: rows for place, rows in groups.items() if len(rows)}


def _accumulate(
    columns: UnitColumns, place: tuple[str, str], plans: Plans, record: IntArray, run: IntArray
) -> None:
    kept = run >= 0
    for variant in (*VARIANTS, ALL_REQUESTS):
        values = plans.references["printed" if variant == ALL_REQUESTS else variant]
        total = units(values[run[kept]]).sum(axis=1)
        of = record if variant == ALL_REQUESTS else record[kept]
        sums = np.bincount(record[kept], total, minlength=columns.n_units)
        columns.add((*place, variant), sums.astype(np.int64))
        columns.add((*place, "of", variant), np.bincount(of, minlength=columns.n_units))


def _with_all_tiers(
    by_tier: dict[tuple[str, str], Replicates],
) -> dict[tuple[str, str], Replicates]:
    """Add the mean over the tiers of each generator, before the tiers."""
    numbers: dict[tuple[str, str], Replicates] = {}
    for generator in dict.fromkeys(generator for generator, _ in by_tier):
        own = {place: number for place, number in by_tier.items() if place[0] == generator}
        mean = np.mean([number.values for number in own.values()], axis=0)
        n = sum(number.n for number in own.values())
        units = (number.units for number in own.values())
        numbers[generator, ALL_TIERS] = Replicates(mean, n, NO_PLAN, min(units))
        numbers |= own
    return numbers
