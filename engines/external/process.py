"""A process that answers lines with lines, kept to its time."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO

from faultpair.env.errors import EngineError

from ..limits import MOST_BYTES

__all__ = ["LONGEST_QUOTE", "LineProcess"]

LONGEST_QUOTE = 200
"""Bytes of a wrong line that are shown."""

_LAST_LINES = 5
_LONGEST_LAST_LINE = 1000
_GRACE_S = 1.0

_Reader = tuple[threading.Thread, IO[bytes]]


class LineProcess:
    """A running program. It is asked by one thread at a time.

    Raises
    ------
    EngineError
        If it cannot be started.
    """

    def __init__(self, words: Sequence[str], *, whom: str, timeout_s: float) -> None:
        self._whom = whom
        self._timeout_s = timeout_s
        self._process = _start(words, whom)
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._complaints: deque[bytes] = deque(maxlen=_LAST_LINES)
        self._readers = (
            _reading(self._read_answers, self._process.stdout),
            _reading(self._read_complaints, self._process.stderr),
        )

    def is_alive(self) -> bool:
        """Return whether it still runs."""
        return self._process.poll() is None

    def ask(self, line: bytes) -> bytes:
        """Send a line and return the one that comes back.

        A line too many is noticed at the next question, if it has come by then.

        Raises
        ------
        EngineError
            If it ends, is too slow and so killed, or had said more than it was asked.
        """
        if not self._lines.empty():
            raise self._talkative()
        is_late = threading.Event()
        # To kill is the one way to end a write that blocks as well as a read that waits.
        alarm = threading.Timer(self._timeout_s, self._stop_late, (is_late,))
        alarm.start()
        try:
            self._send(line)
            answer = self._lines.get()
        finally:
            alarm.cancel()
        if answer is None or (is_late.is_set() and not answer.endswith(b"\n")):
            raise self._too_late() if is_late.is_set() else self._ended()
        if len(answer) > MOST_BYTES:
            raise EngineError(
                f"{self._whom} sent a line of more than {MOST_BYTES // 1_000_000} MB."
            )
        return answer

    def end(self) -> None:
        """Close its input, and kill it if it does not understand that."""
        _close(self._process.stdin)
        try:
            self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self._stop()
        self._let_go()

    def kill(self) -> None:
        """End it at once, whatever it is at."""
        self._stop()
        _close(self._process.stdin)
        self._let_go()

    def _send(self, line: bytes) -> None:
        assert self._process.stdin is not None
        # If it is gone, the end of its output says so, and its last lines say why.
        with suppress(OSError):
            self._process.stdin.write(line + b"\n")
            self._process.stdin.flush()

    def _stop_late(self, is_late: threading.Event) -> None:
        is_late.set()
        self._stop()
        # What it started in a session of its own may hold its output open for ever.
        self._lines.put(None)

    def _stop(self) -> None:
        if not hasattr(os, "killpg"):
            self._process.kill()
            return
        # With it goes what it started, which may hold its output open.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _stop_idle(self) -> None:
        """Kill it if it has closed its output and yet runs on."""
        try:
            self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self._stop()

    def _let_go(self) -> None:
        self._process.wait()
        for reader, pipe in self._readers:
            reader.join(_GRACE_S)
            if not reader.is_alive():  # else somebody else holds the pipe, and closing would wait
                _close(pipe)

    def _read_answers(self, stdout: IO[bytes]) -> None:
        while line := stdout.readline(MOST_BYTES + 1):
            self._lines.put(line)
        self._lines.put(None)

    def _read_complaints(self, stderr: IO[bytes]) -> None:
        while line := stderr.readline(_LONGEST_LAST_LINE):
            self._complaints.append(line)

    def _too_late(self) -> EngineError:
        return EngineError(
            f"{self._whom} gave no answer within {self._timeout_s:g} s and was killed. Allow it "
            f"more time, and see that it flushes each line.{self._last_words()}",
            transient=True,
            is_overload=True,
        )

    def _ended(self) -> EngineError:
        self._stop_idle()
        code = self._process.wait()
        return EngineError(
            f"{self._whom} ended with code {code} without an answer. It should read lines until "
            f"its input ends.{self._last_words()}",
            transient=True,
        )

    def _talkative(self) -> EngineError:
        try:
            extra = self._lines.get_nowait()
        except Empty:
            extra = None
        if extra is None:
            return self._ended()
        quote = extra[:LONGEST_QUOTE].decode("utf-8", "replace").strip()
        return EngineError(
            f"{self._whom} printed a line that it was not asked for: {quote!r}. Each exhibit is "
            "to be answered with one line; all else belongs on standard error."
        )

    def _last_words(self) -> str:
        self._readers[1][0].join(_GRACE_S)
        lines = [line.decode("utf-8", "replace").strip() for line in self._complaints]
        return f" Its last words: {' / '.join(lines)}" if lines else ""


def _start(words: Sequence[str], whom: str) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    try:
        # A session of its own: Ctrl-C is for us, and we end it when we are done.
        return subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
    except OSError as error:
        raise EngineError(f"{whom} cannot be started: {error.strerror}.") from error


def _reading(read: Callable[[IO[bytes]], None], pipe: IO[bytes] | None) -> _Reader:
    assert pipe is not None
    thread = threading.Thread(target=read, args=(pipe,), daemon=True)
    thread.start()
    return thread, pipe


def _close(pipe: IO[bytes] | None) -> None:
    # What was not yet written has no reader any more.
    with suppress(OSError):
        if pipe is not None:
            pipe.close()
