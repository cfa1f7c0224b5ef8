"""The processes of one judge: a call takes an idle one, or starts another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

__all__ = ["ProcessPool"]


class Served(Protocol):
    """A process, or what speaks with one."""

    def is_alive(self) -> bool: ...

    def end(self) -> None: ...

    def kill(self) -> None: ...


P = TypeVar("P", bound=Served)


class ProcessPool(Generic[P]):
    """The processes of one judge; ``on_end`` is called with each that has ended."""

    def __init__(self, start: Callable[[], P], on_end: Callable[[P], None] = lambda _: None):
        self._start = start
        self._on_end = on_end
        self._lock = threading.Lock()
        self._idle: list[P] = []
        self._busy: dict[int, P] = {}
        self._is_closed = False

    @contextmanager
    def process(self) -> Iterator[P]:
        """Lend a process; if the body raises, the process is killed.

        Otherwise the next answer could be the one to this request.
        """
        process = self._take()
        try:
            yield process
        except BaseException:
            process.kill()
            self._busy.pop(id(process), None)
            self._on_end(process)
            raise
        with self._lock:
            del self._busy[id(process)]
            if not self._is_closed:
                self._idle.append(process)
                return
        self._end(process)

    def end_idle(self) -> None:
        """End the processes that do not work."""
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            self._end(process)

    def close(self) -> None:
        """End idle processes, and kill those that still work."""
        with self._lock:
            self._is_closed = True
            busy = tuple(self._busy.values())
        for process in busy:
            process.kill()
        self.end_idle()

    def _take(self) -> P:
        """Return a running process, an idle one if there is one."""
        while True:
            with self._lock:
                process = self._idle.pop() if self._idle else None
            if process is None:
                process = self._start()
            elif not process.is_alive():
                self._end(process)
                continue
            with self._lock:
                self._busy[id(process)] = process
            return process

    def _end(self, process: P) -> None:
        process.end()
        self._on_end(process)
