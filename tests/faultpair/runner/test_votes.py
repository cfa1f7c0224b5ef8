"""Votes on several passes of a judge."""

import msgspec
import pytest

from faultpair.env.records import Verdict
from faultpair.runner.votes import votes_on
from faultpair.studies.spec import VoteSpec


def verdict(faulty, *, repeat=0, sample=0, step=None, kind=None, unscored=None):
    return Verdict(
        "t", "j", faulty, step, kind, 0.9, "", 0.5, 10, 5, view="full-steps", task="check-steps",
        engine="local", sample=sample, repeat=repeat, unscored=unscored,
    )  # fmt: skip


def vote(*cast, k=3, rule="majority"):
    (outcome,) = votes_on(cast, VoteSpec(id="v", of="j", k=k, rule=rule))
    return outcome


@pytest.mark.parametrize(
    ("flags", "rule", "faulty", "confidence"),
    [
        ((True, True, False), "majority", True, 2 / 3),
        ((True, False, False), "majority", False, 2 / 3),
        ((True, True, True), "majority", True, 1.0),
        ((True, False, False), "any", True, 0.5),
        ((False, False, False), "any", False, 1.0),
        ((True, True, False, False), "majority", False, 0.5),
    ],
)
def test_a_vote_counts_its_passes(flags, rule, faulty, confidence):
    cast = [verdict(flag, repeat=number) for number, flag in enumerate(flags)]
    outcome = vote(*cast, k=len(flags), rule=rule)
    assert (outcome.faulty, outcome.score) == (faulty, sum(flags) / len(flags))
    assert outcome.confidence == pytest.approx(confidence)
    assert outcome.rationale == f"{sum(flags)} of {len(flags)} passes flag the run"


def test_a_vote_takes_the_first_passes_in_their_order_and_adds_up_what_they_cost():
    cast = [verdict(False, repeat=2), verdict(True, repeat=0), verdict(True, repeat=1)]
    outcome = vote(*cast, k=2)
    assert outcome.faulty
    assert (outcome.latency_s, outcome.prompt_tokens, outcome.completion_tokens) == (1.0, 20, 10)
    assert (outcome.judge_id, outcome.engine, outcome.view) == ("v", "local", "full-steps")


def test_step_and_type_of_a_vote_are_those_named_most_the_first_of_several():
    cast = [
        verdict(True, repeat=0, step=3, kind="a"),
        verdict(True, repeat=1, step=2, kind="b"),
        verdict(True, repeat=2, step=2, kind="c"),
        verdict(False, repeat=3, step=None),
    ]
    outcome = vote(*cast, k=4)
    assert (outcome.failure_step, outcome.failure_type) == (2, "a")


def test_a_vote_with_an_unscored_pass_is_unscored():
    outcome = vote(verdict(True), verdict(None, repeat=1, unscored="cut"), verdict(True, repeat=2))
    assert (outcome.faulty, outcome.confidence, outcome.score) == (None, None, None)
    assert outcome.unscored == "a pass of the vote is unscored"


def test_a_vote_waits_for_its_passes():
    assert not list(votes_on([verdict(True)], VoteSpec(id="v", of="j", k=2)))
    passes = [verdict(True), msgspec.structs.replace(verdict(True), trajectory_id="u")]
    assert not list(votes_on(passes, VoteSpec(id="v", of="j", k=2)))


def test_a_later_pass_does_not_vote_in_place_of_an_open_one():
    cast = [verdict(True), verdict(True, repeat=2)]
    assert not list(votes_on(cast, VoteSpec(id="v", of="j", k=2)))
    samples = [verdict(True), msgspec.structs.replace(verdict(True), sample=1)]
    assert list(votes_on(samples, VoteSpec(id="v", of="j", k=2), samples=2))
