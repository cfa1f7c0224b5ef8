"""Each fault of a plan moves the metrics that it says it moves, on 200 records, and no others."""

from functools import cache

import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.injector.catalog import BUILT_IN
from faultpair.injector.inject import edit_stream, inject
from faultpair.judges.plan_metrics.metrics import METRICS, score
from faultpair.oracle.catalog import clean_run

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
def test_a_fault_lowers_and_keeps_the_metrics_that_it_declares(fault):
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
def test_a_metric_in_neither_list_changes_at_some_sites_and_not_at_others(fault):
    open_names = [
        name for name in METRICS if name not in (*fault.effect.lowers, *fault.effect.keeps)
    ]
    planted = list(scores_where_planted(fault, 60))
    for name in open_names:
        assert {getattr(scores, name) < 1 for scores in planted} == {True, False}, name


def test_the_oracle_plan_scores_1_on_all():
    plans = [record(index)[0].plan for index in range(30)]
    assert all(score(plan, plan).perfect for plan in plans)


def test_an_extra_argument_is_at_any_place_and_has_a_plausible_value():
    fault = BUILT_IN["workflow"]["extra_argument"]
    places, values = set(), []
    for instance, parent in map(record, range(60)):
        for site in fault.sites(instance, parent):
            rng = edit_stream(0, instance, fault, site)
            run = inject(DOMAIN, instance, parent, fault, site, rng=rng)
            before, after = parent.steps[site.step].call.args, run.steps[site.step].call.args
            (name,) = set(after) - set(before)
            places.add(list(after).index(name) == len(after) - 1)
            values.append(after[name])
    assert places == {True, False}
    assert len({str(value) for value in values}) > len(values) / 4


def test_an_added_optional_argument_is_in_the_order_of_the_schema():
    control = BUILT_IN["workflow"]["optional_argument_added"]
    for instance, parent in map(record, range(200)):
        for site in control.sites(instance, parent):
            rng = edit_stream(0, instance, control, site)
            run = inject(DOMAIN, instance, parent, control, site, rng=rng)
            call = run.steps[site.step].call
            schema = next(tool for tool in instance.tools if tool.name == call.tool)
            order = [name for name in schema.parameters["properties"] if name in call.args]
            assert list(call.args) == order
