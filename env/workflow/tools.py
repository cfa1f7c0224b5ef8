"""Tools of a sector: typed inputs, typed outputs, and a function between them.

Most tools look something up: the answer is drawn from a random stream whose key is the name
of the tool and the arguments. Others compute. Either way equal arguments give equal answers,
so a plan that is run again has the same observations.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..rng import stream
from .value_types import ListOf, ValueType

__all__ = ["Field", "Parameter", "Sector", "Tool"]

DECIMALS = 4


@dataclass(frozen=True, slots=True)
class Field:
    """One output of a tool."""

    name: str
    type: ValueType

    @property
    def label(self) -> str:
        """The name as words."""
        return self.name.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Parameter(Field):
    """An argument: its name in the schema, its value type, and its phrase in a request.

    ``phrase`` has ``{}`` in the place of the value, as in ``"with {} of headroom"``.
    """

    phrase: str = "for {}"
    optional: bool = False

    @property
    def item_type(self) -> ValueType:
        """Its value type; of a list, that of the items."""
        return self.type.of if isinstance(self.type, ListOf) else self.type


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool with a function that runs.

    ``ask`` is an order with the words of its name; ``hint`` is what a person wants to know
    or have done, without those words, in a form that continues "I need to know". ``run``
    takes the arguments by name and returns the value of the only output, or a tuple of one
    value per output; without it the answer is looked up. ``same_as`` names the tool that
    this one can replace: same inputs, outputs and answers.
    """

    name: str
    purpose: str
    inputs: tuple[Parameter, ...]
    outputs: tuple[Field, ...]
    ask: str
    hint: str
    run: Callable[..., Any] | None = None
    same_as: str | None = None

    @property
    def canonical(self) -> str:
        """The name of the tool that it replaces, else its own."""
        return self.same_as or self.name

    def answer(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """Return the outputs for valid arguments, by name."""
        values = self._looked_up(args) if self.run is None else self._computed(args)
        return {
            part.name: _rounded(value) for part, value in zip(self.outputs, values, strict=True)
        }

    def _computed(self, args: Mapping[str, Any]) -> tuple[Any, ...]:
        assert self.run is not None
        result = self.run(**args)
        return result if len(self.outputs) > 1 else (result,)

    def _looked_up(self, args: Mapping[str, Any]) -> tuple[Any, ...]:
        key = json.dumps(args, sort_keys=True, ensure_ascii=False)
        rng = stream(self.canonical, key)
        return tuple(part.type.draw(rng) for part in self.outputs)


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
