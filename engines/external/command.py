"""A program as a judge: ``cmd:program argument``. It reads lines of JSON and answers in lines.

The program serves one exhibit after another, and ends when its input does. A process that
died is started again; calls at the same time have a process each.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import msgspec

from faultpair.env.errors import EngineError, UsageError

from ..engine import Engine, EngineOptions, Identity
from ..http import OBJECT
from .document import ExternalEngine, digest_of
from .process import LONGEST_QUOTE, LineProcess, ProcessPool
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

    The end of a process, or a time-out after which it is killed, is transient. An answer
    that is not a JSON object, or a line too many, is final.
    """

    def __init__(self, command: str, words: list[str], options: EngineOptions) -> None:
        self.name = f"cmd:{command}"
        self.max_parallel = options.parallel or 1
        self._command = command
        self._files = [Path(word).absolute() for word in (*words[1:], words[0]) if _is_file(word)]
        self._words = _absolute(words)
        self._timeout_s = options.timeout_s
        self._surroundings = surroundings_of(options.process)
        self._pool = ProcessPool(self._start)

    def identify(self) -> Identity:
        """Return the command, and the digest of the first file among its words, if any.

        The program itself is the last choice: the script of an interpreter says more.
        """
        digest = digest_of(self._files[0]) if self._files else None
        return Identity("cmd", model=self._command, model_digest=digest)

    def close(self) -> None:
        self._pool.close()

    def _answer(self, document: bytes) -> object:
        try:
            with self._pool.process() as process:
                return self._read(process.ask(document))
        except EngineError as error:
            raise self._surroundings.explained(error) from error

    def _start(self) -> LineProcess:
        return LineProcess(
            self._words, self._surroundings, name=self.name, timeout_s=self._timeout_s
        )

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
