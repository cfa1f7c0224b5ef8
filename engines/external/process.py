"""A process that is sent lines and prints lines, its answer to each within a time-out."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import monotonic
from typing import IO, TypeVar

from faultpair.env.errors import EngineError

from ..transport import MOST_BYTES
from .child import ChildProcess
from .surroundings import Surroundings

__all__ = ["LineProcess"]

_LAST_LINES = 5
_LONGEST_LAST_LINE = 1000
_GRACE_S = 1.0

T = TypeVar("T")

_Reader = tuple[threading.Thread, IO[bytes]]


class LineProcess:
    """A running program, used by one thread at a time."""

    def __init__(
        self, words: Sequence[str], surroundings: Surroundings, *, name: str, timeout_s: float
    ) -> None:
        self._name = name
        self._timeout_s = timeout_s
        self._process = ChildProcess(words, surroundings, name=name)
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._stderr_lines: deque[bytes] = deque(maxlen=_LAST_LINES)
        self._readers = (
            _start_reader(self._read_stdout, self._process.stdout),
            _start_reader(self._read_stderr, self._process.stderr),
        )

    def is_alive(self) -> bool:
        """Return whether the process still runs."""
        return self._process.is_alive()

    def ask(self, line: bytes, read: Callable[[bytes], T | None]) -> T:
        """Send a line, and read lines until one is an answer: until ``read`` returns it.

        Raises
        ------
        EngineError
            If the process ends, or is killed after the time-out.
        """
        is_late = threading.Event()
        # Only a kill ends both a write that blocks and a read that waits.
        timer = threading.Timer(self._timeout_s, self._stop_late, (is_late,))
        timer.start()
        try:
            self._send(line)
            while True:
                printed = self._lines.get()
                if printed is None or (is_late.is_set() and not printed.endswith(b"\n")):
                    raise self._too_late() if is_late.is_set() else self._ended()
                answer = read(printed)
                if answer is not None:
                    return answer
        finally:
            timer.cancel()

    def waiting_lines(self) -> list[bytes]:
        """Return the lines that have come and were not read."""
        came: list[bytes | None] = []
        with suppress(Empty):
            while True:
                came.append(self._lines.get_nowait())
        if None in came:
            self._lines.put(None)
        return [line for line in came if line is not None]

    def last_lines(self, longest_s: float) -> Iterator[bytes]:
        """Close the input, and yield the lines that come until the output ends or time is up."""
        _close(self._process.stdin)
        until = monotonic() + longest_s
        with suppress(Empty):
            while line := self._lines.get(timeout=max(0.0, until - monotonic())):
                yield line

    def end(self) -> None:
        """Close the input, and kill the process if it does not end then."""
        _close(self._process.stdin)
        with suppress(EngineError):  # how it ended does not matter any more
            self._process.wait(_GRACE_S)
        self._process.end()
        self._let_go()

    def kill(self) -> None:
        """End the process at once."""
        self._process.end()
        _close(self._process.stdin)
        self._let_go()

    def _send(self, line: bytes) -> None:
        # If the process has ended, the end of its output shows that.
        with suppress(OSError):
            self._process.stdin.write(line + b"\n")
            self._process.stdin.flush()

    def _stop_late(self, is_late: threading.Event) -> None:
        is_late.set()
        self._process.end()
        # Where there is no supervisor, another process may hold the output open without end.
        self._lines.put(None)

    def _let_go(self) -> None:
        for reader, pipe in self._readers:
            reader.join(_GRACE_S)
            if not reader.is_alive():  # else another process holds the pipe, and `close` would wait
                _close(pipe)

    def _read_stdout(self, stdout: IO[bytes]) -> None:
        while line := stdout.readline(MOST_BYTES + 1):
            self._lines.put(line)
        self._lines.put(None)

    def _read_stderr(self, stderr: IO[bytes]) -> None:
        while line := stderr.readline(_LONGEST_LAST_LINE):
            self._stderr_lines.append(line)

    def _too_late(self) -> EngineError:
        return EngineError(
            f"{self._name} gave no answer within {self._timeout_s:g} s and was killed. Allow "
            f"more time, and make it flush each line.{self._last_lines()}",
            transient=True,
            is_overload=True,
        )

    def _ended(self) -> EngineError:
        try:
            code = self._process.wait(_GRACE_S)
            self._process.end()
        except EngineError as error:
            return error
        if code is None:
            return EngineError(
                f"{self._name} closed its output and gave no answer.{self._last_lines()}",
                transient=True,
            )
        return EngineError(
            f"{self._name} ended with code {code} without an answer. It should read lines until "
            f"its input ends.{self._last_lines()}",
            transient=True,
        )

    def _last_lines(self) -> str:
        self._readers[1][0].join(_GRACE_S)
        lines = [line.decode("utf-8", "replace").strip() for line in self._stderr_lines]
        return f" Its last lines: {' / '.join(lines)}" if lines else ""


def _start_reader(read: Callable[[IO[bytes]], None], pipe: IO[bytes] | None) -> _Reader:
    assert pipe is not None
    thread = threading.Thread(target=read, args=(pipe,), daemon=True)
    thread.start()
    return thread, pipe


def _close(pipe: IO[bytes] | None) -> None:
    # Data that is not yet written has no reader, which raises.
    with suppress(OSError):
        if pipe is not None:
            pipe.close()
