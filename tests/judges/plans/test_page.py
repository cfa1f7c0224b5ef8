"""The page of a plan: what stands on it, in which order, how a tool and a call read."""

import pytest

from faultpair.env.plans.page import tool_line
from faultpair.env.plans.records import ToolSchema
from faultpair.env.records import Call, Step
from faultpair.judges.exhibit import exhibit_of
from faultpair.judges.plans.page import page_of


def test_a_page_holds_the_pool_the_request_and_the_plan_in_this_order(bench):
    instance = bench.record()
    exhibit = exhibit_of(bench.run(instance), instance)
    assert page_of(exhibit, with_reference=False) == (
        "TOOLS\n"
        "alpha(area: string) -> {alpha_result: number}: Do alpha.\n"
        "beta(load: string, day?: string) -> {beta_result: number}: Do beta.\n"
        "gamma(x: string) -> {gamma_result: number}: Do gamma.\n\n"
        "REQUEST\nQuery 1, easy.\n\n"
        "PLAN TO GRADE\n"
        '1. alpha {"area":"north"}\n'
        '2. beta {"area":"$alpha.alpha_result"}'
    )


def test_a_reference_plan_precedes_the_plan_to_grade(bench):
    instance = bench.record()
    exhibit = exhibit_of(bench.run(instance, ("gamma",)), instance, plan=bench.plan("beta"))
    page = page_of(exhibit, with_reference=True)
    assert page.endswith(
        'REFERENCE PLAN\n1. beta {"area":"north"}\n\nPLAN TO GRADE\n1. gamma {"area":"north"}'
    )
    assert "REFERENCE" not in page_of(exhibit, with_reference=False)


def test_a_reference_that_was_never_filled_in_is_a_bug(bench):
    instance = bench.record()
    with pytest.raises(ValueError, match="no reference plan"):
        page_of(exhibit_of(bench.run(instance), instance), with_reference=True)


def test_a_plan_without_calls_says_so(bench):
    instance = bench.record()
    page = page_of(exhibit_of(bench.run(instance, ()), instance), with_reference=False)
    assert page.endswith("PLAN TO GRADE\n(none)")


def test_nothing_of_a_step_but_its_call_is_on_the_page(bench):
    instance = bench.record()
    bare = exhibit_of(bench.run(instance), instance)
    run = bench.run(instance)
    thinking = tuple(Step(step.index, "SECRET", step.call, None, 5, 6) for step in run.steps)
    told = type(run)(
        run.trajectory_id, run.instance_id, run.goal, thinking, "SECRET", run.label, "workflow",
        {"delivered": ["SECRET"]},
    )  # fmt: skip
    shown = exhibit_of(told, instance)
    assert page_of(shown, with_reference=False) == page_of(bare, with_reference=False)


@pytest.mark.parametrize(
    ("schema", "type_"),
    [
        ({"type": "array", "items": {"type": "number"}}, "number[]"),
        ({"type": ["string", "null"]}, "string|null"),
        ({"type": "string", "enum": ["a", "b"]}, "string"),
        ({"type": "object", "properties": {"x": {"type": "integer"}}}, "{x: integer}"),
        ({"type": "array"}, "any[]"),
        ({}, "any"),
    ],
)
def test_types_are_written_short(schema, type_):
    tool = ToolSchema("t", "Two\n  lines.", {"properties": {"a": schema}}, {"type": "boolean"})
    assert tool_line(tool) == f"t(a?: {type_}) -> boolean: Two lines."


def test_arguments_of_a_call_read_as_json(bench):
    instance = bench.record(plan=(Call("alpha", {"area": ["a", 1, None, "é"]}),))
    page = page_of(exhibit_of(bench.run(instance), instance), with_reference=False)
    assert page.endswith('1. alpha {"area":["a",1,null,"é"]}')
