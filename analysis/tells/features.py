"""The groups of features of a page: words for a linear classifier, numbers for trees.

A group is *bare* if a fault is never meant to change it: no mask can explain it then.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .pages import Page

__all__ = ["GROUPS", "Group", "ids_in", "numbers_in"]

Features = str | tuple[float, ...]
_ID = re.compile(r"\b[A-Z]{2,}(?:-[A-Z]+)*-\d+\b")
_DIGITS = re.compile(r"\d+")
_SPACE = re.compile(r"\s{2,}|^\s|\s$|[^\x00-\x7f]")


@dataclass(frozen=True, slots=True)
class Group:
    """A group of features. ``of`` takes a page and the other page of its pair."""

    name: str
    of: Callable[[Page, Page], Features]
    is_bare: bool = False
    needs_pairs: bool = False
    """Whether the features depend on both pages, so that they are made of pairs alone."""


def ids_in(value: object) -> list[str]:
    """Return the ids in a value, in their order, such as ``ORD-4711``."""
    return _ID.findall(_json(value))


def numbers_in(value: object) -> Iterator[float]:
    """Yield the numbers of a value of JSON; those in texts are left out."""
    match value:
        case bool() | None | str():
            return
        case int() | float():
            yield float(value)
        case Mapping():
            for one in value.values():
                yield from numbers_in(one)
        case _ if isinstance(value, list | tuple):
            for one in value:
                yield from numbers_in(one)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _without_digits(value: object) -> str:
    return _DIGITS.sub("0", _json(value))


def _steps(page: Page, part: str) -> list[Any]:
    return [step[part] for step in page["steps"]]


def _args(page: Page) -> list[Any]:
    return [call["args"] for call in _steps(page, "call")]


def _tools(page: Page, _: Page) -> str:
    return " ".join(["begin", *(call["tool"] for call in _steps(page, "call")), "end"])


def _thought(page: Page, place: int) -> str:
    thoughts = _steps(page, "thought")
    return str(thoughts[place] or "") if thoughts else ""


def _pool(page: Page, _: Page) -> str:
    return " ".join(tool["name"] for tool in page.get("tools", ()))


def _equal_ids(page: Page, _: Page) -> str:
    """Name each id by its kind and by how many of its kind came before it."""
    names: dict[str, str] = {}
    kinds: dict[str, int] = {}
    for one in ids_in([page["goal"], page["steps"], page["reply"]]):
        kind = one.rpartition("-")[0].partition("-")[0]
        if one not in names:
            kinds[kind] = kinds.get(kind, 0) + 1
            names[one] = f"{kind}{kinds[kind]}"
    return " ".join(names[one] for one in ids_in([page["steps"], page["reply"]]))


def _digits(page: Page, other: Page) -> str:
    """Return the digits of the first and the last id of each kind that both pages have.

    How many ids there are, and of which kinds, is not told.
    """
    words = []
    for end, place in (("first", 0), ("last", -1)):
        numbers, others = (_numbers_by_kind(own, place) for own in (page, other))
        for kind in sorted(set(numbers) & set(others)):
            number = numbers[kind]
            traits = (number[0], f"{number[:2]}b", f"{number[-1]}e", f"{int(number) % 6}m")
            words += [f"{end}{kind}{trait}" for trait in (*traits, f"{len(number)}n")]
    return " ".join(words)


def _numbers_by_kind(page: Page, place: int) -> dict[str, str]:
    numbers: dict[str, list[str]] = {}
    for one in ids_in([page["steps"], page["reply"]]):
        kind, _, number = one.rpartition("-")
        numbers.setdefault(kind.replace("-", ""), []).append(number)
    return {kind: own[place] for kind, own in numbers.items()}


def _numbers(page: Page, _: Page) -> tuple[float, ...]:
    values = list(numbers_in([page["steps"], page["end_state"]]))
    return (*_summary(values), *sorted([*values, 0.0, 0.0, 0.0], reverse=True)[:3])


def _amounts(page: Page, _: Page) -> tuple[float, ...]:
    """Summarise the numbers that calls state: how many, how large, how round."""
    values = list(numbers_in(_args(page)))
    round_ones = sum(value == int(value) for value in values if abs(value) < 2**53)
    tens = sum(value % 10 == 0 for value in values)
    return (*_summary(values), float(round_ones), float(tens))


def _summary(values: list[float]) -> tuple[float, ...]:
    if not values:
        return (0.0, 0.0, 0.0, 0.0)
    return (float(len(values)), min(values), max(values), sum(values) / len(values))


def _n_steps(page: Page, _: Page) -> tuple[float, ...]:
    return (float(len(page["steps"])),)


def _lengths(page: Page, _: Page) -> tuple[float, ...]:
    parts = [_args(page), *(_steps(page, part) for part in ("thought", "observation"))]
    return tuple(float(len(_json(part))) for part in (*parts, page["reply"], page["steps"]))


def _marks(page: Page, _: Page) -> tuple[float, ...]:
    text = _json([page["steps"], page["reply"], page["end_state"]])
    return tuple(float(text.count(mark)) for mark in "\"',.:;!?()[]{}$_- ")


def _white_space(page: Page, _: Page) -> tuple[float, ...]:
    """Count runs of white space, spaces at an end, and signs beyond ASCII, in every text."""
    texts = [page["goal"], page["reply"], *(text or "" for text in _steps(page, "thought"))]
    return tuple(
        float(sum(len(_SPACE.findall(text)) for text in own)) for own in (texts[1:], texts)
    )


def _place(page: Page, _: Page) -> tuple[float, ...]:
    return tuple(page["places"])


GROUPS = (
    Group("goal", lambda page, _: str(page["goal"]), is_bare=True),
    Group("pool of tools", _pool, is_bare=True),
    Group("digits of ids", _digits, is_bare=True, needs_pairs=True),
    Group("place in the order of requests", _place, is_bare=True),
    Group("length of the goal", lambda page, _: (float(len(page["goal"])),), is_bare=True),
    Group("white space", _white_space, is_bare=True),
    Group("which ids are equal", _equal_ids),
    Group("thoughts", lambda page, _: " ".join(t or "" for t in _steps(page, "thought"))),
    Group("first thought", lambda page, _: _thought(page, 0)),
    Group("last thought", lambda page, _: _thought(page, -1)),
    Group("tools in order", _tools),
    Group("arguments", lambda page, _: _without_digits(_args(page))),
    Group("observations", lambda page, _: _without_digits(_steps(page, "observation"))),
    Group("reply", lambda page, _: _without_digits(page["reply"])),
    Group("end state", lambda page, _: _without_digits(page["end_state"])),
    Group("numbers", _numbers),
    Group("amounts in calls", _amounts),
    Group("number of steps", _n_steps),
    Group("lengths", _lengths),
    Group("length of the reply", lambda page, _: (float(len(page["reply"])),)),
    Group("marks", _marks),
)
"""Every group, in the order of the table."""
