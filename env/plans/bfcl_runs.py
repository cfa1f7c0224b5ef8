"""A model's answers to the cases of BFCL, and BFCL's verdicts on them.

A result file holds every case, a score file the failed ones alone. A case has passed if it is
in the first file and not in the second, provided that the counts of both agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from ..errors import RecordError
from ..records import Call
from .bfcl import read_each
from .call_text import calls_in, names_in

__all__ = ["Answer", "Failure", "Scoring", "read_answers", "read_scoring"]


class Failure(StrEnum):
    """The kinds of error that BFCL distinguishes."""

    VALUE = "value"
    TYPE = "type"
    COUNT = "number of calls"
    ARGUMENTS = "argument missing or unknown"
    TOOL = "tool"
    CALLED = "call where none fits"
    OTHER = "other"


_KINDS = (
    ("value_error", Failure.VALUE),
    ("type_error", Failure.TYPE),
    ("wrong_count", Failure.COUNT),
    ("missing_", Failure.ARGUMENTS),
    ("unexpected_param", Failure.ARGUMENTS),
    ("wrong_func_name", Failure.TOOL),
    ("irrelevance_error", Failure.CALLED),
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's plan for a case, or the reason that there is none."""

    case_id: str
    plan: tuple[Call, ...] | None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Scoring:
    """BFCL's verdict on a category: the number of cases, and each failed case with its kind."""

    total: int
    failed: Mapping[str, Failure]


class _Result(msgspec.Struct):
    id: str
    result: Any


class _Line(msgspec.Struct):
    """The first line of a score file holds the counts, every other a failed case."""

    correct_count: int | None = None
    total_count: int | None = None
    id: str | None = None
    error: Any = None
    error_type: str = ""


def read_answers(path: Path) -> Iterator[Answer]:
    """Yield a model's answer to each case; an unreadable answer has a problem and no plan.

    Raises
    ------
    RecordError
        For a line that is not a result.
    """
    for line, _ in read_each(path, _Result):
        try:
            yield Answer(line.id, _plan(line.result))
        except ValueError as problem:
            yield Answer(line.id, None, str(problem))


def read_scoring(path: Path) -> Scoring:
    """Return BFCL's verdict on a category.

    Raises
    ------
    RecordError
        If a line is malformed, or passed and failed cases do not sum to the total.
    """
    head: _Line | None = None
    failed: dict[str, Failure] = {}
    for line, where in read_each(path, _Line):
        if head is None:
            head = line
        elif line.id is None or line.id in failed:
            raise RecordError(f"{where}: field id: expected a new case, got {line.id!r}.")
        else:
            failed[line.id] = _failure(line)
    if head is None or head.correct_count is None or head.total_count is None:
        raise RecordError(f"{path}: the first line does not give correct_count and total_count.")
    if head.correct_count + len(failed) != head.total_count:
        raise RecordError(
            f"{path}: {head.correct_count} passed and {len(failed)} failed cases are not the "
            f"{head.total_count} of its first line. Give the score file as BFCL wrote it."
        )
    return Scoring(head.total_count, failed)


def _failure(line: _Line) -> Failure:
    error_type = line.error_type
    if isinstance(line.error, dict):
        error_type = str(line.error.get("error_type", error_type))
    elif error_type.endswith("cannot_find_match"):
        error_type = _first_sub_error(line.error)
    return next((kind for part, kind in _KINDS if part in error_type), Failure.OTHER)


def _first_sub_error(error: Any) -> str:
    """Return the reason of the first unmatched call, which is in the place of the missing one."""
    tried = [part for part in error if isinstance(part, dict)] if isinstance(error, list) else []
    reasons = [reason for part in tried for reason in part.values() if isinstance(reason, dict)]
    return next((str(reason.get("sub_error_type")) for reason in reasons), "")


def _plan(result: Any) -> tuple[Call, ...]:
    if isinstance(result, str):
        return calls_in(result)
    if not isinstance(result, list):
        raise ValueError(f"the result is neither text nor a list: {result!r:.60}")
    if any(isinstance(part, list) for part in result):
        return _names_of_turns(result)
    return tuple(call for part in result for call in _from_object(part))


def _from_object(part: Any) -> Iterator[Call]:
    """Yield the calls in {tool: arguments}, the arguments an object or a JSON text of one."""
    if not isinstance(part, dict):
        raise ValueError(f"a call is no object: {part!r:.60}")
    for name, args in part.items():
        try:
            given = msgspec.json.decode(args) if isinstance(args, str) else args
        except (msgspec.DecodeError, RecursionError) as error:
            raise ValueError(f"the arguments of {name} are no JSON: {args!r:.60}") from error
        if not isinstance(given, dict):
            raise ValueError(f"the arguments of {name} are no object: {args!r:.60}")
        yield Call(name, given)


def _names_of_turns(turns: list[Any]) -> tuple[Call, ...]:
    """Return the calls of all turns without arguments."""
    if not all(isinstance(turn, list) for turn in turns):
        raise ValueError("a turn is no list of steps")
    names = [name for turn in turns for step in turn for name in _names_of_step(step)]
    if not names:
        raise ValueError("no turn holds a call")
    return tuple(Call(name, {}) for name in names)


def _names_of_step(step: Any) -> tuple[str, ...]:
    """Return the tools that a step calls; a text that is no call is a message to the user."""
    if isinstance(step, list):
        return tuple(call.tool for part in step for call in _from_object(part))
    if not isinstance(step, str):
        raise ValueError(f"a step is neither text nor a list: {step!r:.60}")
    try:
        return names_in(step)
    except ValueError:
        return ()
