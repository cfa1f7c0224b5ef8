"""A work queue with affinity: a worker stays with a group of items until it is done.

An engine with several slots keeps in each the prompt that it read last. A worker finds
the slot free that its own last request has left, so a worker that stays with an instance
meets the prefix that the runs of the instance share, however many others are in flight.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Generic, TypeVar

__all__ = ["AffinityQueue"]

T = TypeVar("T")


class AffinityQueue(Generic[T]):
    """A stream of items, cut where another group begins.

    Parameters
    ----------
    items : those of a group next to each other
    n_workers : how many workers take from it
    group_of : what an item belongs to
    """

    def __init__(self, items: Iterable[T], n_workers: int, group_of: Callable[[T], object]) -> None:
        self._groups = (deque(group) for _, group in groupby(items, key=group_of))
        self._queues: list[deque[T]] = [deque() for _ in range(n_workers)]
        self._lock = threading.Lock()

    def next_of(self, worker: int) -> T | None:
        """Return the next item of a worker, None once all are taken.

        That is an item of its present group, else the first of the next group. When no
        group is left, it takes from the worker that has most left to do.
        """
        with self._lock:
            if not self._queues[worker]:
                longest = max(self._queues, key=len)
                self._queues[worker] = next(self._groups, longest)
            own = self._queues[worker]
            return own.popleft() if own else None
