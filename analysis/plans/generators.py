"""Who made the plans: what was lost on the way, and how right they are by every reference.

A model that gives no plan is left out of its own accuracy, which so flatters it; beside
that stands the accuracy with nothing for no plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from faultpair.agents.parse_plan import Attrition
from faultpair.agents.plan_facts import PlanFacts
from faultpair.env.plans.records import Tier
from faultpair.judges.plan_metrics.metrics import METRICS
from faultpair.judges.plan_metrics.variants import VARIANTS

from ..data.columns import IntArray
from ..data.runs import Runs
from ..stats.bootstrap import Replicates, UnitColumns, ratio
from ..stats.estimate import Estimate, count
from ..stats.intervals import proportion
from .alignment.marginals import estimated, number_name
from .alignment.match_score import SCALE, units
from .data import Plans, coded_in

__all__ = ["ALL_REQUESTS", "ALL_TIERS", "attrition_numbers", "variant_numbers"]

ALL_TIERS = "all"

ALL_REQUESTS = "all-requests"
"""The printed reference over all requests: no plan counts 0."""

NO_PLAN = "there is no plan"
A_COST = "a cost, not a sample statistic"
PURPOSE = "plan variants"


class _Request(NamedTuple):
    """One request for a plan; whatever was planted is one, too. ``run`` is -1 without a plan."""

    record: str
    topology: str
    generator: str
    tier: str
    run: int


def attrition_numbers(plans: Plans) -> dict[str, Estimate]:
    """Return, by planner and tier, requests, plans, what was lost by kind, and costs."""
    found: dict[str, Estimate] = {}
    for planner in dict.fromkeys(facts.planner for facts in plans.attempts):
        own = [facts for facts in plans.attempts if facts.planner == planner]
        for tier in (ALL_TIERS, *dict.fromkeys(str(facts.tier) for facts in own)):
            some = [facts for facts in own if tier in (ALL_TIERS, facts.tier)]
            for name, number in _harvest(some).items():
                full = number_name(f"attrition/{name}", generator=planner, tier=tier)
                found[full] = number
    return found


def variant_numbers(plans: Plans, runs: Runs, n_resamples: int) -> dict[str, Estimate]:
    """Return the accuracy of each maker of plans by each variant of the reference, by tier.

    Accuracy is the mean of the four metrics; over all tiers each tier counts the same.
    Records are drawn within their topology.
    """
    requests = tuple(_requests(plans, runs))
    record = coded_in([request.record for request in requests])
    topology = coded_in([request.topology for request in requests])
    _, first = np.unique(record.codes, return_index=True)
    run = np.array([request.run for request in requests], np.int64)
    groups = _groups(requests, plans)
    ledger = UnitColumns(len(record.names))
    for place, rows in groups.items():
        _enter(ledger, place, plans, record.codes[rows], run[rows])
    sums = ledger.sums(topology.codes[first], purpose=PURPOSE, n_resamples=n_resamples)
    found: dict[str, Estimate] = {}
    for variant in (*VARIANTS, ALL_REQUESTS):
        drawn = {
            place: Replicates(
                ratio(sums[*place, variant], sums[*place, "of", variant]) / SCALE / len(METRICS),
                int(sums[*place, "of", variant][0]),
                NO_PLAN,
            )
            for place in groups
        }
        for (generator, tier), number in _with_all_tiers(drawn).items():
            name = number_name(f"variant/{variant}", generator=generator, tier=tier)
            found[name] = estimated(number)
    return found


def _harvest(facts: Sequence[PlanFacts]) -> dict[str, Estimate]:
    n = len(facts)
    kept = sum(one.attrition is None for one in facts)
    costs = {
        "seconds": sum(one.latency_s for one in facts),
        "prompt-tokens": sum(one.prompt_tokens for one in facts),
        "completion-tokens": sum(one.completion_tokens for one in facts),
    }
    return {
        "planned": count(n, n),
        "kept": count(kept, n),
        "kept-share": proportion(kept, n, NO_PLAN),
        **{
            f"lost={kind}": count(sum(one.attrition is kind for one in facts), n)
            for kind in Attrition
        },
        **{name: Estimate(all_ / n, None, None, n, "mean", A_COST) for name, all_ in costs.items()},
    }


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
    generator = coded_in([request.generator for request in requests], plans.origin.names)
    tier = coded_in([request.tier for request in requests], map(str, Tier))
    groups = {
        (maker, level): np.flatnonzero(generator.where(maker) & tier.where(level))
        for maker in generator.names
        for level in tier.names
    }
    return {place: rows for place, rows in groups.items() if len(rows)}


def _enter(
    ledger: UnitColumns, place: tuple[str, str], plans: Plans, record: IntArray, run: IntArray
) -> None:
    kept = run >= 0
    for variant in (*VARIANTS, ALL_REQUESTS):
        values = plans.references["printed" if variant == ALL_REQUESTS else variant]
        total = units(values[run[kept]]).sum(axis=1)
        of = record if variant == ALL_REQUESTS else record[kept]
        sums = np.bincount(record[kept], total, minlength=ledger.n_units)
        ledger.add((*place, variant), sums.astype(np.int64))
        ledger.add((*place, "of", variant), np.bincount(of, minlength=ledger.n_units))


def _with_all_tiers(drawn: dict[tuple[str, str], Replicates]) -> dict[tuple[str, str], Replicates]:
    """Put before the tiers of each maker their mean."""
    found: dict[tuple[str, str], Replicates] = {}
    for generator in dict.fromkeys(generator for generator, _ in drawn):
        own = {place: number for place, number in drawn.items() if place[0] == generator}
        mean = np.mean([number.values for number in own.values()], axis=0)
        n = sum(number.n for number in own.values())
        found[generator, ALL_TIERS] = Replicates(mean, n, NO_PLAN)
        found |= own
    return found
