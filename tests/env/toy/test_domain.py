"""The cloakroom: tiny, and a whole domain."""

import inspect
import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultpair.env.catalog import DOMAINS
from faultpair.env.kernel import Action, replay, run_episode
from faultpair.env.records import Call
from faultpair.env.toy import domain as toy
from faultpair.injector.catalog import faults_of
from faultpair.judges.catalog import judges_of
from faultpair.oracle.catalog import ORACLES, clean_run

CLOAKROOM = DOMAINS["toy"]


def test_it_is_shorter_than_150_lines():
    assert len(inspect.getsource(toy).splitlines()) < 150


def test_it_has_three_tools_and_a_part_in_every_room():
    assert len(CLOAKROOM.tools) == 3
    assert "toy" in ORACLES
    assert {fault.is_control for fault in faults_of("toy")} == {True, False}
    assert "rules" in judges_of("toy")


def test_scenarios_take_turns():
    made = [CLOAKROOM.generate(3, index) for index in range(6)]
    assert [instance.difficulty for instance in made] == ["found", "missing"] * 3
    assert [instance.coat is None for instance in made] == [False, True] * 3


@pytest.mark.parametrize("index", range(8))
def test_a_coat_is_handed_over_if_it_is_there(index):
    instance = CLOAKROOM.generate(3, index)
    run = clean_run(CLOAKROOM, instance)
    assert run.label.outcome_correct
    assert run.end_state == {"handed_over": instance.coat}
    assert ("Here is the coat" in run.final_answer) == (instance.coat is not None)


def test_a_coat_can_be_handed_over_without_looking():
    instance = CLOAKROOM.generate(3, 0)
    agent = replay([Action(Call("hand_over", {"coat": instance.coat}))])
    assert run_episode(CLOAKROOM, instance, agent).end_state == {"handed_over": instance.coat}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.sampled_from(["find_coat", "hand_over", "reply", "sing"]) | st.text(),
    st.dictionaries(st.sampled_from(["ticket", "coat", "text"]) | st.text(), JSON, max_size=3),
    st.integers(0, 3),
)
def test_the_cloakroom_answers_any_call(tool, args, index):
    episode = run_episode(
        CLOAKROOM, CLOAKROOM.generate(3, index), replay([Action(Call(tool, args))])
    )
    (step,) = episode.steps
    assert step.observation.ok == (step.observation.error is None)
    json.loads(msgspec.json.encode(step))
