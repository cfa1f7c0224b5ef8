"""Which line of a program answers which question: the number ``n`` in both tells.

A program that repeats ``n`` may print other lines; they are skipped. The answers of one that
does not are taken in their order, as long as they are no more than the questions.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, NamedTuple

import msgspec

from faultpair.env.errors import EngineError

from ..http import OBJECT
from ..transport import MOST_BYTES
from .process import LineProcess

__all__ = ["Answer", "Dialogue", "LogLines"]

GRACE_S = 1.0
"""Seconds, beyond twice those of the slowest answer, in which an answer too many may come."""

_LONGEST_QUOTE = 200


@dataclass(slots=True)
class LogLines:
    """The lines of all processes of a program that are no answers: how many, and the first."""

    n: int = 0
    first: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, quote: str) -> None:
        """Count a line."""
        with self._lock:
            self.first = self.first or quote
            self.n += 1


class Answer(NamedTuple):
    """An answer; ``is_numbered`` says that it certainly belongs to its question."""

    fields: dict[str, Any]
    is_numbered: bool


@dataclass(slots=True)
class Dialogue:
    """The questions to one process and its answers.

    ``number`` is that of the process, ``echoes`` says whether the program is known to repeat
    ``n``. ``surplus`` quotes the first answer beyond the questions: it is not known then which
    answer without a number belongs to which question.
    """

    process: LineProcess
    name: str
    number: int
    log_lines: LogLines
    echoes: bool = False
    surplus: str | None = None
    _n_asked: int = 0
    _is_open: bool = False
    _is_in_doubt: bool = False
    _slowest_s: float = 0.0

    def is_alive(self) -> bool:
        """Return whether the process still runs."""
        return self.process.is_alive()

    def ask(self, document: bytes) -> Answer:
        """Send a question, with its number, and return its answer.

        Raises
        ------
        EngineError
            If the process ends, is killed after the time-out, or gave an answer too many.
        """
        self._read_waiting()
        self._n_asked += 1
        self._is_open = True
        fields = msgspec.json.decode(document, type=dict[str, msgspec.Raw])
        question = msgspec.json.encode({"n": self._n_asked} | fields)
        started = monotonic()
        answer = self.process.ask(question, self._read)
        self._slowest_s = max(self._slowest_s, monotonic() - started)
        return answer

    def end(self) -> None:
        """Let the process end, and read what it still prints."""
        if self._is_in_doubt and not self.echoes:
            # A judge that is one answer ahead still works on the last one.
            for line in self.process.last_lines(GRACE_S + 2 * self._slowest_s):
                self._note(line)
        self.process.end()
        self._note_rest()

    def kill(self) -> None:
        """End the process at once, and read what it had printed."""
        self.process.kill()
        self._note_rest()

    def _read(self, line: bytes) -> Answer | None:
        """Return the answer in a line that came after the question, None in a log line."""
        if len(line) > MOST_BYTES:
            raise EngineError(f"{self.name} sent a line of more than {MOST_BYTES // 1_000_000} MB.")
        found = _object_in(line)
        if found is not None and _whole(found.get("n")) == self._n_asked:
            return self._answer(found, is_echo="faulty" in found)
        if found is None and _is_broken_answer(line):
            raise EngineError(
                f"{self.name} answered with {_quoted(line)}; expected one line with a JSON object."
            )
        if self.echoes or found is None or "faulty" not in found:
            self._skip(line)
            return None
        if "n" not in found:
            return self._answer(found, is_echo=False)
        self._note(line)
        raise self._too_many() if self.surplus else self._misnumbered(line)

    def _answer(self, found: dict[str, Any], *, is_echo: bool) -> Answer:
        self.echoes |= is_echo
        self._is_open = False
        self._is_in_doubt |= not self.echoes
        found.pop("n", None)
        return Answer(found, is_numbered=self.echoes)

    def _read_waiting(self) -> None:
        """Read what came since the last answer; an answer is one too many."""
        for line in self.process.waiting_lines():
            self._note(line)
        if self.surplus is not None:
            raise self._too_many()

    def _note_rest(self) -> None:
        for line in self.process.waiting_lines():
            self._note(line)

    def _note(self, line: bytes) -> None:
        """Read a line that answers no question, or the last one too late."""
        found = _object_in(line)
        is_answer = "faulty" in found if found is not None else _is_broken_answer(line)
        if self.echoes or not is_answer or not self._n_asked:
            self._skip(line)
            return
        number = self._n_asked
        if found is not None and "n" in found:
            number = _whole(found["n"]) or 0
            self.echoes = 1 <= number <= self._n_asked
        if self._is_open and number == self._n_asked:
            self._is_open = False
        elif self._is_in_doubt and self.surplus is None:
            self.surplus = _quoted(line)

    def _skip(self, line: bytes) -> None:
        if line.strip():
            self.log_lines.add(_quoted(line))

    def _too_many(self) -> EngineError:
        return EngineError(
            f"{self.name} gave one answer more than it was asked questions: {self.surplus}. Its "
            "answers without the number of a question are void.",
            transient=True,
        )

    def _misnumbered(self, line: bytes) -> EngineError:
        return EngineError(
            f'{self.name} answered question {self._n_asked} with another "n": {_quoted(line)}. '
            'Repeat the "n" of the question, a whole number, or leave it out.'
        )


def _object_in(line: bytes) -> dict[str, Any] | None:
    try:
        return OBJECT.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return None


def _whole(value: object) -> int | None:
    """Return the whole number that a value of JSON is: 1.0 is 1, and true is none."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _is_broken_answer(line: bytes) -> bool:
    """Return whether a line was meant as an answer, such as one with a NaN or a dict of Python."""
    return line.lstrip().startswith(b"{") and b"faulty" in line


def _quoted(line: bytes) -> str:
    return repr(line[:_LONGEST_QUOTE].decode("utf-8", "replace").strip())
