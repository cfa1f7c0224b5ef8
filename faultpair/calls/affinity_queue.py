"""Requests dealt out to those who carry them, each going through an instance of its own.

An engine with several slots keeps in each the prompt that was read there last. A carrier
finds the slot free that its own last request has left, so one that stays with an instance
meets the prefix that the runs of the instance share, however many others are underway.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import groupby

from faultpair.runner.requests import JudgeRequest

__all__ = ["AffinityQueue"]


class AffinityQueue:
    """A stream of requests, cut where another instance begins.

    Parameters
    ----------
    asks : requests, those of an instance next to each other
    n_lanes : how many carriers there are
    """

    def __init__(self, asks: Iterable[JudgeRequest], n_lanes: int) -> None:
        self._instances = _by_instance(asks)
        self._lanes: list[deque[JudgeRequest]] = [deque() for _ in range(n_lanes)]
        self._lock = threading.Lock()

    def next_of(self, lane: int) -> JudgeRequest | None:
        """Return what the carrier of a lane takes next, None once all is taken.

        That is a request of the instance it is at, else the first of the next instance.
        When no instance is left it helps where most is left to do.
        """
        with self._lock:
            if not self._lanes[lane]:
                following = next(self._instances, None)
                self._lanes[lane] = following if following is not None else self._fullest()
            own = self._lanes[lane]
            return own.popleft() if own else None

    def _fullest(self) -> deque[JudgeRequest]:
        return max(self._lanes, key=len)


def _by_instance(asks: Iterable[JudgeRequest]) -> Iterator[deque[JudgeRequest]]:
    for _, group in groupby(asks, key=lambda ask: ask.instance_id):
        yield deque(group)
