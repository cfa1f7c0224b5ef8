"""The workflow domain: sound records, and what of a plan counts as reaching the end."""

from collections import Counter

import msgspec
import pytest
from msgspec.structs import replace

from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import RecordError
from faultpair.env.kernel import Action, replay, run_episode
from faultpair.env.plans.records import Tier
from faultpair.env.records import Call
from faultpair.env.workflow.domain import refuse_unsound
from faultpair.env.workflow.instances import at_tier
from faultpair.env.workflow.sectors import SECTORS, SECTORS_BY_NAME

WORKFLOW = DOMAINS["workflow"]
RECORDS = [WORKFLOW.generate(5, index) for index in range(60)]


def end_of(instance, calls):
    return run_episode(WORKFLOW, instance, replay([Action(call) for call in calls])).end_state


def test_clauses_are_numbered_from_1_on():
    numbers = [clause.number for clause in WORKFLOW.procedure]
    assert numbers == list(range(1, len(numbers) + 1))


def test_every_tool_of_every_sector_is_listed_once():
    names = Counter(tool.name for tool in WORKFLOW.tools)
    assert max(names.values()) == 1
    assert {schema.name for record in RECORDS for schema in record.tools} <= set(names)


def test_the_scenario_of_a_record_is_its_topology():
    for index, record in enumerate(RECORDS):
        assert WORKFLOW.scenario(index) == record.difficulty


def test_the_plan_of_a_record_reaches_the_required_end_and_less_of_it_does_not():
    for record in RECORDS:
        required = WORKFLOW.required(record)
        assert required["delivered"]
        assert end_of(record, record.plan) == required
        assert WORKFLOW.reached(record, required)
        assert not WORKFLOW.reached(record, end_of(record, record.plan[:-1]))
        assert not WORKFLOW.reached(record, {})


def test_a_superfluous_call_leaves_the_end_as_it_is():
    for record in RECORDS:
        calls = [Call("no_such_tool", {}), *record.plan]
        assert WORKFLOW.reached(record, end_of(record, calls))


def test_an_episode_has_no_dialogue_and_no_reply():
    record = RECORDS[0]
    episode = run_episode(WORKFLOW, record, replay([Action(call) for call in record.plan]))
    assert WORKFLOW.dialogue is None
    assert episode.final_answer == ""
    assert {(step.thought, step.observation) for step in episode.steps} == {("", None)}


def test_tools_of_one_answer_go_by_one_name():
    twins = [tool for sector in SECTORS for tool in sector.tools if tool.same_as is not None]
    assert twins
    for record in RECORDS:
        canonical = WORKFLOW.plans.canonical(record)
        own = {t.name for t in SECTORS_BY_NAME[record.sector].tools}
        assert canonical == {t.name: t.same_as for t in twins if t.name in own}
    assert WORKFLOW.plans.canonical(msgspec.structs.replace(RECORDS[0], sector="elsewhere")) == {}


def test_all_tiers_of_a_record_require_the_same():
    for record in RECORDS[:10]:
        ends = [WORKFLOW.required(at_tier(record, tier)) for tier in Tier]
        assert ends == ends[:1] * 3


def test_a_record_whose_plan_does_not_hold_together_is_refused_by_name():
    record = RECORDS[7]
    garbled = replace(record, plan=record.plan[::-1])
    with pytest.raises(RecordError) as refused:
        refuse_unsound(garbled)
    assert str(refused.value).startswith("The plan of record WFL-00007 does not hold together:\n")
    assert "is refused: " in str(refused.value)


def test_a_generated_record_is_checked(monkeypatch):
    def garbled(seed, index, topology, world):
        return replace(RECORDS[index], plan=RECORDS[index].plan[::-1])

    monkeypatch.setattr("faultpair.env.workflow.domain.generate", garbled)
    with pytest.raises(RecordError, match="record WFL-00007"):
        WORKFLOW.generate(5, 7)
