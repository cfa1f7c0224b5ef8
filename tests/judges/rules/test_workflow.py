"""The rules of plans: silent on what is right, and on each fault what they can and cannot tell."""

from functools import cache

import msgspec
import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.injector.catalog import BUILT_IN
from faultpair.injector.inject import edit_stream, inject
from faultpair.judges.exhibit import exhibit_of
from faultpair.judges.rules.workflow import RULES
from faultpair.oracle.catalog import clean_run

DOMAIN = DOMAINS["workflow"]
TYPES = BUILT_IN["workflow"].values()

ALWAYS_SEEN = {
    "missing_call": {"missing_call"},
    "duplicate_call": {"duplicate_call"},
    "missing_argument": {"missing_argument"},
    "extra_argument": {"extra_argument"},
    "renamed_argument": {"renamed_argument"},
    "dependent_calls_swapped": {"dependent_calls_swapped"},
    "used_before_computed": {"dependent_calls_swapped"},
}
"""The faults that request and pool give away wherever they are, and what they are called."""


@cache
def records():
    made = [DOMAIN.generate(3, index) for index in range(60)]
    return [(instance, clean_run(DOMAIN, instance)) for instance in made]


def findings(fault):
    """Yield what the rules say of each plan that a fault makes, and its label."""
    for instance, parent in records():
        for site in fault.sites(instance, parent):
            rng = edit_stream(3, instance, fault, site)
            run = inject(DOMAIN, instance, parent, fault, site, rng=rng)
            yield RULES.judge(exhibit_of(run, instance)), run.label


def test_they_are_silent_on_the_plans_of_the_oracle():
    assert not any(RULES.judge(exhibit_of(run, made)).faulty for made, run in records())


@pytest.mark.parametrize("control", [f for f in TYPES if f.is_control], ids=lambda f: f.name)
def test_they_are_silent_on_a_control(control):
    assert not any(finding.faulty for finding, _ in findings(control))


@pytest.mark.parametrize("name", ALWAYS_SEEN)
def test_they_see_a_fault_that_breaks_the_form_of_a_plan(name):
    found = list(findings(BUILT_IN["workflow"][name]))
    assert {finding.failure_type for finding, _ in found} == ALWAYS_SEEN[name]


@pytest.mark.parametrize("name", ["missing_argument", "extra_argument", "renamed_argument"])
def test_they_name_the_step_of_a_wrong_argument(name):
    found = list(findings(BUILT_IN["workflow"][name]))
    assert found
    assert all(finding.failure_step == label.failure_step for finding, label in found)


@pytest.mark.parametrize("name", ["irrelevant_call", "sub_goal_uncovered", "wrong_tool_chosen"])
def test_rules_find_a_fault_of_meaning_only_at_some_sites(name):
    assert {finding.faulty for finding, _ in findings(BUILT_IN["workflow"][name])} == {True, False}


def test_an_exhibit_shows_no_value_assignment_and_no_plan():
    for instance, run in records():
        exhibit = exhibit_of(run, instance)
        rest = msgspec.structs.replace(exhibit, steps=(), tools=())
        told = msgspec.json.encode(rest).decode()
        assert exhibit.given == {"stated": instance.stated}
        for name in {call.tool for call in instance.plan}:
            assert name not in told
        for hidden in (instance.sector, instance.record_id, instance.difficulty):
            assert hidden not in told


@pytest.mark.parametrize("key", ["properties", "required"])
@pytest.mark.parametrize("value", [3, "x", None, [["x"]]])
def test_a_schema_that_is_none_names_nothing(key, value):
    instance, run = records()[0]
    broken = {key: value}
    tools = tuple(
        msgspec.structs.replace(tool, parameters=broken, returns=broken) for tool in instance.tools
    )
    odd = msgspec.structs.replace(instance, tools=tools)
    assert {name for tool in tools for name in tool.known | tool.required} == set()
    finding = RULES.judge(exhibit_of(run, odd))
    assert finding.failure_type == "extra_argument"
