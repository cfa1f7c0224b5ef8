"""A child process of a judge, under a supervisor that ends it with all that it started.

The supervisor does so when the run ends, however it ends: the system then closes the run's
end of their socket. On Linux the supervisor is no child of the run, and no other
process of the same user can read the environment, the folder, the open files and the memory of
the run.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from faultpair.env.errors import EngineError
from faultpair.env.forks import close_in_forks, forget

from .supervisor import MEMORY, SET_DUMPABLE, UNSTARTED, prctl
from .surroundings import Surroundings

__all__ = ["ChildProcess"]

END_S = 2.0
"""Seconds for which a caller waits at most until everything was ended."""

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_HAS_SUPERVISOR = hasattr(os, "fork")  # Windows has neither `fork` nor descriptors to pass


class ChildProcess:
    """A running program with pipes to its input and output."""

    def __init__(self, words: Sequence[str], surroundings: Surroundings, *, name: str) -> None:
        self._name = name
        self._memory_mb = surroundings.memory_mb
        self._lock = threading.Lock()
        self._report: str | None = None
        self._socket: socket.socket | None = None
        try:
            process = self._start(words, surroundings)
        except OSError as error:
            self._close_socket()
            raise EngineError(f"{name} cannot be started: {error.strerror}.") from error
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self.stdin, self.stdout, self.stderr = process.stdin, process.stdout, process.stderr
        self._process = process

    def wait(self, timeout_s: float) -> int | None:
        """Return the exit code, negative for a signal; None if it still runs after a time.

        Raises
        ------
        EngineError
            If the program could not be started, or was ended for the memory that it took.
        """
        if self._socket is None:
            with suppress(subprocess.TimeoutExpired):
                return self._process.wait(timeout_s)
            return None
        report = self._receive(timeout_s)
        if report is None:
            return None
        if report.startswith(UNSTARTED):
            reason = report.removeprefix(UNSTARTED)
            raise EngineError(f"{self._name} cannot be started: {reason}.")
        if report == MEMORY:
            raise EngineError(
                f"{self._name} was ended: with its child processes it took more than "
                f"{self._memory_mb} MB of memory, its memory_mb. Allow more, or make it smaller."
            )
        return int(report)

    def is_alive(self) -> bool:
        """Return whether the program still runs."""
        with suppress(EngineError):
            return self.wait(0) is None
        return False

    def end(self) -> None:
        """End the program and all that it started; it may have ended before."""
        if self._socket is None:
            self._process.kill()
            self._process.wait()
            return
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
        self._receive(END_S)
        self._close_socket()

    def _start(self, words: Sequence[str], surroundings: Surroundings) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        if not _HAS_SUPERVISOR:
            return subprocess.Popen(
                words, stdin=pipe, stdout=pipe, stderr=pipe, env=surroundings.variables,
                cwd=surroundings.folder,
            )  # fmt: skip
        prctl(SET_DUMPABLE, 0)
        self._socket, theirs = socket.socketpair()
        close_in_forks(self._socket.fileno())
        command = [
            sys.executable, "-I", "-S", str(_SUPERVISOR), str(theirs.fileno()),
            str(surroundings.memory_mb or 0), surroundings.folder or "", *words,
        ]  # fmt: skip
        with theirs:
            # A session of its own, so that Ctrl-C reaches us alone.
            process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=pipe, env=surroundings.variables, cwd="/",
                pass_fds=[theirs.fileno()], start_new_session=True,
            )  # fmt: skip
        process.wait()  # the supervisor goes on in a process of its own
        return process

    def _close_socket(self) -> None:
        with self._lock:
            if self._socket is not None and self._socket.fileno() >= 0:
                forget(self._socket.fileno())
                self._socket.close()

    def _receive(self, timeout_s: float) -> str | None:
        """Return the report of the supervisor, which ends with it; None if there is none yet."""
        with self._lock:
            if self._report is None and self._socket is not None and self._socket.fileno() >= 0:
                self._socket.settimeout(timeout_s)
                with suppress(TimeoutError, BlockingIOError):
                    received = self._socket.recv(4096)
                    # Without a report the supervisor was killed, and the judge with it.
                    self._report = received.decode() or "-9"
            return self._report
