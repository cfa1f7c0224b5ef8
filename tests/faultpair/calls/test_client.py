"""One request: whether it is sent, how often, after which pauses, and how each attempt ends."""

import time

import pytest

from faultpair.calls.client import Attempt, CallBudget, RetryPolicy, record_fields
from faultpair.engines.engine import Identity, Reply
from faultpair.env.errors import EngineError

from ...fake_engine import FakeEngine
from .conftest import IMPATIENT, busy, client, failing, request


def attempts(engine, n_words=1, **options):
    """Return the attempts at one request, each kept as it ends."""
    asking, kept = client(engine, parallel=2, **options), []
    for attempt in asking.attempts(request(n_words=n_words)):
        kept.append(attempt)
        asking.limiter.release()
    return kept


def test_a_reply_is_final():
    (attempt,) = attempts(FakeEngine("Yes."))
    assert (attempt.number, attempt.reply.text, attempt.is_final) == (1, "Yes.", True)


def test_a_passing_failure_is_tried_again_and_every_attempt_is_yielded():
    engine = FakeEngine(fail=failing(busy(), busy()))
    assert [(one.number, one.error, one.is_final) for one in attempts(engine)] == [
        (1, "busy", False), (2, "busy", False), (3, None, True),
    ]  # fmt: skip
    assert engine.n_calls == 3


def test_the_last_of_the_allowed_attempts_is_final():
    kept = attempts(FakeEngine(fail=lambda n: busy()))
    assert [(one.number, one.is_final) for one in kept] == [(1, False), (2, False), (3, True)]


def test_a_permanent_failure_is_not_tried_again():
    (attempt,) = attempts(FakeEngine(fail=lambda n: EngineError("no such model")))
    assert (attempt.error, attempt.is_final) == ("no such model", True)


def test_attempts_are_counted_on_from_those_of_earlier_runs():
    asking = client(FakeEngine(fail=failing(busy())), parallel=2)
    assert [one.number for one in asking.attempts(request(), n_attempts=4)] == [5, 6]


def test_pauses_double_up_to_the_longest():
    policy = RetryPolicy(pause_s=1.0, longest_pause_s=5.0)
    assert [policy.pause_after(n) for n in (1, 2, 3, 4, 5000)] == [1, 2, 4, 5, 5]


def test_a_server_that_asks_for_a_pause_gets_it():
    started = time.monotonic()
    attempts(FakeEngine(fail=failing(busy(is_overload=True, retry_after_s=0.15))))
    assert time.monotonic() - started >= 0.15


def test_a_stop_ends_a_pause():
    asking = client(FakeEngine(fail=lambda n: busy()), policy=RetryPolicy(pause_s=60.0))
    stream = asking.attempts(request())
    next(stream)
    asking.limiter.stop()
    assert list(stream) == []


def test_no_call_beyond_the_budget_is_made_and_none_waits_for_it():
    engine = FakeEngine(fail=lambda n: busy())
    asking = client(engine, parallel=9, calls=2)
    assert len(list(asking.attempts(request()))) == engine.n_calls == 2
    assert asking.limiter.is_stopped


def test_no_request_beyond_the_budget_is_started():
    engine = FakeEngine()
    asking = client(engine, parallel=9, requests=1)
    assert len(list(asking.attempts(request()))) == 1
    assert list(asking.attempts(request())) == []
    assert engine.n_calls == 1
    assert not asking.limiter.is_stopped


@pytest.mark.parametrize(
    ("left", "is_spent"),
    [((None, None), False), ((1, 1), False), ((0, None), True), ((3, 0), True)],
)
def test_a_budget_is_spent_when_either_part_is(left, is_spent):
    assert CallBudget(*left).is_spent is is_spent


# Whether a request fits: by its bytes where they suffice, else by its tokens.


@pytest.mark.parametrize("context", [15, 16, 63])
def test_a_request_is_sent_if_prompt_and_answer_fit_into_the_context(context):
    assert attempts(FakeEngine(), n_words=10, context=context)[0].reply is not None


def test_a_request_that_is_too_long_is_not_sent_and_takes_no_call():
    engine = FakeEngine()
    (attempt,) = attempts(engine, n_words=10, context=14, calls=0)
    assert attempt == Attempt(
        number=0,
        unsent="the prompt has 10 tokens and the answer may have 5; the context holds 14",
    )
    assert engine.n_calls == 0


@pytest.mark.parametrize("context", [None, 61])
def test_nothing_is_counted_where_the_context_is_unknown_or_holds_all_bytes(context):
    uncounted = FakeEngine(lambda request: "Yes.", n_tokens=AssertionError())
    uncounted.complete = lambda request: Reply("Yes.")
    assert attempts(uncounted, n_words=10, context=context)[0].reply.text == "Yes."


def test_a_prompt_that_only_a_call_could_measure_is_sent():
    (attempt,) = attempts(FakeEngine(n_tokens=None), n_words=10, context=14)
    assert attempt.reply is not None


def test_a_failure_to_count_is_a_failed_attempt():
    engine = FakeEngine(n_tokens=EngineError("cannot count"))
    (attempt,) = attempts(engine, n_words=10, context=14, policy=IMPATIENT)
    assert (attempt.error, attempt.is_final) == ("cannot count", True)


def test_a_record_holds_the_model_and_the_cost():
    reply = Reply("Yes.", 70, 20, 60, 0.12345678, "stop")
    identity = Identity("scripted", "v1", "own", "d1")
    assert record_fields(Attempt(number=2, reply=reply), identity) == {
        "attempt": 2, "engine": "scripted", "engine_version": "v1", "model_digest": "d1",
        "prompt_tokens": 70, "cached_tokens": 60, "completion_tokens": 20, "latency_s": 0.123457,
        "error": None, "unsent": None,
    }  # fmt: skip
