"""The limit of requests in flight: how it moves, when a thread waits, when all stop."""

import threading
import time

from faultpair.calls.adaptive_limiter import AdaptiveLimiter


def acquired(limiter, n):
    return [limiter.acquire() for _ in range(n)]


def test_it_starts_at_the_highest_limit():
    assert AdaptiveLimiter(8).limit == 8
    assert AdaptiveLimiter(0).limit == 1


def test_requests_that_fail_together_halve_the_limit_once():
    limiter = AdaptiveLimiter(8)
    epochs = acquired(limiter, 8)
    for epoch in epochs:
        limiter.on_overload(epoch, 0.0)
    assert limiter.limit == 4


def test_a_failure_in_a_later_epoch_halves_it_again_down_to_one():
    limiter = AdaptiveLimiter(4)
    for limit in (2, 1, 1):
        (epoch,) = acquired(limiter, 1)
        limiter.on_overload(epoch, 0.0)
        limiter.release()
        assert limiter.limit == limit


def test_it_grows_by_one_for_each_round_of_answers():
    limiter = AdaptiveLimiter(8)
    limiter.on_overload(*acquired(limiter, 1), 0.0)
    for _ in range(5):
        limiter.on_success()
    assert limiter.limit == 5
    for _ in range(40):
        limiter.on_success()
    assert limiter.limit == 8


def test_a_thread_waits_for_a_slot_until_one_is_released():
    limiter = AdaptiveLimiter(1)
    acquired(limiter, 1)
    through = threading.Event()
    waiting = threading.Thread(target=lambda: (limiter.acquire(), through.set()))
    waiting.start()
    assert not through.wait(0.05)
    limiter.release()
    assert through.wait(5)
    waiting.join()


def test_no_slot_is_given_during_a_pause():
    limiter = AdaptiveLimiter(2)
    started = time.monotonic()
    limiter.on_overload(*acquired(limiter, 1), 0.1)
    limiter.release()
    acquired(limiter, 1)
    assert time.monotonic() - started >= 0.1


def test_a_stop_wakes_all_waiting_threads():
    limiter = AdaptiveLimiter(1)
    acquired(limiter, 1)
    got = []
    waiting = [
        threading.Thread(target=lambda: got.append(limiter.acquire())),
        threading.Thread(target=lambda: got.append(limiter.wait(60))),
    ]
    for thread in waiting:
        thread.start()
    limiter.stop()
    for thread in waiting:
        thread.join(5)
    assert sorted(map(str, got)) == ["False", "None"]
    assert limiter.acquire() is None
    assert limiter.is_stopped
