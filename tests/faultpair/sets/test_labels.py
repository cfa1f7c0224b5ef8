"""The labels of plans: from the reference as printed, and from really running the plan."""

import pytest
from msgspec.structs import replace

from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Call
from faultpair.sets.labels import first_departure, label_plan

WORKFLOW = DOMAINS["workflow"]
A, B, C = (Call(name, {"x": 1}) for name in "abc")


def labelled(change, index=0):
    instance = WORKFLOW.generate(3, index)
    run, scores = label_plan(instance, change(instance.plan), "WFL-00000-easy-small")
    return run, scores, instance


def test_the_reference_is_without_fault_and_reaches_the_end_at_every_topology():
    for index in range(12):
        run, scores, instance = labelled(lambda plan: plan, index)
        assert set(scores.values()) == {1.0}
        label = run.label
        assert (label.faulty, label.failure_step, label.failure_type) == (False, None, None)
        assert label.outcome_correct
        assert run.end_state == WORKFLOW.required(instance)
        assert {(step.observation, step.thought) for step in run.steps} == {(None, "")}
        assert (run.trajectory_id, run.domain) == ("WFL-00000-easy-small", "workflow")


def test_a_plan_without_its_last_call_is_imperfect_and_loud():
    run, scores, instance = labelled(lambda plan: plan[:-1])
    label = run.label
    assert (label.faulty, label.failure_type) == (True, "imperfect_plan")
    assert label.failure_step == len(run.steps) - 1 == len(instance.plan) - 2
    assert not label.outcome_correct
    assert scores["query_coverage"] < 1


def test_a_wrong_value_is_beyond_the_reference_and_is_seen_by_the_outcome():
    def wrong(plan):
        name = next(iter(plan[0].args))
        return (replace(plan[0], args={**plan[0].args, name: "ZZ-1"}), *plan[1:])

    run, scores, _ = labelled(wrong)
    assert set(scores.values()) == {1.0}
    assert (run.label.faulty, run.label.outcome_correct) == (False, False)


def test_an_extra_call_at_the_end_is_imperfect_and_silent():
    def more(plan):
        return (*plan, Call("no_such_tool", {}))

    run, scores, instance = labelled(more)
    assert scores["tool_selection"] < 1
    label = run.label
    assert (label.faulty, label.failure_step) == (True, len(instance.plan))
    assert label.outcome_correct


@pytest.mark.parametrize(
    ("plan", "reference", "place"),
    [
        ((A, B), (A, B), None),
        ((A, Call("b", {"x": 2})), (A, B), None),
        ((B, A), (A, B), 0),
        ((A, C), (A, B), 1),
        ((A, Call("b", {"y": 1})), (A, B), 1),
        ((A,), (A, B), 0),
        ((A, B), (A, B, C), 1),
        ((A, B, C), (A, B), 2),
    ],
)
def test_a_plan_departs_at_the_first_call_of_another_structure(plan, reference, place):
    assert first_departure(plan, reference) == place
