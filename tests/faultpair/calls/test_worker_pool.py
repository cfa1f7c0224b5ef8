"""Carrying requests: attempts, pauses, limits, and what an interruption leaves."""

import os
import signal
import threading
import time
from collections import Counter

import msgspec
import pytest

from faultpair.calls.client import CallBudget, RetryingClient, RetryPolicy
from faultpair.calls.limiter import AdaptiveLimiter
from faultpair.calls.worker_pool import WorkerPool
from faultpair.engines.engine import Identity, request_hash
from faultpair.engines.scripted import ScriptedEngine
from faultpair.env.errors import EngineError, InfrastructureError
from faultpair.judges.model_judge import SPECIMEN, ModelJudge
from faultpair.runner.requests import JudgeRequest
from faultpair.studies.exchanges import RequestKey

JUDGE = ModelJudge("j", "toy", "scripted:own")
REPLY = '{"reasoning":"","faulty":false,"failure_step":null,"failure_type":null,"confidence":0.9}'
IMPATIENT = RetryPolicy(attempts=3, pause_s=0.001, longest_pause_s=0.002)


def asks(n):
    """Return asks whose goals are their numbers."""
    for number in range(n):
        exhibit = msgspec.structs.replace(SPECIMEN, goal=f"Goal {number}.")
        digest = request_hash(JUDGE.request(exhibit, sample=0, repeat=0))
        yield JudgeRequest(
            JUDGE, f"t{number}", f"i{number}", exhibit, RequestKey("j", 0, 0, digest)
        )


class Failing:
    """A script that fails as it is told, request by request, and then replies."""

    def __init__(self, *errors):
        self._errors = errors
        self._lock = threading.Lock()
        self.calls = Counter()

    def __call__(self, request):
        goal = request.messages[1].content.splitlines()[1]
        with self._lock:
            self.calls[goal] += 1
            nth = self.calls[goal]
        if nth <= len(self._errors):
            raise self._errors[nth - 1]
        return REPLY


class Kept(list):
    """Keeps what comes, as the desk does, and looks at the width of the throttle."""

    def __init__(self, throttle):
        self.throttle = throttle
        self.widths = []

    def __call__(self, ask, exchange):
        self.append(exchange)
        self.widths.append(self.throttle.width)

    def errors(self):
        return [one.error for one in self if one.error is not None]


def dispatched(script, n=1, *, parallel=1, patience=IMPATIENT, calls=None, room=None):
    engine = script if isinstance(script, ScriptedEngine) else ScriptedEngine(script)
    throttle = AdaptiveLimiter(parallel)
    caller = RetryingClient(
        engine, Identity("scripted", "v1", "own", "d1"), room, {"j": "p"}, patience, throttle,
        CallBudget(calls),
    )  # fmt: skip
    dispatch, kept = WorkerPool(caller, parallel), Kept(throttle)
    dispatch.run(asks(n), kept)
    return dispatch, kept


def busy(**more):
    return EngineError("busy", transient=True, **more)


def test_every_request_is_answered_once_whatever_the_width():
    for parallel in (1, 7):
        _, kept = dispatched(lambda request: REPLY, 40, parallel=parallel)
        assert sorted(one.trajectory_id for one in kept) == sorted(f"t{n}" for n in range(40))
        assert all(one.is_final and one.text == REPLY for one in kept)


def test_an_exchange_says_who_was_asked_what_and_by_whom():
    _, (kept,) = dispatched(lambda request: REPLY)
    (ask,) = asks(1)
    assert (kept.request_hash, kept.prompt_hash) == (ask.key.request_hash, "p")
    assert (kept.engine, kept.engine_version, kept.model_digest) == ("scripted", "v1", "d1")
    assert (kept.attempt, kept.finish_reason, kept.decision.token) == (1, "stop", "false")
    assert kept.prompt_tokens > 0


def test_a_passing_failure_is_tried_again_and_every_attempt_is_kept():
    script = Failing(busy(), busy())
    _, kept = dispatched(script)
    assert [(one.attempt, one.error, one.is_final) for one in kept] == [
        (1, "busy", False), (2, "busy", False), (3, None, True),
    ]  # fmt: skip
    assert script.calls.total() == 3


def test_attempts_come_to_an_end():
    _, kept = dispatched(Failing(*[busy()] * 9))
    assert [(one.attempt, one.is_final) for one in kept] == [(1, False), (2, False), (3, True)]


def test_what_trying_again_cannot_mend_is_not_tried_again():
    _, kept = dispatched(Failing(EngineError("no such model")))
    assert [(one.error, one.is_final) for one in kept] == [("no such model", True)]


def test_attempts_are_counted_on_from_those_of_earlier_runs():
    (ask,) = asks(1)
    later = JudgeRequest(
        ask.judge, ask.trajectory_id, ask.instance_id, ask.exhibit, ask.key, n_attempts=4
    )
    caller = RetryingClient(
        ScriptedEngine(Failing(busy())), Identity("s"), None, {"j": "p"}, IMPATIENT,
        AdaptiveLimiter(2), CallBudget(),
    )  # fmt: skip
    assert [one.attempt for one in caller.attempts(later)] == [5, 6]


def test_pauses_double_up_to_the_longest():
    patience = RetryPolicy(pause_s=1.0, longest_pause_s=5.0)
    assert [patience.pause_after(n) for n in (1, 2, 3, 4, 5000)] == [1, 2, 4, 5, 5]


