"""Verdicts from kept exchanges, and votes on several of them."""

import msgspec
import pytest

from faultpair.env.records import Exchange, TokenChoice, Verdict
from faultpair.judges.model_judge import SPECIMEN, ModelJudge
from faultpair.runner.requests import JudgeRequest
from faultpair.runner.verdicts import known_verdicts, settled_verdict, votes_on
from faultpair.studies.exchanges import ExchangeLog, RequestKey
from faultpair.studies.spec import VoteSpec

JUDGE = ModelJudge("j", "toy", "scripted:own")
ASK = JudgeRequest(JUDGE, "t1", "i1", SPECIMEN, RequestKey("j", 1, 2, "r"))
TEXT = (
    '{"reasoning":"So.","faulty":true,"failure_step":1,"failure_type":"wrong_tool",'
    '"confidence":0.8}'
)
COUNTS = {"prompt_tokens": 70, "completion_tokens": 20, "latency_s": 1.5}


def exchange(trajectory_id="t1", **what):
    return Exchange(trajectory_id, "j", 1, 2, 1, "r", "p", "local", "v1", "d1", **what)


def verdict(faulty, *, repeat=0, sample=0, step=None, kind=None, unscored=None):
    return Verdict(
        "t", "j", faulty, step, kind, 0.9, "", 0.5, 10, 5, view="full-steps", task="check-steps",
        engine="local", sample=sample, repeat=repeat, unscored=unscored,
    )  # fmt: skip


def vote(*cast, k=3, rule="majority"):
    (outcome,) = votes_on(cast, VoteSpec(id="v", of="j", k=k, rule=rule))
    return outcome


def test_an_answer_becomes_a_verdict_with_all_that_it_cost():
    decision = TokenChoice("true", -0.1, (("true", -0.1), ("false", -2.4)))
    made = settled_verdict(ASK, exchange(text=TEXT, decision=decision, **COUNTS))
    assert (made.trajectory_id, made.judge_id, made.sample, made.repeat) == ("t1", "j", 1, 2)
    assert (made.faulty, made.failure_step, made.failure_type) == (True, 1, "wrong_tool")
    assert (made.confidence, made.rationale, made.unscored) == (0.8, "So.", None)
    assert (made.latency_s, made.prompt_tokens, made.completion_tokens) == (1.5, 70, 20)
    assert (made.engine, made.engine_version, made.model_digest) == ("local", "v1", "d1")
    assert (made.view, made.task, made.prompt_hash) == ("full-steps", "check-steps", "p")
    assert made.score == pytest.approx(0.909, abs=0.001)
    assert made.shared_from is None


def test_a_shared_answer_costs_nothing_and_says_whose_it_was():
    made = settled_verdict(ASK, exchange("t0", text=TEXT, **COUNTS))
    assert (made.trajectory_id, made.faulty, made.shared_from) == ("t1", True, "t0")
    assert (made.latency_s, made.prompt_tokens, made.completion_tokens) == (0.0, 0, 0)


@pytest.mark.parametrize(
    ("what", "reason", "error"),
    [
        ({"text": "I would rather not"}, "the answer is not JSON", None),
        ({"error": "gone"}, "no answer came", "gone"),
        ({"unsent": "the prompt has 9 tokens"}, "the prompt has 9 tokens", None),
    ],
)
def test_without_a_readable_answer_a_verdict_is_unscored_with_the_reason(what, reason, error):
    made = settled_verdict(ASK, exchange(**what))
    assert (made.faulty, made.confidence, made.score) == (None, None, None)
    assert (made.unscored, made.error) == (reason, error)


def test_only_what_is_settled_is_known():
    ledger = ExchangeLog(None)
    other = JudgeRequest(JUDGE, "t2", "i2", SPECIMEN, RequestKey("j", 0, 0, "r"))
    ledger.note(exchange(text=TEXT))
    assert [one.trajectory_id for one in known_verdicts([ASK, other], (), ledger)] == ["t1"]


def test_an_answer_whose_run_has_left_the_set_belongs_to_the_first_that_shares_it():
    ledger = ExchangeLog(None)
    ledger.note(exchange("t0", text=TEXT, **COUNTS))
    second = JudgeRequest(JUDGE, "t2", "i2", SPECIMEN, ASK.asked)
    first, shared = known_verdicts([ASK, second], (), ledger)
    assert (first.shared_from, first.prompt_tokens) == (None, 70)
    assert (shared.shared_from, shared.prompt_tokens) == ("t1", 0)


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
