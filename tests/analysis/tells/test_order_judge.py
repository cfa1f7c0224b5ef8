"""The judge that knows what came before finds nothing in a drawn order."""

from collections import defaultdict
from itertools import chain

import numpy as np
import pytest

from faultpair.analysis.tells.order_judge import OrderJudge
from faultpair.judges.external import ExternalJudge, document_of
from faultpair.judges.model_judge import ModelJudge
from faultpair.runner.order import Draft, RequestOrder, RunPlace, runs_by_instance
from faultpair.runner.panel import JudgeAssignment
from faultpair.runner.requests import plan_requests
from faultpair.studies.runs import read_runs

OUTSIDE = ExternalJudge("order", "python:order:judge")
MODEL = ModelJudge("order", "support_desk", "local:m", view="whole-exhibit")


@pytest.fixture(scope="module")
def runs(balanced):
    return list(read_runs(balanced.folder.trajectories, balanced.folder.instances))


def delta_of(rule, drafts, instances, runs):
    """Return the Δ of an order judge that gets the runs in the order of a rule."""
    judge, flags = OrderJudge(), {}
    for block in rule.blocks(instances):
        own = chain.from_iterable(drafts[instance.instance_id] for instance in block)
        for draft in rule.ordered(own):
            flags[draft.run.trajectory_id] = judge(draft.request)["faulty"]
    parents = {run.trajectory_id: run.label.parent_id for run, _ in runs if run.label.faulty}
    return np.mean([int(flags[fault]) - flags[parent] for fault, parent in parents.items()])


def deltas(judge, runs, orders):
    instances = runs_by_instance(runs, with_digests=True)
    places = {run.trajectory_id: run for instance in instances for run in instance.runs}
    drafts = defaultdict(list)
    for request in plan_requests([JudgeAssignment(judge)], runs):
        document = {"goal": request.exhibit.goal, "rest": request.key.request_hash}
        prompt = tuple(message.content for message in request.request().messages)
        run: RunPlace = places[request.trajectory_id]
        drafts[request.instance_id].append(Draft(document, judge, request.key, prompt, run))
    return [delta_of(order.rule_of(judge), drafts, instances, runs) for order in orders]


def test_in_the_order_of_the_set_it_finds_something(runs):
    (delta,) = deltas(OUTSIDE, runs, [RequestOrder()])
    assert delta < -0.05


@pytest.mark.slow
@pytest.mark.parametrize("judge", [OUTSIDE, MODEL], ids=["outside", "model"])
def test_over_200_drawn_orders_its_mean_delta_is_within_a_hundredth(runs, judge):
    found = deltas(judge, runs, [RequestOrder(seed, 2) for seed in range(200)])
    assert abs(np.mean(found)) < 0.01
    assert np.std(found) < 0.03


def test_it_flags_what_differs_from_the_first_document_of_its_goal(runs):
    judge = OrderJudge()
    requests = plan_requests([JudgeAssignment(OUTSIDE)], runs[:50])
    documents = [document_of(request.exhibit) for request in requests]
    flags = [judge(document)["faulty"] for document in documents]
    assert 0 < sum(flags) < len(flags)
    assert not any(OrderJudge()(document)["faulty"] for document in documents)
