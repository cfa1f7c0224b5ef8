"""Many requests at once: limits, failures in a row, and what an interruption leaves."""

import os
import signal
import threading
import time
from collections import Counter

import pytest

from faultpair.calls.worker_pool import AffinityQueue, WorkerPool
from faultpair.env.errors import EngineError, InfrastructureError

from ...fake_engine import FakeEngine
from .conftest import IMPATIENT, busy, client, failing, request


class Kept(list):
    """Keeps attempts with the number of their request, and the limits at that moment."""

    def __init__(self, limiter):
        super().__init__()
        self.limiter = limiter
        self.limits = []

    def __call__(self, number, attempt):
        self.append((number, attempt))
        self.limits.append(self.limiter.limit)

    def errors(self):
        return [attempt.error for _, attempt in self if attempt.error is not None]


def pool_run(engine, n=1, *, parallel=1, keep=None, kept=None, **options):
    """Send requests through a pool; return it, and what it kept."""
    pool = WorkerPool(client(engine, parallel=parallel, **options), parallel)
    kept = Kept(pool.client.limiter) if kept is None else kept

    def work(number, post):
        for attempt in pool.client.attempts(request(number)):
            post(number, attempt)

    pool.run(range(n), work=work, keep=keep or kept, group_of=lambda number: number)
    return pool, kept


def test_every_request_is_answered_once_with_any_number_of_workers():
    for parallel in (1, 7):
        _, kept = pool_run(FakeEngine(), 40, parallel=parallel)
        assert sorted(number for number, _ in kept) == list(range(40))
        assert all(attempt.is_final and attempt.reply for _, attempt in kept)


def test_as_many_requests_are_in_flight_as_there_are_workers():
    meeting = threading.Barrier(3, timeout=20)
    _, kept = pool_run(FakeEngine(lambda request: str(meeting.wait())), 6, parallel=3)
    assert len(kept) == 6


def test_overload_halves_the_limit_and_answers_raise_it_again():
    rush = threading.Barrier(8)
    first = Counter()

    def script(request):
        first[0] += 1
        if first[0] <= 8:
            rush.wait(10)  # so that all eight are in flight when they are refused
            raise busy(is_overload=True)
        return "yes"

    _, kept = pool_run(FakeEngine(script), 60, parallel=8)
    assert len(kept.errors()) == 8
    assert min(kept.limits) == 4
    assert kept.limits[-1] == 8


def test_an_error_without_overload_does_not_change_the_limit():
    _, kept = pool_run(FakeEngine(fail=failing(busy())), 20, parallel=4)
    assert set(kept.limits) == {4}


def test_failures_in_a_row_stop_all():
    pool, kept = pool_run(FakeEngine(fail=lambda n: EngineError("down")), 50)
    assert pool.stopped == "3 requests in a row failed. The last: down"
    assert len(kept) == 3


def test_an_answer_between_failures_starts_the_count_again():
    engine = FakeEngine(fail=lambda n: EngineError("down") if n % 3 else None)
    pool, kept = pool_run(engine, 30)
    assert pool.stopped is None
    assert (len(kept), len(kept.errors())) == (30, 20)


@pytest.mark.parametrize("parallel", [1, 5])
@pytest.mark.parametrize("limit", ["calls", "requests"])
def test_no_call_beyond_the_budget_is_made(parallel, limit):
    engine = FakeEngine()
    _, kept = pool_run(engine, 30, parallel=parallel, **{limit: 7})
    assert engine.n_calls == len(kept) == 7


def test_failed_calls_count_against_the_budget():
    _, kept = pool_run(FakeEngine(fail=lambda n: busy() if n % 2 else None), 30, calls=3)
    assert [attempt.is_final for _, attempt in kept] == [False, True, False]


def test_the_last_request_of_the_budget_is_tried_again_though_no_other_may_start():
    _, kept = pool_run(FakeEngine(fail=failing(busy(), busy())), 9, parallel=4, requests=1)
    assert [attempt.is_final for _, attempt in kept] == [False, False, True]


