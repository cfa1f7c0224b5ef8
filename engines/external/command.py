"""A program as a judge: ``cmd:program argument``. It reads lines of JSON and answers in lines.

The program serves one exhibit after another, and ends when its input does. A process that
died is started again; calls at the same time have a process each.
"""

from __future__ import annotations

import os
import shlex
import threading
from pathlib import Path

import msgspec

from faultpair.env.errors import EngineError, UsageError

from ..engine import Engine, EngineOptions, Identity
from ..http import OBJECT
from .document import ExternalEngine, digest_of
from .process import LONGEST_QUOTE, LineProcess

__all__ = ["open_command"]


def open_command(command: str, *, options: EngineOptions) -> Engine:
    """Find a program, which is started at the first call."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"'cmd:{command}' cannot be split into words: {error}.") from error
    if not words or not _is_program(words[0]):
        raise UsageError(f"'cmd:{command}': there is no executable {' '.join(words[:1])!r}.")
    return _CommandEngine(command, words, options)


class _CommandEngine(ExternalEngine):
    """A program and its idle processes.

    The end of a process, or a time-out after which it is killed, is transient. An answer
    that is not a JSON object, or a line too many, is final.
    """

    def __init__(self, command: str, words: list[str], options: EngineOptions) -> None:
        self.name = f"cmd:{command}"
        self.max_parallel = options.parallel or 1
        self._command = command
        self._words = words
        self._timeout_s = options.timeout_s
        self._idle: list[LineProcess] = []
        self._lock = threading.Lock()

    def identify(self) -> Identity:
        """Return the command, and the digest of the first file among its words, if any.

        The program itself is the last choice: the script of an interpreter says more.
        """
        # `os.path`, since pathlib raises an OSError for a word that is too long for a path.
        files = [
            Path(word)
            for word in (*self._words[1:], self._words[0])
            if os.path.isfile(word)  # noqa: PTH113
        ]
        digest = digest_of(files[0]) if files else None
        return Identity("cmd", model=self._command, model_digest=digest)

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            process.end()

    def _answer(self, document: bytes) -> object:
        process = self._take()
        try:
            answer = self._read(process.ask(document))
        except BaseException:
            # Otherwise the next answer could be the one to this request.
            process.kill()
            raise
        with self._lock:
            self._idle.append(process)
        return answer

    def _take(self) -> LineProcess:
        """Return a running process, an idle one if there is one."""
        while True:
            with self._lock:
                process = self._idle.pop() if self._idle else None
            if process is None:
                return LineProcess(self._words, name=self.name, timeout_s=self._timeout_s)
            if process.is_alive():
                return process
            process.end()

    def _read(self, line: bytes) -> object:
        try:
            return OBJECT.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            quote = line[:LONGEST_QUOTE].decode("utf-8", "replace").strip()
            raise EngineError(
                f"{self.name} answered with {quote!r}; expected one line with a JSON object. "
                "It must print nothing else to its standard output."
            ) from error


def _is_program(word: str) -> bool:
    """Return whether a shell would find this program, by its path or in PATH."""
    folders = [""] if os.sep in word else os.get_exec_path()
    paths = [Path(folder, word) for folder in folders]
    return any(path.is_file() and os.access(path, os.X_OK) for path in paths)
