"""How many requests may be underway: more while all goes well, half when the other side is full.

Additive increase, multiplicative decrease, as TCP shares a line. A request that
was refused for overload also opens a pause, as long as the other side asked for.
"""

from __future__ import annotations

import threading
import time

__all__ = ["AdaptiveLimiter"]


class AdaptiveLimiter:
    """A gate with a moving width, between 1 and ``most``."""

    def __init__(self, most: int) -> None:
        self._most = max(1, most)
        self._width = float(self._most)
        self._era = 0
        self._underway = 0
        self._closed_until = 0.0
        self._is_stopped = False
        self._changed = threading.Condition()

    @property
    def width(self) -> int:
        """How many requests may be underway now."""
        return int(self._width)

    @property
    def is_stopped(self) -> bool:
        """Whether nobody gets through any more."""
        return self._is_stopped

    def enter(self) -> int | None:
        """Wait for a place and return the era it is of; None if all has been stopped meanwhile."""
        with self._changed:
            while not self._is_stopped and not self._has_place():
                self._changed.wait(self._pause_left())
            if self._is_stopped:
                return None
            self._underway += 1
            return self._era

    def leave(self) -> None:
        """Give the place back."""
        with self._changed:
            self._underway -= 1
            self._changed.notify_all()

    def went_well(self) -> None:
        """Widen the gate by one place for each whole width of answers."""
        if self._width == self._most:
            return
        with self._changed:
            self._width = min(self._most, self._width + 1 / self._width)
            self._changed.notify_all()

    def was_full(self, era: int, pause_s: float) -> None:
        """Let nothing through for a while, and halve the width.

        It is halved once an era: requests that were underway together fail
        together, and are one sign, not many.
        """
        with self._changed:
            if era == self._era:
                self._era += 1
                self._width = max(1.0, self._width / 2)
            self._closed_until = max(self._closed_until, time.monotonic() + pause_s)
            self._changed.notify_all()

    def wait(self, pause_s: float) -> bool:
        """Wait for a while without a place; False if all has been stopped meanwhile."""
        until = time.monotonic() + pause_s
        with self._changed:
            while not self._is_stopped and (left := until - time.monotonic()) > 0:
                self._changed.wait(left)
            return not self._is_stopped

    def stop(self) -> None:
        """Let nobody through any more."""
        with self._changed:
            self._is_stopped = True
            self._changed.notify_all()

    def _has_place(self) -> bool:
        return self._underway < int(self._width) and self._pause_left() is None

    def _pause_left(self) -> float | None:
        left = self._closed_until - time.monotonic()
        return left if left > 0 else None