def test_results_arrive_with_their_items_after_the_attempts_that_they_rest_on():
    pool = WorkerPool(client(FakeEngine("yes"), parallel=2), 2)
    events = []

    def work(number, post):
        (attempt,) = pool.client.attempts(request(number))
        post(number, attempt)
        return attempt.reply.text * number

    pool.run(
        range(4),
        work=work,
        keep=lambda number, attempt: events.append(number),
        on_made=lambda number, result: events.append((number, result)),
        group_of=lambda number: number,
    )
    assert sorted(one for one in events if isinstance(one, int)) == [0, 1, 2, 3]
    for number in range(4):
        assert events.index(number) < events.index((number, "yes" * number))


def test_a_bug_is_raised_after_all_that_came_before_is_kept():
    def script(request):
        if "Request-5." in request.messages[0].content:
            raise ZeroDivisionError
        return "yes"

    engine = FakeEngine(script)
    pool = WorkerPool(client(engine, policy=IMPATIENT), 1)
    kept = Kept(pool.client.limiter)

    def work(number, post):
        for attempt in pool.client.attempts(request(number)):
            post(number, attempt)

    with pytest.raises(ZeroDivisionError):
        pool.run(range(9), work=work, keep=kept, group_of=lambda number: number)
    assert len(kept) == 5
    assert pool.client.limiter.is_stopped


def test_a_failure_to_keep_ends_all_and_no_thread_stays():
    def full(number, attempt):
        raise InfrastructureError("disk full")

    before = set(threading.enumerate())
    with pytest.raises(InfrastructureError):
        pool_run(FakeEngine(), 50, parallel=4, keep=full)
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
        assert not thread.is_alive()


def test_an_interruption_abandons_what_is_in_flight_and_keeps_what_was_answered():
    hang, answered, kept = threading.Event(), Counter(), []

    def script(request):
        answered[0] += 1
        if answered[0] == 4:
            os.kill(os.getpid(), signal.SIGINT)
            hang.wait(30)
        return "yes"

    with pytest.raises(KeyboardInterrupt):
        pool_run(FakeEngine(script), 9, keep=lambda number, attempt: kept.append(number))
    hang.set()
    assert kept == [0, 1, 2]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_no_more_answers_wait_to_be_kept_than_may_be_in_flight():
    engine, kept, waiting = FakeEngine(), [], []

    def keep(number, attempt):
        time.sleep(0.002)
        kept.append(attempt)
        waiting.append(engine.n_calls - len(kept))

    pool_run(engine, 40, parallel=3, keep=keep)
    assert max(waiting) <= 3


def items(**sizes):
    """Yield so many items of each group, one group after the other."""
    return (f"{group}{number}" for group, n in sizes.items() for number in range(n))


def queue(stream, n_workers):
    return AffinityQueue(stream, n_workers, lambda item: item[0])


def taken(todo, *workers):
    """Return what some workers take, one after the other."""
    return [todo.next_of(worker) for worker in workers]


def test_a_worker_finishes_a_group_before_it_takes_the_next():
    todo = queue(items(a=2, b=3, c=1), 2)
    assert taken(todo, 0, 1, 1, 0, 0, 1) == ["a0", "b0", "b1", "a1", "c0", "b2"]
    assert taken(todo, 0, 1) == [None, None]


def test_a_worker_without_a_group_takes_from_the_one_with_most_left():
    todo = queue(items(a=2, b=4, c=1), 3)
    assert taken(todo, 0, 1, 2, 2, 2, 2) == ["a0", "b0", "c0", "b1", "b2", "b3"]
    assert taken(todo, 2, 0, 1) == ["a1", None, None]


def test_a_group_is_read_from_the_stream_only_when_a_worker_takes_it():
    seen = []
    todo = queue((seen.append(item[0]) or item for item in items(a=1, b=1, c=1)), 1)
    assert taken(todo, 0) == ["a0"]
    assert "c" not in seen


def test_an_empty_stream_gives_nothing():
    assert taken(queue([], 2), 0, 1) == [None, None]
