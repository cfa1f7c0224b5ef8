"""The variants side by side, on plans on which they part."""

import pytest

from faultpair.env.errors import RecordError
from faultpair.env.plans.records import ToolSchema
from faultpair.env.records import Call
from faultpair.judges.plan_metrics.variants import VARIANTS, GroundTruthPlan

PLAN = (
    Call("get_load", {"feeder": "FD-3"}),
    Call("get_limit", {"feeder": "FD-3"}),
    Call("compare", {"load": "$get_load.load", "limit": "$get_limit.limit"}),
)


def tool(name: str, *required: str, optional: tuple[str, ...] = ()) -> ToolSchema:
    keys = {key: {"type": "string"} for key in (*required, *optional)}
    schema = {"type": "object", "properties": keys, "required": list(required)}
    return ToolSchema(name, "", schema, {})


TOOLS = (
    tool("get_load", "feeder", optional=("day",)),
    tool("read_load", "feeder", optional=("day",)),
    tool("get_limit", "feeder"),
    tool("compare", "load", "limit"),
)
TRUTH = GroundTruthPlan.of(PLAN, TOOLS, {"read_load": "get_load"})
LIKE_THE_LAST = Call("compare", {"load": "$read_load.load", "limit": "$get_limit.limit"})


def scored(*calls: Call) -> dict[str, tuple[float, ...]]:
    """Return the scores of a plan under every variant."""
    return {name: scorer(calls, TRUTH).values for name, scorer in VARIANTS.items()}


def test_every_variant_gives_the_reference_full_marks():
    assert set(scored(*PLAN).values()) == {(1, 1, 1, 1)}


def test_siblings_swapped_cost_something_only_by_position():
    scores = scored(PLAN[1], PLAN[0], PLAN[2])
    assert scores["printed"] == scores["schema"] == (1, 1, 1 / 3, 1)
    assert scores["dependency"] == scores["corrected"] == (1, 1, 1, 1)


def test_an_optional_argument_costs_something_only_by_the_printed_keys():
    scores = scored(Call("get_load", {"feeder": "FD-3", "day": "2026-03-18"}), *PLAN[1:])
    assert scores["printed"] == scores["dependency"] == (1, 2.5 / 3, 1, 1)
    assert scores["schema"] == scores["corrected"] == scores["upper_bound"] == (1, 1, 1, 1)


def test_an_argument_that_no_tool_knows_is_credited_only_by_the_upper_bound():
    scores = scored(Call("get_load", {"feeder": "FD-3", "phase": 2}), *PLAN[1:])
    assert scores["printed"][1] == scores["schema"][1] == scores["corrected"][1] == 2.5 / 3
    assert scores["upper_bound"][1] == 1


def test_an_equivalent_tool_costs_nothing_where_the_domain_declares_it():
    scores = scored(Call("read_load", {"feeder": "FD-3"}), PLAN[1], LIKE_THE_LAST)
    assert scores["printed"] == (1 - 2 / 3, 2 / 3, 2 / 3, 2 / 3)
    assert scores["equivalence"] == scores["corrected"] == (1, 1, 1, 1)


def test_a_reference_outside_its_pool_is_refused_by_name():
    with pytest.raises(RecordError, match="'compare', which the pool of tools does not hold"):
        GroundTruthPlan.of(PLAN, TOOLS[:3])


def test_the_printed_scores_come_first():
    assert next(iter(VARIANTS)) == "printed"
