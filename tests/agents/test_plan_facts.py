"""What is kept of each attempt to plan, and how attempts are counted."""

import msgspec

from faultpair.agents.parse_plan import Attrition, NoPlan
from faultpair.agents.plan_facts import PlanFacts, facts_of_plan, summarise_plans
from faultpair.env.catalog import DOMAINS
from faultpair.env.plans.records import Tier
from faultpair.env.records import ModelTurn
from faultpair.env.workflow.instances import at_tier

RECORD = DOMAINS["workflow"].generate(3, 0)
PERFECT = {
    "tool_selection": 1.0,
    "parameter_structure": 1.0,
    "sequence": 1.0,
    "query_coverage": 1.0,
}
TURN = ModelTurn("x", 0, 1, "r", "p", "scripted", None, None, "[]")


def facts(planner="small", plan=RECORD.plan, scores=PERFECT, tier=Tier.EASY, turns=()):
    if isinstance(plan, NoPlan):
        scores = None
    return facts_of_plan(at_tier(RECORD, tier), planner, plan, scores, turns)


def lost(kind, **more):
    return facts(plan=NoPlan(kind, "so"), **more)


def test_facts_name_the_attempt_and_sum_what_it_cost():
    turns = [
        msgspec.structs.replace(TURN, prompt_tokens=900, completion_tokens=3, latency_s=0.5),
        msgspec.structs.replace(TURN, prompt_tokens=900, cached_tokens=800, latency_s=0.25),
    ]
    found = facts(tier=Tier.HARD, turns=turns)
    assert found.trajectory_id == f"{RECORD.record_id}-hard-small"
    assert found.instance_id == f"{RECORD.record_id}-hard"
    assert (found.topology, found.sector) == (RECORD.difficulty, RECORD.sector)
    assert (found.n_calls, found.scores, found.attrition) == (len(RECORD.plan), PERFECT, None)
    assert (found.prompt_tokens, found.cached_tokens, found.latency_s) == (1800, 800, 0.75)


def test_an_attempt_without_a_plan_has_no_scores_and_says_why():
    found = lost(Attrition.CUT_OFF)
    assert (found.n_calls, found.scores, found.attrition) == (0, None, "cut-off")


def test_facts_are_read_as_they_were_written():
    for found in (facts(), lost(Attrition.EMPTY)):
        assert msgspec.json.decode(msgspec.json.encode(found), type=PlanFacts) == found


def test_plans_are_counted_by_planner_and_lost_ones_by_kind_and_tier():
    small, large = summarise_plans(
        [
            facts(),
            facts("large", scores=PERFECT | {"sequence": 0.5}),
            lost(Attrition.NOT_JSON, tier=Tier.HARD),
            lost(Attrition.NOT_JSON),
            lost(Attrition.EMPTY),
        ]
    )
    assert (small.n_requests, small.n_plans, small.n_perfect) == (4, 1, 1)
    assert str(small).splitlines() == [
        "small: 1 plan of 4 requests, 1 perfect by the reference",
        "  no plan, empty: 1 (easy 1)",
        "  no plan, not-json: 2 (easy 1, hard 1)",
    ]
    assert str(large) == "large: 1 plan of 1 request, 0 perfect by the reference"