def test_the_other_side_says_how_long_it_is_left_alone():
    started = time.monotonic()
    dispatched(Failing(busy(is_overload=True, retry_after_s=0.15)))
    assert time.monotonic() - started >= 0.15


def test_overload_halves_the_width_and_answers_widen_it_again():
    rush = threading.Barrier(8)
    first = Counter()

    def script(request):
        first[0] += 1
        if first[0] <= 8:
            rush.wait(10)  # so that all eight are underway when they are refused
            raise busy(is_overload=True)
        return REPLY

    _, kept = dispatched(script, 60, parallel=8)
    assert len(kept.errors()) == 8
    assert min(kept.widths) == 4
    assert kept.widths[-1] == 8


def test_an_error_without_overload_leaves_the_width_alone():
    _, kept = dispatched(Failing(busy()), 20, parallel=4)
    assert set(kept.widths) == {4}


def test_failures_in_a_row_stop_all():
    dispatch, kept = dispatched(Failing(*[EngineError("down")] * 9), 50)
    assert dispatch.stopped == "3 requests in a row failed. The last: down"
    assert len(kept) == 3


def test_an_answer_between_failures_starts_the_count_again():
    turn = Counter()

    def script(request):
        turn[0] += 1
        if turn[0] % 3:
            raise EngineError("down")
        return REPLY

    dispatch, kept = dispatched(script, 30)
    assert dispatch.stopped is None
    assert (len(kept), len(kept.errors())) == (30, 20)


@pytest.mark.parametrize("parallel", [1, 5])
def test_no_call_beyond_the_budget_is_made(parallel):
    script = Failing()
    _, kept = dispatched(script, 30, parallel=parallel, calls=7)
    assert script.calls.total() == len(kept) == 7


def test_failed_calls_count_against_the_budget():
    script = Failing(busy())
    _, kept = dispatched(script, 30, calls=3)
    assert [one.is_final for one in kept] == [False, True, False]


def test_a_prompt_that_does_not_fit_is_not_sent_and_takes_no_call():
    script = Failing()
    _, kept = dispatched(script, 2, room=450, calls=0)
    assert script.calls.total() == 0
    n_tokens = ScriptedEngine("x").count_tokens(next(asks(1)).request())
    assert kept[0].unsent == (
        f"the prompt has {n_tokens} tokens and the answer may have 400; the context holds 450"
    )
    assert [(one.text, one.error, one.attempt, one.is_final) for one in kept] == [
        (None, None, 0, True)
    ] * 2


def test_a_prompt_that_only_a_call_could_measure_is_sent():
    class Speechless(ScriptedEngine):
        def count_tokens(self, request):
            return None

    _, (kept,) = dispatched(Speechless(lambda request: REPLY), room=10)
    assert kept.text == REPLY


def test_a_failure_to_count_is_a_failed_attempt():
    class Broken(ScriptedEngine):
        def count_tokens(self, request):
            raise EngineError("cannot count")

    _, (kept,) = dispatched(Broken("x"), room=10)
    assert (kept.error, kept.is_final) == ("cannot count", True)


def test_a_bug_is_raised_where_all_is_kept_that_came_before():
    def script(request):
        if "Goal 5." in request.messages[1].content:
            raise ZeroDivisionError
        return REPLY

    throttle = AdaptiveLimiter(1)
    kept = Kept(throttle)
    caller = RetryingClient(
        ScriptedEngine(script), Identity("s"), None, {"j": "p"}, IMPATIENT, throttle, CallBudget()
    )
    with pytest.raises(ZeroDivisionError):
        WorkerPool(caller, 1).run(asks(9), kept)
    assert len(kept) == 5
    assert throttle.is_stopped


def test_whoever_cannot_keep_ends_all_and_no_thread_stays():
    def full(ask, exchange):
        raise InfrastructureError("disk full")

    throttle = AdaptiveLimiter(4)
    caller = RetryingClient(
        ScriptedEngine(lambda request: REPLY), Identity("s"), None, {"j": "p"}, IMPATIENT,
        throttle, CallBudget(),
    )  # fmt: skip
    before = set(threading.enumerate())
    with pytest.raises(InfrastructureError):
        WorkerPool(caller, 4).run(asks(50), full)
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
        assert not thread.is_alive()


def test_an_interruption_gives_up_what_is_in_flight_and_keeps_what_was_answered():
    hang = threading.Event()
    answered = Counter()

    def script(request):
        answered[0] += 1
        if answered[0] == 4:
            os.kill(os.getpid(), signal.SIGINT)
            hang.wait(30)
        return REPLY

    throttle = AdaptiveLimiter(1)
    kept = Kept(throttle)
    caller = RetryingClient(
        ScriptedEngine(script), Identity("s"), None, {"j": "p"}, IMPATIENT, throttle, CallBudget()
    )
    with pytest.raises(KeyboardInterrupt):
        WorkerPool(caller, 1).run(asks(9), kept)
    hang.set()
    assert [one.trajectory_id for one in kept] == ["t0", "t1", "t2"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_no_more_answers_wait_to_be_kept_than_may_be_underway():
    made = Counter()
    waiting = []

    def script(request):
        made[0] += 1
        return REPLY

    throttle = AdaptiveLimiter(3)
    caller = RetryingClient(
        ScriptedEngine(script), Identity("s"), None, {"j": "p"}, IMPATIENT, throttle, CallBudget()
    )
    kept = []

    def keep(ask, exchange):
        time.sleep(0.002)
        kept.append(exchange)
        waiting.append(made[0] - len(kept))

    WorkerPool(caller, 3).run(asks(40), keep)
    assert max(waiting) <= 3
