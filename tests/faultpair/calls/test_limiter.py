"""The throttle: how wide it is, whom it lets through, when it stops."""

import threading
import time

from faultpair.calls.limiter import AdaptiveLimiter


def entered(throttle, n):
    return [throttle.enter() for _ in range(n)]


def test_it_starts_as_wide_as_it_may_be():
    assert AdaptiveLimiter(8).width == 8
    assert AdaptiveLimiter(0).width == 1


def test_a_full_house_halves_it_once_however_many_fail_together():
    throttle = AdaptiveLimiter(8)
    eras = entered(throttle, 8)
    for era in eras:
        throttle.was_full(era, 0.0)
    assert throttle.width == 4


def test_a_failure_of_a_later_era_halves_it_again_and_one_is_the_least():
    throttle = AdaptiveLimiter(4)
    for wide in (2, 1, 1):
        (era,) = entered(throttle, 1)
        throttle.was_full(era, 0.0)
        throttle.leave()
        assert throttle.width == wide


def test_it_grows_by_one_for_each_whole_width_of_answers():
    throttle = AdaptiveLimiter(8)
    throttle.was_full(*entered(throttle, 1), 0.0)
    for _ in range(5):
        throttle.went_well()
    assert throttle.width == 5
    for _ in range(40):
        throttle.went_well()
    assert throttle.width == 8


def test_nobody_enters_beyond_its_width_until_somebody_leaves():
    throttle = AdaptiveLimiter(1)
    entered(throttle, 1)
    through = threading.Event()
    waiting = threading.Thread(target=lambda: (throttle.enter(), through.set()))
    waiting.start()
    assert not through.wait(0.05)
    throttle.leave()
    assert through.wait(5)
    waiting.join()


def test_nobody_enters_during_a_pause():
    throttle = AdaptiveLimiter(2)
    started = time.monotonic()
    throttle.was_full(*entered(throttle, 1), 0.1)
    throttle.leave()
    entered(throttle, 1)
    assert time.monotonic() - started >= 0.1


def test_a_stop_wakes_all_who_wait():
    throttle = AdaptiveLimiter(1)
    entered(throttle, 1)
    came = []
    waiting = [
        threading.Thread(target=lambda: came.append(throttle.enter())),
        threading.Thread(target=lambda: came.append(throttle.wait(60))),
    ]
    for thread in waiting:
        thread.start()
    throttle.stop()
    for thread in waiting:
        thread.join(5)
    assert sorted(map(str, came)) == ["False", "None"]
    assert throttle.enter() is None
    assert throttle.is_stopped
