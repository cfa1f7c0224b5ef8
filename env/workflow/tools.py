"""Tools of a sector: typed arguments in, typed fields out, and a function in between.

Most tools look something up: their answer is drawn, once and for all, from a
stream that the tool's name and its arguments key. Others compute. Either way
equal arguments give equal answers, so a plan that is run again comes out the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..rng import stream
from .value_types import ValueType

__all__ = ["Field", "Parameter", "Sector", "Tool"]

DECIMALS = 4


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument: its name in the schema, what it means, and how a request brings it up.

    ``phrase`` holds ``{}`` where the value goes, as in ``"with {} of headroom"``.
    """

    name: str
    kind: ValueType
    phrase: str = "for {}"
    optional: bool = False

    @property
    def label(self) -> str:
        """The name as words."""
        return self.name.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Field:
    """One value that a tool gives."""

    name: str
    kind: ValueType

    @property
    def label(self) -> str:
        """The name as words."""
        return self.name.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that really runs.

    ``ask`` orders its use and holds the words of its name; ``hint`` tells what one
    would like to know or have done, without those words, so that it reads on after
    "I need to know". ``run`` takes the arguments by name and returns the value of
    the one field, or a tuple with one value a field; without it the answer is looked
    up. ``same_as`` names the tool in whose place it may stand: same arguments,
    fields and answers.
    """

    name: str
    purpose: str
    takes: tuple[Parameter, ...]
    gives: tuple[Field, ...]
    ask: str
    hint: str
    run: Callable[..., Any] | None = None
    same_as: str | None = None

    @property
    def canonical(self) -> str:
        """The name of the tool that it equals, its own mostly."""
        return self.same_as or self.name

    def answer(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the tool gives for valid arguments, by field."""
        values = self._looked_up(args) if self.run is None else self._computed(args)
        return {
            given.name: _rounded(value) for given, value in zip(self.gives, values, strict=True)
        }

    def _computed(self, args: Mapping[str, Any]) -> tuple[Any, ...]:
        assert self.run is not None
        result = self.run(**args)
        return result if len(self.gives) > 1 else (result,)

    def _looked_up(self, args: Mapping[str, Any]) -> tuple[Any, ...]:
        key = json.dumps(args, sort_keys=True, ensure_ascii=False)
        rng = stream(self.canonical, key)
        return tuple(given.kind.draw(rng) for given in self.gives)


@dataclass(frozen=True, slots=True)
class Sector:
    """An enterprise domain, such as energy grid operations, with its tools."""

    name: str
    title: str
    tools: tuple[Tool, ...]
    by_name: dict[str, Tool] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {tool.name: tool for tool in self.tools})


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        value = round(value, DECIMALS)
        return int(value) if value == int(value) else value
    if isinstance(value, list):
        return [_rounded(part) for part in value]
    return value
