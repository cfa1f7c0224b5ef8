"""What is kept of a model's episodes beyond their labels, and how they are counted."""

import msgspec
import pytest

from faultpair.agents.episode_facts import Ending, facts_of, summarise
from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Call, Label, ModelTurn, Observation, Step
from faultpair.oracle.catalog import clean_run

DESK = DOMAINS["support_desk"]
TURN = ModelTurn("x", 0, 1, "r", "p", "scripted", None, None)


def facts(run=None, *turns, rule_fired=False):
    """Return the facts of a run of the first instance, the oracle's if none is given."""
    instance = DESK.generate(0, 0)
    return facts_of(DESK, instance, run or clean_run(DESK, instance), turns, rule_fired=rule_fired)


def changed(**changes):
    return msgspec.structs.replace(clean_run(DESK, DESK.generate(0, 0)), **changes)


def test_facts_of_a_run_by_the_oracle():
    said = facts()
    assert (said.reply_is_oracles, said.is_confirmed, said.ended) == (True, True, Ending.REPLY)
    assert (said.scenario, said.faulty, said.labelled_by) == ("happy", False, None)


def test_one_byte_makes_another_reply():
    run = changed()
    assert not facts(changed(final_answer=run.final_answer + " ")).reply_is_oracles


def test_without_a_reply_nothing_is_said_of_the_amount():
    assert facts(changed(final_answer="", steps=())).is_confirmed is None


def test_without_a_refund_nothing_is_said_of_the_amount():
    end_state = {"action": "escalate", "amount_eur": None}
    assert facts(changed(end_state=end_state)).is_confirmed is None


@pytest.mark.parametrize(
    ("steps", "turn", "ended"),
    [
        ((), {"unreadable": "it is empty"}, Ending.UNREADABLE),
        ((), {"unsent": "it does not fit"}, Ending.TOO_LONG),
        ((), {"text": "{}"}, Ending.TURN_LIMIT),
    ],
)
def test_the_last_turn_determines_how_an_episode_ended(steps, turn, ended):
    assert facts(changed(steps=steps), msgspec.structs.replace(TURN, **turn)).ended is ended


def test_a_reply_that_was_refused_is_no_ending():
    refused = Step(0, "", Call("reply", {"text": 5}), Observation(False, {}, "no"))
    assert facts(changed(steps=(refused,))).ended is Ending.TURN_LIMIT
    assert facts(changed(steps=(refused,))).n_refused == 1


def test_tokens_and_seconds_are_summed_and_unreadable_answers_counted():
    turns = [
        msgspec.structs.replace(TURN, unreadable="x", prompt_tokens=5, latency_s=0.25),
        msgspec.structs.replace(TURN, prompt_tokens=7, completion_tokens=2, latency_s=0.5),
    ]
    said = facts(None, *turns)
    assert (said.n_unreadable, said.prompt_tokens, said.completion_tokens) == (1, 12, 2)
    assert said.latency_s == 0.75


def test_the_label_names_its_source():
    run = changed(label=Label(True, 1, "premature_stop", False))
    assert facts(run).labelled_by == "outcome"
    assert facts(run, rule_fired=True).labelled_by == "rule"


def test_a_domain_without_money_has_nothing_to_confirm():
    toy = DOMAINS["toy"]
    instance = toy.generate(0, 0)
    said = facts_of(toy, instance, clean_run(toy, instance), (), rule_fired=False)
    assert said.is_confirmed is None


def test_the_summary_counts_by_kind_and_outcome():
    clean = facts()
    silent = msgspec.structs.replace(clean, faulty=True, failure_type="skipped_precondition")
    loud = msgspec.structs.replace(
        clean, faulty=True, failure_type="premature_stop", outcome_correct=False,
        is_confirmed=None, reply_is_oracles=False, ended=Ending.TURN_LIMIT, n_unreadable=3,
    )  # fmt: skip
    summary = summarise([clean, silent, loud, loud], confirmation=DESK.dialogue.confirmation)
    assert (summary.n_episodes, summary.n_faulty, summary.n_silent, summary.n_loud) == (4, 3, 1, 2)
    assert summary.by_kind == {"premature_stop": (0, 2), "skipped_precondition": (1, 0)}
    assert (summary.n_confirmed, summary.n_to_confirm) == (2, 2)
    assert "refund replies that state the refunded amount: 2 of 2" in str(summary)
    assert (summary.n_replies, summary.n_oracles_reply, summary.n_unreadable) == (2, 2, 6)
    assert summary.ended[Ending.TURN_LIMIT] == 2


def test_a_summary_of_nothing_counts_nothing():
    assert summarise([]).n_episodes == 0


def test_one_episode_is_summarised_in_the_singular():
    assert str(summarise([facts()])).startswith("1 episode, 0 faulty")
    assert str(summarise([facts(), facts()])).startswith("2 episodes, 0 faulty")
