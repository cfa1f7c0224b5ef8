"""How many requests may be in flight: one more for each round of successes, half after an overload.

Additive increase, multiplicative decrease, as in TCP's congestion control. An overload
also closes the limiter for a pause, at least as long as the server asked for.
"""

from __future__ import annotations

import threading
import time

__all__ = ["AdaptiveLimiter"]


class AdaptiveLimiter:
    """A semaphore whose limit moves between 1 and ``most``."""

    def __init__(self, most: int) -> None:
        self._most = max(1, most)
        self._limit = float(self._most)
        self._epoch = 0
        self._in_flight = 0
        self._closed_until = 0.0
        self._is_stopped = False
        self._changed = threading.Condition()

    @property
    def limit(self) -> int:
        """How many requests may be in flight now."""
        return int(self._limit)

    @property
    def is_stopped(self) -> bool:
        """Whether `acquire` fails from now on."""
        return self._is_stopped

    def acquire(self) -> int | None:
        """Wait for a slot and return the epoch it belongs to; None after `stop`."""
        with self._changed:
            while not self._is_stopped and not self._has_slot():
                self._changed.wait(self._pause_left())
            if self._is_stopped:
                return None
            self._in_flight += 1
            return self._epoch

    def release(self) -> None:
        """Give the slot back."""
        with self._changed:
            self._in_flight -= 1
            self._changed.notify_all()

    def on_success(self) -> None:
        """Raise the limit by one for each round of as many successes as it allows."""
        if self._limit == self._most:
            return
        with self._changed:
            self._limit = min(self._most, self._limit + 1 / self._limit)
            self._changed.notify_all()

    def on_overload(self, epoch: int, pause_s: float) -> None:
        """Close for a pause and halve the limit.

        It is halved once an epoch: requests that were in flight together fail
        together, and are one sign of overload, not many.
        """
        with self._changed:
            if epoch == self._epoch:
                self._epoch += 1
                self._limit = max(1.0, self._limit / 2)
            self._closed_until = max(self._closed_until, time.monotonic() + pause_s)
            self._changed.notify_all()

    def wait(self, pause_s: float) -> bool:
        """Wait for a pause without a slot; return False as soon as `stop` is called."""
        until = time.monotonic() + pause_s
        with self._changed:
            while not self._is_stopped and (left := until - time.monotonic()) > 0:
                self._changed.wait(left)
            return not self._is_stopped

    def stop(self) -> None:
        """Wake all waiting threads and let no request start any more."""
        with self._changed:
            self._is_stopped = True
            self._changed.notify_all()

    def _has_slot(self) -> bool:
        return self._in_flight < int(self._limit) and self._pause_left() is None

    def _pause_left(self) -> float | None:
        left = self._closed_until - time.monotonic()
        return left if left > 0 else None
