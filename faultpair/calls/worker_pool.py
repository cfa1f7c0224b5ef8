"""Carrying requests to an engine, many at once.

Threads carry; the caller's thread alone writes, so that a line is never torn by
another, and that an interruption finds it between two lines.
"""

from __future__ import annotations

import queue
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from faultpair.env.records import Exchange
from faultpair.runner.requests import JudgeRequest

from .affinity_queue import AffinityQueue
from .client import RetryingClient

__all__ = ["WorkerPool"]

GRACE_S = 0.5
"""Seconds in which calls may still end once a run is broken off; later ones are given up."""

Keep = Callable[[JudgeRequest, Exchange], None]
_Post = queue.SimpleQueue[tuple[JudgeRequest, Exchange] | BaseException | None]
"""What carriers hand over: an attempt, what broke a carrier, or None from one that is done."""


@dataclass(slots=True)
class WorkerPool:
    """A caller at work on a stream of requests.

    In the end ``stopped`` says why not all requests were made, if too many in a
    row failed.
    """

    caller: RetryingClient
    parallel: int
    stopped: str | None = None
    _in_a_row: int = 0

    def run(self, asks: Iterable[JudgeRequest], keep: Keep) -> None:
        """Hand each attempt to ``keep`` as it ends, in this thread.

        What was answered is kept, too, if the run is interrupted or a carrier breaks.
        """
        post: _Post = queue.SimpleQueue()
        lanes = AffinityQueue(asks, self.parallel)
        crew = [
            threading.Thread(target=self._carry, args=(lanes, lane, post), daemon=True)
            for lane in range(self.parallel)
        ]
        with _interrupts_put_into(post):
            try:
                for carrier in crew:
                    carrier.start()
                self._collect(post, keep, len(crew))
            except _Broken as broken:
                self._part_with(crew, post, keep)
                raise broken.reason from None
            finally:
                self.caller.throttle.stop()

    def _collect(self, post: _Post, keep: Keep, n_at_work: int) -> None:
        while n_at_work:
            came = post.get()
            if came is None:
                n_at_work -= 1
            elif isinstance(came, BaseException):
                raise _Broken(came)
            else:
                keep(*came)
                self.caller.throttle.leave()
                self._count_failures(came[1])

    def _count_failures(self, exchange: Exchange) -> None:
        if exchange.is_final:
            self._in_a_row = 0 if exchange.error is None else self._in_a_row + 1
        if self._in_a_row >= self.caller.patience.failures and self.stopped is None:
            self.stopped = f"{self._in_a_row} requests in a row failed. The last: {exchange.error}"
            self.caller.throttle.stop()

    def _carry(self, lanes: AffinityQueue, lane: int, post: _Post) -> None:
        throttle = self.caller.throttle
        try:
            while not throttle.is_stopped and (ask := lanes.next_of(lane)) is not None:
                for exchange in self.caller.attempts(ask):
                    post.put((ask, exchange))
        except BaseException as error:  # noqa: BLE001 — raised again where the caller waits
            post.put(error)
        finally:
            post.put(None)

    def _part_with(self, crew: list[threading.Thread], post: _Post, keep: Keep) -> None:
        """Let nobody set out any more, wait a moment, and keep what has come."""
        self.caller.throttle.stop()
        until = time.monotonic() + GRACE_S
        for carrier in crew:
            carrier.join(max(0.0, until - time.monotonic()))
        while not post.empty():
            came = post.get()
            if isinstance(came, tuple):
                keep(*came)


class _Broken(Exception):  # noqa: N818 — it is no error of its own, it brings one
    """Brings what a carrier or a signal put into the post."""

    def __init__(self, reason: BaseException) -> None:
        self.reason = reason


@contextmanager
def _interrupts_put_into(post: _Post) -> Iterator[None]:
    """Let Ctrl-C come as post, between two answers; the second one comes as ever, at once."""
    ours = signal.default_int_handler
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not ours:
        yield
        return

    def hand_in(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, ours)
        post.put(KeyboardInterrupt())

    signal.signal(signal.SIGINT, hand_in)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, ours)
