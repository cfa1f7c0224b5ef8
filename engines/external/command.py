"""A program as a judge: ``cmd:program argument``. It reads lines of JSON and answers in lines.

The program serves one exhibit after another, and ends when its input does. A process that
died is started again; calls at the same time have a process each. `Dialogue` tells answers
from other lines.
"""

from __future__ import annotations

import os
import shlex
from collections import deque
from itertools import count
from pathlib import Path

from faultpair.env.errors import EngineError, UsageError

from ..engine import Engine, EngineOptions, Identity
from .dialogue import Dialogue, LogLines
from .document import ExternalEngine, Surplus, answer_text, digest_of
from .pool import ProcessPool
from .process import LineProcess
from .surroundings import absolute, surroundings_of

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
    """A program and its processes.

    An `EngineError` is transient if a process ended, was killed after the time-out, or gave
    more answers than questions. It is final if an answer is broken JSON.
    """

    def __init__(self, command: str, words: list[str], options: EngineOptions) -> None:
        self.name = f"cmd:{command}"
        self.max_parallel = options.parallel or 1
        self._command = command
        self._files = [Path(word).absolute() for word in (*words[1:], words[0]) if _is_file(word)]
        self._words = _absolute(words)
        self._timeout_s = options.timeout_s
        self._numbers = count(options.first_process)
        self._surroundings = surroundings_of(options.process)
        self._pool = ProcessPool(self._start, self._learn)
        self._log_lines = LogLines()
        self._n_named = 0
        self._echoes = False
        self._is_closed = False
        self._surplus: deque[Surplus] = deque()

    def identify(self) -> Identity:
        """Return the command, and the digest of the first file among its words, if any.

        The program itself is the last choice: the script of an interpreter says more.
        """
        digest = digest_of(self._files[0]) if self._files else None
        return Identity("cmd", model=self._command, model_digest=digest)

    def close(self) -> None:
        self._pool.close()
        self._is_closed = True

    def end_processes(self) -> None:
        self._pool.end_idle()

    def take_surplus(self) -> list[Surplus]:
        return [self._surplus.popleft() for _ in range(len(self._surplus))]

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

    def _reply(self, document: bytes) -> tuple[str, int | None]:
        try:
            with self._pool.process() as dialogue:
                answer = dialogue.ask(document)
        except EngineError as error:
            raise self._surroundings.explained(error) from error
        self._echoes |= answer.is_numbered
        text = answer_text(answer.fields, self.name)
        return text, None if answer.is_numbered else dialogue.number

    def _start(self) -> Dialogue:
        process = LineProcess(
            self._words, self._surroundings, name=self.name, timeout_s=self._timeout_s
        )
        number = next(self._numbers)
        return Dialogue(process, self.name, number, self._log_lines, echoes=self._echoes)

    def _learn(self, dialogue: Dialogue) -> None:
        """Keep what the end of a process showed about it and its program."""
        self._echoes |= dialogue.echoes
        if dialogue.surplus is not None:
            self._surplus.append(Surplus(dialogue.number, dialogue.surplus))


def _is_program(word: str) -> bool:
    """Return whether a shell would find this program, by its path or in PATH."""
    return any(map(_is_executable, _candidates(word)))


def _candidates(word: str) -> list[str]:
    return [word] if os.sep in word else [str(Path(f, word)) for f in os.get_exec_path()]


def _is_executable(path: str) -> bool:
    return _is_file(path) and os.access(path, os.X_OK)


def _absolute(words: list[str]) -> list[str]:
    """Return the words of a command with absolute paths, since it works in another folder.

    A word is a path if it names a file, or holds a slash and names a folder; of an option such as
    ``--rubric=FILE`` the part after the sign counts. The program is a path if it holds a slash,
    and is looked up in PATH otherwise, which may name folders from here.
    """
    program, *arguments = words
    if os.sep not in program:
        program = next(filter(_is_executable, _candidates(program)), program)
    return [absolute(program), *map(_absolute_argument, arguments)]


def _absolute_argument(word: str) -> str:
    option, sign, value = word.partition("=")
    if sign and option.startswith("-") and not _is_file(word):
        return f"{option}={_absolute_word(value)}"
    return _absolute_word(word)


def _absolute_word(word: str) -> str:
    is_path = _is_file(word) or (os.sep in word and os.path.isdir(word))  # noqa: PTH112
    return absolute(word) if is_path else word


def _is_file(word: str) -> bool:
    # `os.path`, since pathlib raises an OSError for a word that is too long for a path.
    return os.path.isfile(word)  # noqa: PTH113
