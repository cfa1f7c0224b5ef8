"""Each fault of a plan moves the metrics that it says it moves, on 200 records, and no others."""

from functools import cache

import pytest

from env.catalog import DOMAINS
from injector.catalog import BUILT_IN
from injector.inject import edit_stream, inject
from judges.reference.metrics import METRICS, score
from oracle.catalog import clean_run

EVERY_TYPE = BUILT_IN["workflow"].values()


DOMAIN = DOMAINS["workflow"]


@cache
def record(index):
    instance = DOMAIN.generate(0, index)
    return instance, clean_run(DOMAIN, instance)


def scores_where_planted(fault, n_records=200):
    """Yield the scores of every plan that a fault makes of the first records."""
    for instance, parent in map(record, range(n_records)):
        for site in fault.sites(instance, parent):
            rng = edit_stream(0, instance, fault, site)
            run = inject(DOMAIN, instance, parent, fault, site, rng=rng)
            yield score([step.call for step in run.steps], instance.plan)


@pytest.mark.parametrize("fault", EVERY_TYPE, ids=lambda fault: fault.name)
def test_a_fault_lowers_what_it_says_and_keeps_what_it_says(fault):
    planted = list(scores_where_planted(fault))
    assert planted
    lowest = {name: min(getattr(scores, name) for scores in planted) for name in METRICS}
    highest = {name: max(getattr(scores, name) for scores in planted) for name in METRICS}
    assert {name: highest[name] < 1 for name in fault.effect.lowers} == dict.fromkeys(
        fault.effect.lowers, True
    )
    assert {name: lowest[name] for name in fault.effect.keeps} == dict.fromkeys(
        fault.effect.keeps, 1.0
    )


@pytest.mark.parametrize("fault", EVERY_TYPE, ids=lambda fault: fault.name)
def test_a_metric_that_stands_in_neither_list_is_moved_at_some_sites_and_not_at_others(fault):
    open_names = [
        name for name in METRICS if name not in (*fault.effect.lowers, *fault.effect.keeps)
    ]
    planted = list(scores_where_planted(fault, 60))
    for name in open_names:
        assert {getattr(scores, name) < 1 for scores in planted} == {True, False}, name


def test_the_oracle_plan_scores_1_on_all():
    plans = [record(index)[0].plan for index in range(30)]
    assert all(score(plan, plan).perfect for plan in plans)
