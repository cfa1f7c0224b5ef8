"""The kernel: time passes, steps are noted, replies are found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultpair.env.catalog import DOMAINS
from faultpair.env.kernel import Action, Episode, replay, run_episode
from faultpair.env.records import Call
from faultpair.oracle.catalog import ORACLES, clean_run

CLOAKROOM = DOMAINS["toy"]
TICKET = CLOAKROOM.generate(0, 0)
FIND = Call("find_coat", dict(TICKET.given))
LOOK_ELSEWHERE = Call("find_coat", {"ticket": -1})


def say(text):
    return Call("reply", {"text": text})


def run(*calls, last_word=None):
    return run_episode(CLOAKROOM, TICKET, replay([Action(call) for call in calls], last_word))


OBSERVED = [domain for domain in DOMAINS.values() if domain.plans is None]
PLANNED = [domain for domain in DOMAINS.values() if domain.plans is not None]


@pytest.mark.parametrize("domain", DOMAINS.values(), ids=list(DOMAINS))
def test_steps_are_numbered(domain):
    for index in range(30):
        steps = clean_run(domain, domain.generate(1, index)).steps
        assert [step.index for step in steps] == list(range(len(steps)))


@pytest.mark.parametrize("domain", OBSERVED, ids=lambda domain: domain.name)
def test_each_step_starts_when_the_one_before_ends(domain):
    for index in range(30):
        steps = clean_run(domain, domain.generate(1, index)).steps
        assert steps[0].start_s == 0
        assert [step.start_s for step in steps[1:]] == [step.end_s for step in steps[:-1]]
        assert all(step.start_s < step.end_s for step in steps)


@pytest.mark.parametrize("domain", PLANNED, ids=lambda domain: domain.name)
def test_a_plan_holds_only_calls_though_the_world_has_answered_them(domain):
    instance = domain.generate(1, 0)
    thinking = [Action(call, "Hm.") for call in instance.plan]
    episode = run_episode(domain, instance, replay(thinking))
    for step in episode.steps:
        assert (step.thought, step.observation, step.start_s, step.end_s) == ("", None, None, None)
    assert episode.final_answer == ""
    assert domain.reached(instance, episode.end_state)


@pytest.mark.parametrize("domain", PLANNED, ids=lambda domain: domain.name)
def test_a_planner_is_not_shown_the_results_of_calls(domain):
    seen = []

    def plan():
        seen.append((yield Action(instance.plan[0])))

    instance = domain.generate(1, 0)
    run_episode(domain, instance, plan())
    assert [step.observation for step in seen] == [None]


@pytest.mark.parametrize("domain", DOMAINS.values(), ids=list(DOMAINS))
def test_a_replay_of_a_run_is_the_run(domain):
    for index in range(30):
        instance = domain.generate(1, index)
        kept = clean_run(domain, instance)
        again = run_episode(domain, instance, replay([Action(step.call) for step in kept.steps]))
        assert again == Episode(kept.steps, kept.final_answer, kept.end_state)


@pytest.mark.parametrize("domain", DOMAINS.values(), ids=list(DOMAINS))
def test_an_episode_leaves_nothing_behind_for_the_next(domain):
    instance = domain.generate(1, 0)
    first, second = (
        run_episode(domain, instance, ORACLES[domain.name](instance)) for _ in range(2)
    )
    assert first == second


@given(st.lists(st.sampled_from([FIND, LOOK_ELSEWHERE, say("a"), say("b")]), max_size=12))
def test_a_step_depends_on_no_call_after_it(calls):
    whole = run(*calls).steps
    for n in range(len(calls)):
        assert run(*calls[:n]).steps == whole[:n]


def test_the_last_reply_that_was_sent_is_the_final_answer():
    assert run(say("one"), say("two"), FIND).final_answer == "two"
    assert run(say("one"), Call("reply", {"text": 7})).final_answer == "one"
    assert run(say("")).final_answer == ""


def test_without_a_reply_the_last_word_is_the_final_answer():
    assert run(FIND, last_word="Later.").final_answer == "Later."
    assert run(FIND).final_answer == ""
    assert run().steps == ()


def test_a_reply_outweighs_a_last_word():
    assert run(say("Sent."), last_word="Only thought.").final_answer == "Sent."


def test_an_agent_may_bring_a_thought_of_its_own():
    (step, other) = run_episode(
        CLOAKROOM, TICKET, replay([Action(FIND, "Hm."), Action(FIND)])
    ).steps
    assert step.thought == "Hm."
    assert other.thought == CLOAKROOM.dialogue.thought(TICKET, "find_coat", 2)


def test_a_bug_in_an_agent_raises():
    def broken():
        yield Action(FIND)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_episode(CLOAKROOM, TICKET, broken())
