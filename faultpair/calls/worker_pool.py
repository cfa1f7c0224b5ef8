"""Many requests at once, for judges, agents and planners alike.

Threads send requests; the calling thread alone writes what comes back, so that no line
is torn by another and an interruption falls between two lines. An engine with several slots
keeps in each the prompt that it read last, so a worker stays with an instance, whose runs share
a prefix, however many others are in flight.
"""

from __future__ import annotations

import queue
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Generic, TypeVar

from faultpair.engines.engine import Engine

from .adaptive_limiter import AdaptiveLimiter
from .client import Attempt, CallBudget, RetryingClient, RetryPolicy

__all__ = ["AffinityQueue", "Post", "WorkerPool"]

GRACE_S = 0.5
"""Seconds in which calls may still end after an interruption; later ones are abandoned."""

WAKE_EVERY_S = 0.5
"""Seconds between looks at signals: one that arrives just before a wait does not end it."""

T = TypeVar("T")
S = TypeVar("S")
R = TypeVar("R")
Post = Callable[[S, Attempt], None]
"""Hands an attempt, and what it is about, to the thread that keeps it."""

_Inbox = queue.SimpleQueue["Callable[[], None] | BaseException | None"]
"""What workers send to the calling thread: a function to call there, an exception, or None when
the worker ends.
"""


@dataclass(slots=True)
class WorkerPool:
    """Threads that share a client.

    After `run`, ``stopped`` says why not all items were worked on, if too many
    requests in a row failed.
    """

    client: RetryingClient
    n_workers: int
    stopped: str | None = None
    _n_failed_in_a_row: int = 0

    @classmethod
    def on(
        cls, engine: Engine, parallel: int, *, policy: RetryPolicy, budget: CallBudget, noun: str
    ) -> WorkerPool:
        """Return a pool that has up to ``parallel`` requests in flight at once."""
        client = RetryingClient(
            engine=engine,
            context_tokens=engine.context_tokens(),
            policy=policy,
            limiter=AdaptiveLimiter(parallel),
            budget=budget,
            noun=noun,
        )
        return cls(client, parallel)

    def run(
        self,
        items: Iterable[T],
        *,
        work: Callable[[T, Post[S]], R],
        keep: Callable[[S, Attempt], None],
        group_of: Callable[[T], object],
        on_made: Callable[[T, R], None] = lambda item, result: None,
        on_wake: Callable[[], None] = lambda: None,
    ) -> None:
        """Work on each item in some thread; keep attempts and take results in this one.

        If the run is interrupted or a worker breaks, the attempts that ended are kept.

        Parameters
        ----------
        work : posts every attempt that it makes
        group_of : items of one group, which are adjacent, go to one worker
        on_wake : called in this thread after each event, and from time to time without one
        """
        inbox: _Inbox = queue.SimpleQueue()
        todo = AffinityQueue(items, self.n_workers, group_of)

        def post(subject: S, attempt: Attempt) -> None:
            inbox.put(partial(keep, subject, attempt))
            inbox.put(partial(self._count, attempt))

        def work_on(item: T) -> None:
            inbox.put(partial(on_made, item, work(item, post)))

        workers = [
            threading.Thread(target=self._work, args=(number, todo, work_on, inbox), daemon=True)
            for number in range(self.n_workers)
        ]
        with _interrupts_sent_to(inbox):
            try:
                for worker in workers:
                    worker.start()
                self._collect(inbox, on_wake)
            except _Broken as broken:
                self._abandon(workers, inbox)
                raise broken.reason from None
            finally:
                self.client.limiter.stop()

    def _work(
        self, number: int, todo: AffinityQueue[T], work_on: Callable[[T], None], inbox: _Inbox
    ) -> None:
        limiter, budget = self.client.limiter, self.client.budget
        try:
            # The last request ends each worker by itself: to stop all would cut retries short.
            while budget.has_request and not limiter.is_stopped:
                item = todo.next_of(number)
                if item is None:
                    return
                work_on(item)
        except BaseException as error:  # noqa: BLE001 — raised again in the calling thread
            inbox.put(error)
        finally:
            inbox.put(None)

    def _collect(self, inbox: _Inbox, on_wake: Callable[[], None]) -> None:
        n_at_work = self.n_workers
        while n_at_work:
            with suppress(queue.Empty):
                message = inbox.get(timeout=WAKE_EVERY_S)
                if message is None:
                    n_at_work -= 1
                elif isinstance(message, BaseException):
                    raise _Broken(message)
                else:
                    message()
            on_wake()

    def _count(self, attempt: Attempt) -> None:
        """Let the next request start, and stop after too many failures in a row."""
        self.client.limiter.release()
        if attempt.is_final:
            self._n_failed_in_a_row = 0 if attempt.error is None else self._n_failed_in_a_row + 1
        if self._n_failed_in_a_row >= self.client.policy.failures_in_a_row and self.stopped is None:
            self.stopped = (
                f"{self._n_failed_in_a_row} requests in a row failed. The last: {attempt.error}"
            )
            self.client.limiter.stop()

    def _abandon(self, workers: list[threading.Thread], inbox: _Inbox) -> None:
        """Stop the workers, wait up to `GRACE_S`, and keep the attempts that ended."""
        self.client.limiter.stop()
        until = time.monotonic() + GRACE_S
        for worker in workers:
            worker.join(max(0.0, until - time.monotonic()))
        while not inbox.empty():
            message = inbox.get()
            if callable(message):
                message()


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


class _Broken(Exception):  # noqa: N818 — it carries an exception and is none itself
    """Carries what a worker or a signal put into the inbox."""

    def __init__(self, reason: BaseException) -> None:
        self.reason = reason


@contextmanager
def _interrupts_sent_to(inbox: _Inbox) -> Iterator[None]:
    """Put the first Ctrl-C into the inbox, so that it falls between two lines; raise the second."""
    default = signal.default_int_handler
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not default:
        yield
        return

    def send(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, default)
        inbox.put(KeyboardInterrupt())

    signal.signal(signal.SIGINT, send)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, default)
