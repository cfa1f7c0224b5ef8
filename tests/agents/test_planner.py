"""The planner that is a model: what it is told, and what it is not."""

import json
import re

import pytest

from faultpair.agents.parse_plan import Attrition, NoPlan, read_plan
from faultpair.agents.planner import (
    PlannerSettings,
    plan_of,
    planner_prompt_hash,
    request_for,
    schema_of,
)
from faultpair.agents.prompts import plan_text
from faultpair.engines.engine import Reply
from faultpair.env.catalog import DOMAINS
from faultpair.env.plans.page import accepted, tool_line
from faultpair.env.plans.records import Tier
from faultpair.env.workflow.instances import TOPOLOGIES, at_tier
from faultpair.env.workflow.sectors import SECTORS

WORKFLOW = DOMAINS["workflow"]
PROMPT_HASH = "0569d08f400bf8628dc1116c504878c4058c52e4fb8c952a679bc2476832d509"
SETTINGS = PlannerSettings()


def records(n=12, tiers=tuple(Tier)):
    return [at_tier(WORKFLOW.generate(3, index), tier) for index in range(n) for tier in tiers]


def page(instance):
    return request_for(instance, SETTINGS).messages[1].content


def test_the_prompt_is_the_one_that_was_pinned():
    """A changed prompt makes another planner: its kept answers are of no use to it."""
    assert planner_prompt_hash() == PROMPT_HASH


def test_the_prompt_of_every_planner_is_short():
    """A small model makes about four tokens of three words, punctuation aside."""
    assert len(plan_text().split()) <= 225


def test_the_example_in_the_prompt_is_a_plan_of_tools_that_no_sector_has():
    example = read_plan(plan_text().splitlines()[-1])
    assert [call.tool for call in example] == ["find_coat", "carry_coat"]
    names = {tool.name for sector in SECTORS for tool in sector.tools}
    assert not names & {call.tool for call in example}


def test_it_is_shown_the_pool_and_the_request_and_nothing_else():
    for instance in records():
        system, user = request_for(instance, SETTINGS).messages
        assert (system.role, system.content) == ("system", plan_text())
        lines = [tool_line(tool, accepted) for tool in instance.tools]
        assert user.content == "\n".join(["TOOLS", *lines, "", "REQUEST", instance.goal])


def test_neither_plan_nor_topology_nor_tier_nor_sector_moves_a_byte_of_what_is_sent():
    one, other = records(2, (Tier.EASY,))
    disguised = type(one)(
        **{field: getattr(other, field) for field in one.__struct_fields__}
        | {"goal": one.goal, "tools": one.tools, "tier": Tier.HARD}
    )
    assert request_for(disguised, SETTINGS) == request_for(one, SETTINGS)


def test_no_name_of_topology_tier_or_sector_and_no_id_is_in_a_prompt():
    words = re.compile(rf"\b({'|'.join([*TOPOLOGIES, *Tier])})\b")
    for instance in records():
        sent = plan_text() + page(instance).replace(instance.goal, "")
        assert not words.search(sent)
        assert instance.sector not in page(instance)
        assert instance.record_id not in page(instance)
    assert not re.search("|".join(sector.name for sector in SECTORS), plan_text())


def test_the_tiers_of_a_record_share_all_but_the_request():
    easy, medium, hard = (page(instance).split("\n\nREQUEST\n") for instance in records(1))
    assert easy[0] == medium[0] == hard[0]
    assert len({easy[1], medium[1], hard[1]}) == 3


def test_the_settings_are_in_the_request():
    (instance,) = records(1, (Tier.EASY,))
    request = request_for(instance, PlannerSettings(0.7, 5, 99))
    assert (request.temperature, request.seed, request.max_tokens) == (0.7, 5, 99)
    assert request.json_schema == schema_of(instance.tools)


def test_the_schema_allows_eight_calls_to_tools_of_the_pool():
    (instance,) = records(1, (Tier.EASY,))
    schema = schema_of(instance.tools)
    assert (schema["type"], schema["maxItems"]) == ("array", 8)
    call = schema["items"]
    assert list(call["properties"]) == call["required"] == ["tool", "args"]
    assert call["properties"]["tool"]["enum"] == [tool.name for tool in instance.tools]
    assert call["properties"]["args"]["type"] == "object"


def test_an_answer_is_read_as_a_plan_and_asked_for_once():
    (instance,) = records(1, (Tier.EASY,))
    asked = []

    def complete(request):
        asked.append(request)
        return Reply(json.dumps([{"tool": c.tool, "args": c.args} for c in instance.plan]))

    assert plan_of(instance, complete, SETTINGS) == instance.plan
    assert asked == [request_for(instance, SETTINGS)]


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (None, Attrition.TOO_LONG),
        (Reply('[{"tool": ', finish_reason="length"), Attrition.CUT_OFF),
        (Reply("No."), Attrition.NOT_JSON),
    ],
)
def test_the_reason_for_no_plan_is_given(reply, kind):
    (instance,) = records(1, (Tier.EASY,))
    found = plan_of(instance, lambda request: reply, SETTINGS)
    assert isinstance(found, NoPlan)
    assert found.kind is kind
