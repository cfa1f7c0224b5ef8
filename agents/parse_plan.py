"""Parsing the plan in a model's answer, in any of the usual forms, or the reason why there is none.

A plan that calls an unknown tool, or with wrong arguments, is a plan all the same: the
reference scores it and the world refuses its calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec

from faultpair.engines.json_text import NOT_JSON, unfenced, why_not_json, without_thoughts
from faultpair.env.plans.call_text import calls_in
from faultpair.env.plans.records import Plan
from faultpair.env.records import Call

__all__ = ["Attrition", "NoPlan", "read_plan"]


class Attrition(StrEnum):
    """Why a request has no plan."""

    EMPTY = "empty"
    NOT_JSON = "not-json"
    NO_CALLS = "no-calls"
    CUT_OFF = "cut-off"
    TOO_LONG = "too-long"


@dataclass(frozen=True, slots=True)
class NoPlan:
    """Why an answer holds no plan: the kind, and the reason in words."""

    kind: Attrition
    reason: str


class _NoCallsError(ValueError):
    """JSON that is no list of calls; its text says why."""


_NAMES = ("tool", "name")
_ARGS = ("args", "arguments", "parameters")
_TAGGED = re.compile(r"<tool_call>\s*(.*?)\s*</tool_call>\s*", re.DOTALL)
_WITHOUT_A_CALL = NoPlan(Attrition.EMPTY, "the answer is a list without a call")


def read_plan(text: str, finish_reason: str = "stop") -> Plan | NoPlan:
    """Return the calls in an answer, in their order, or why it holds none.

    Besides the form that the prompt asks for, it accepts thoughts before it, a fence around
    it, the names that APIs and chat templates have for a tool and its arguments, one call
    without an array, and calls written as code.

    Examples
    --------
    >>> read_plan('[{"tool": "wave", "args": {"hand": "left"}}]')
    (Call(tool='wave', args={'hand': 'left'}),)
    >>> read_plan('{"name": "wave", "arguments": "{}"}') == read_plan("[wave()]")
    True
    >>> read_plan("I would wave.").reason
    'the answer is not JSON'
    """
    bare = _bare(text)
    try:
        answer = msgspec.json.decode(bare)
    except NOT_JSON:
        return _read_code(bare, finish_reason)
    try:
        return tuple(map(_call, _entries(answer))) or _WITHOUT_A_CALL
    except _NoCallsError as error:
        return NoPlan(Attrition.NO_CALLS, str(error))


def _bare(text: str) -> str:
    """Return an answer without the thoughts, the fence and the tags around its calls."""
    bare = unfenced(without_thoughts(text))
    tagged = _TAGGED.findall(bare)
    return f"[{', '.join(tagged)}]" if tagged and not _TAGGED.sub("", bare) else bare


def _read_code(code: str, finish_reason: str) -> Plan | NoPlan:
    """Parse calls written as code, unless it was cut off: calls could then be missing."""
    if finish_reason == "length":
        return NoPlan(Attrition.CUT_OFF, "the answer was cut off at its longest")
    if not code:
        return NoPlan(Attrition.EMPTY, why_not_json(code, finish_reason))
    try:
        return _as_json(calls_in(code)) or _WITHOUT_A_CALL
    except ValueError:
        return NoPlan(Attrition.NOT_JSON, why_not_json(code, finish_reason))


def _as_json(calls: Iterable[Call]) -> Plan:
    """Return calls as they are once written: code can hold what JSON cannot."""
    return msgspec.json.decode(msgspec.json.encode(tuple(calls)), type=Plan)


def _entries(answer: Any) -> list[Any]:
    """Return the entries of the list in an answer, each of which should be a call."""
    match answer:
        case {"tool_calls": list(entries)}:
            return entries
        case list():
            return answer
        case dict():
            return [answer]
    raise _NoCallsError("the answer is JSON, but no list of calls")


def _call(entry: Any) -> Call:
    match entry:
        case {"function": dict(call)} | dict(call):
            pass
        case _:
            raise _NoCallsError(f"a call is no object: {entry!r:.60}")
    tool = _first(call, _NAMES)
    if not isinstance(tool, str) or not tool:
        raise _NoCallsError(f"a call names no tool: {entry!r:.60}")
    return Call(tool, _args(_first(call, _ARGS), tool))


def _first(call: dict[str, Any], names: Iterable[str]) -> Any:
    """Return the value of the first of some keys that a call has."""
    return next((call[name] for name in names if name in call), None)


def _args(given: Any, tool: str) -> dict[str, Any]:
    """Return arguments given as an object, as the JSON of one, or left out."""
    if given is None or given == "":
        return {}
    if isinstance(given, str):
        try:
            given = msgspec.json.decode(given)
        except NOT_JSON:
            given = None
    if not isinstance(given, dict):
        raise _NoCallsError(f"the arguments of {tool} are no object")
    return given
