"""A program as a judge: ``cmd:program argument``. It reads lines of JSON and answers in lines.

The program serves one exhibit after another, and ends when its input does. A process that
died is started again; calls at the same time have a process each. `Dialogue` tells answers
from other lines.
"""

from __future__ import annotations

import os
import shlex
import threading
from itertools import count
from pathlib import Path

from faultpair.env.errors import UsageError

from ..engine import Engine, EngineOptions, Identity
from .dialogue import Dialogue, LogLines
from .document import ExternalEngine, Surplus, digest_of
from .process import LineProcess

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

    The end of a process, a time-out after which it is killed, or an answer too many is
    transient. An answer that is broken JSON is final.
    """

    def __init__(self, command: str, words: list[str], options: EngineOptions) -> None:
        self.name = f"cmd:{command}"
        self.max_parallel = options.parallel or 1
        self._command = command
        self._words = words
        self._timeout_s = options.timeout_s
        self._numbers = count(options.first_process)
        self._idle: list[Dialogue] = []
        self._lock = threading.Lock()
        self._log_lines = LogLines()
        self._n_named = 0
        self._echoes = False
        self._is_closed = False
        self._surplus: list[Surplus] = []

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
        self.end_processes()
        self._is_closed = True

    def end_processes(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for dialogue in idle:
            dialogue.end()
            self._learn(dialogue)

    def take_surplus(self) -> list[Surplus]:
        with self._lock:
            surplus, self._surplus = self._surplus, []
        return surplus

    def take_messages(self) -> list[str]:
        """Return what to say about log lines: the first at once, and at the end how many."""
        n, n_named = self._log_lines.n, self._n_named
        if n == n_named or (n_named and not self._is_closed):
            return []
        self._n_named = n
        lines = "a line that is no answer" if n == 1 else f"{n} lines that are no answers, first"
        return [
            f"{self.name} printed {lines}: {self._log_lines.first}. Such lines are skipped; "
            "standard error is the place for them."
        ]

    def _ask(self, document: bytes) -> tuple[object, int | None]:
        dialogue = self._take()
        try:
            answer = dialogue.ask(document)
        except BaseException:
            # Otherwise the next answer could be the one to this request.
            dialogue.kill()
            self._learn(dialogue)
            raise
        self._echoes |= answer.is_numbered
        with self._lock:
            self._idle.append(dialogue)
        return answer.fields, None if answer.is_numbered else dialogue.number

    def _take(self) -> Dialogue:
        """Return a running process, an idle one if there is one."""
        while True:
            with self._lock:
                dialogue = self._idle.pop() if self._idle else None
            if dialogue is None:
                return self._start()
            if dialogue.is_alive():
                return dialogue
            dialogue.end()
            self._learn(dialogue)

    def _start(self) -> Dialogue:
        process = LineProcess(self._words, name=self.name, timeout_s=self._timeout_s)
        number = next(self._numbers)
        return Dialogue(process, self.name, number, self._log_lines, echoes=self._echoes)

    def _learn(self, dialogue: Dialogue) -> None:
        """Keep what the end of a process showed about it and its program."""
        self._echoes |= dialogue.echoes
        if dialogue.surplus is not None:
            with self._lock:
                self._surplus.append(Surplus(dialogue.number, dialogue.surplus))


def _is_program(word: str) -> bool:
    """Return whether a shell would find this program, by its path or in PATH."""
    folders = [""] if os.sep in word else os.get_exec_path()
    paths = [Path(folder, word) for folder in folders]
    return any(path.is_file() and os.access(path, os.X_OK) for path in paths)
