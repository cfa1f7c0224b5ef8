"""Cases of the Berkeley Function-Calling Leaderboard (v4) as requests with reference plans.

The plan of a case of one turn is made from its accepted answers. A case of several turns
keeps the names of its calls in their order, because the files hold no schemas of its tools
and no names of arguments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ..errors import RecordError
from ..jsonl import decode_line, read_lines
from ..records import Call
from .call_text import names_in
from .records import ToolSchema

__all__ = ["Case", "category_of", "read_cases", "read_each"]

T = TypeVar("T")
Accepted = dict[str, list[Any]]

_FILE = re.compile(r"BFCL_v\d+_(?P<category>\w+?)(_result|_score)?\.json")
_TYPES = {"dict": "object", "float": "number", "tuple": "array"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A request with its pool of tools and its reference plan."""

    case_id: str
    category: str
    goal: str
    tools: tuple[ToolSchema, ...]
    plan: tuple[Call, ...]


class _Message(msgspec.Struct):
    content: str | None = None


class _Function(msgspec.Struct):
    name: str
    description: str = ""
    parameters: dict[str, Any] = {}
    response: dict[str, Any] = {}


class _Question(msgspec.Struct):
    id: str
    question: list[list[_Message]]
    function: list[_Function] | None = None


class _Truth(msgspec.Struct):
    id: str
    ground_truth: list[dict[str, Accepted] | list[str]]


def category_of(path: Path) -> str:
    """Return the category in the name of a file.

    >>> category_of(Path("BFCL_v4_live_simple_result.json"))
    'live_simple'
    """
    match = _FILE.fullmatch(path.name)
    if match is None:
        raise RecordError(f"{path}: expected a file called BFCL_v4_CATEGORY….json.")
    return match["category"]


def read_cases(questions: Path, answers: Path) -> Iterator[Case]:
    """Yield the cases of a category.

    The plan holds the first accepted value of every key that is not optional; a list of
    accepted values that holds "" marks a key as optional, unless the tool requires it.

    Raises
    ------
    RecordError
        For a malformed line, a question without an answer, and an answer with a tool or a
        key that the question does not have.
    """
    category = category_of(questions)
    truths = {truth.id: (truth, where) for truth, where in read_each(answers, _Truth)}
    for question, where in read_each(questions, _Question):
        if question.id not in truths:
            raise RecordError(f"{where}: field id: {question.id!r} has no answer in {answers}.")
        yield _case(question, *truths[question.id], category)


def read_each(path: Path, line_type: type[T]) -> Iterator[tuple[T, str]]:
    """Yield the decoded lines of a file, each with its place for error messages."""
    decoder = msgspec.json.Decoder(line_type)
    for number, line in read_lines(path):
        where = f"{path}, line {number}"
        yield decode_line(decoder, line, where), where


def _case(question: _Question, truth: _Truth, where: str, category: str) -> Case:
    turns = ("\n\n".join(part.content or "" for part in turn) for turn in question.question)
    goal = "\n\n".join(turns)
    if question.function is None:
        plan = _names_only(truth, where)
        tools = tuple(ToolSchema(name, "", {}, {}) for name in dict.fromkeys(c.tool for c in plan))
    else:
        tools = tuple(map(_tool, question.function))
        plan = tuple(_expected(truth, {tool.name: tool for tool in tools}, where))
    return Case(case_id=question.id, category=category, goal=goal, tools=tools, plan=plan)


def _tool(function: _Function) -> ToolSchema:
    return ToolSchema(
        name=function.name,
        description=function.description,
        parameters=_json_schema(function.parameters),
        returns=_json_schema(function.response),
    )


def _json_schema(part: Any) -> Any:
    """Return a schema with the type names of JSON Schema, and no type in place of "any"."""
    if isinstance(part, list):
        return [_json_schema(item) for item in part]
    if not isinstance(part, dict):
        return part
    schema = {word: _json_schema(value) for word, value in part.items()}
    if isinstance(name := schema.get("type"), str):
        schema["type"] = _TYPES.get(name, name)
    return {word: value for word, value in schema.items() if (word, value) != ("type", "any")}


def _expected(truth: _Truth, pool: Mapping[str, ToolSchema], where: str) -> Iterator[Call]:
    for call in truth.ground_truth:
        if not isinstance(call, dict):
            raise RecordError(
                f"{where}: field ground_truth: expected an object for each call, got {call!r:.60}."
            )
        for name, accepted in call.items():
            if name not in pool or not accepted.keys() <= pool[name].known:
                raise RecordError(
                    f"{where}: field ground_truth: no tool of the question takes this call "
                    f"of {name!r}. Give the answers that belong to the questions."
                )
            required = pool[name].required
            args = {
                key: _first(values)
                for key, values in accepted.items()
                if key in required or not _optional(values)
            }
            yield Call(name, args)


def _first(accepted: Any) -> Any:
    """Return the first accepted value; an object lists the accepted values of each key."""
    choices = accepted if isinstance(accepted, list) else [accepted]
    value = next((choice for choice in choices if choice != ""), "")
    if isinstance(value, list):
        return [_first([part]) for part in value]
    if isinstance(value, dict):
        return {key: _first(inner) for key, inner in value.items() if not _optional(inner)}
    return value


def _optional(accepted: Any) -> bool:
    return isinstance(accepted, list) and "" in accepted


def _names_only(truth: _Truth, where: str) -> tuple[Call, ...]:
    texts = [text for turn in truth.ground_truth for text in turn]
    try:
        return tuple(Call(name, {}) for text in texts for name in names_in(text))
    except ValueError as error:
        raise RecordError(f"{where}: field ground_truth: {error}.") from error
