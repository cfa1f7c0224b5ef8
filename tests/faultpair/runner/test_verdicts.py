"""Verdicts from kept exchanges."""

import pytest

from faultpair.env.records import Exchange, TokenChoice
from faultpair.judges.model_judge import SPECIMEN, ModelJudge
from faultpair.runner.requests import JudgeRequest, RequestState
from faultpair.runner.verdicts import known_verdicts, settled_verdict
from faultpair.studies.exchanges import ExchangeLog, RequestKey

JUDGE = ModelJudge("j", "toy", "scripted:own")
ASK = JudgeRequest(JUDGE, "t1", "i1", lambda: SPECIMEN, RequestKey("j", 1, 2, "r"))
TEXT = (
    '{"reasoning":"So.","faulty":true,"failure_step":1,"failure_type":"wrong_tool",'
    '"confidence":0.8}'
)
COUNTS = {"prompt_tokens": 70, "completion_tokens": 20, "latency_s": 1.5}


def exchange(trajectory_id="t1", **what):
    return Exchange(trajectory_id, "j", 1, 2, 1, "r", "p", "local", "v1", "d1", **what)


def known(requests, log):
    return known_verdicts([RequestState.of(request, log) for request in requests], ())


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


def test_only_settled_requests_have_a_verdict():
    ledger = ExchangeLog(None)
    other = JudgeRequest(JUDGE, "t2", "i2", lambda: SPECIMEN, RequestKey("j", 0, 0, "r"))
    ledger.note(exchange(text=TEXT))
    assert [one.trajectory_id for one in known([ASK, other], ledger)] == ["t1"]


def test_an_answer_whose_run_has_left_the_set_belongs_to_the_first_that_shares_it():
    ledger = ExchangeLog(None)
    ledger.note(exchange("t0", text=TEXT, **COUNTS))
    second = JudgeRequest(JUDGE, "t2", "i2", lambda: SPECIMEN, ASK.key)
    first, shared = known([ASK, second], ledger)
    assert (first.shared_from, first.prompt_tokens) == (None, 70)
    assert (shared.shared_from, shared.prompt_tokens) == ("t1", 0)
