"""Several pieces of work at a time."""

import threading

import pytest

from faultpair.calls.parallel_map import parallel_map

WAIT_S = 20


def test_results_stand_in_the_order_of_the_items_whichever_is_done_first():
    last_is_done = threading.Event()

    def work(item):
        if item == 3:
            last_is_done.set()
        elif item == 0:
            assert last_is_done.wait(WAIT_S)
        return item * item

    assert parallel_map(work, range(4), 2) == [0, 1, 4, 9]


def test_as_many_are_at_work_as_there_are_lanes():
    meeting = threading.Barrier(3, timeout=WAIT_S)
    assert parallel_map(lambda item: meeting.wait() >= 0, range(6), 3) == [True] * 6


def test_one_lane_works_in_the_thread_that_asks():
    asking = threading.current_thread()
    assert parallel_map(lambda item: threading.current_thread() is asking, "ab", 1) == [True, True]


def test_nothing_to_do_is_done():
    assert parallel_map(len, [], 4) == []


def test_what_breaks_is_raised_without_a_wait_and_nothing_more_is_begun():
    begun, released = [], threading.Event()

    def work(item):
        begun.append(item)
        if item == 1:
            raise ValueError("broken")
        released.wait(WAIT_S)

    with pytest.raises(ValueError, match="broken"):
        parallel_map(work, range(50), 2)
    assert sorted(begun) == [0, 1]
    released.set()
