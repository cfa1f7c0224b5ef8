"""A plan as a request tells it: what to do, what it is told, what it takes from before.

The calls of a loop make one clause, whose changing argument has several values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...plans.dataflow import references_in
from ...records import Call
from ..tools import Field, Parameter, Sector, Tool

__all__ = ["Clause", "Fed", "Stated", "clauses_of"]


@dataclass(frozen=True, slots=True)
class Stated:
    """An argument that the request states; several values where the calls of a loop differ."""

    parameter: Parameter
    values: tuple[Any, ...]

    def exact(self) -> tuple[str, ...]:
        """Return its values as a schema has them."""
        return tuple(map(self.parameter.kind.exact, self.values))

    def plain(self) -> tuple[str, ...]:
        """Return its values as people say them."""
        return tuple(map(self.parameter.kind.plain, self.values))


@dataclass(frozen=True, slots=True)
class Fed:
    """An argument that takes a field of an earlier clause."""

    parameter: Parameter
    field: Field
    source: int


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing to do; ``is_loop`` if it is to be done for several values."""

    tool: Tool
    stated: tuple[Stated, ...]
    fed: tuple[Fed, ...]
    is_loop: bool


def clauses_of(sector: Sector, plan: Sequence[Call]) -> tuple[Clause, ...]:
    """Return what a request has to tell of a plan, in the plan's order."""
    names = list(dict.fromkeys(call.tool for call in plan))
    return tuple(
        _clause(sector, [call for call in plan if call.tool == name], names) for name in names
    )


def _clause(sector: Sector, calls: Sequence[Call], names: Sequence[str]) -> Clause:
    tool = sector.by_name[calls[0].tool]
    stated: list[Stated] = []
    fed: list[Fed] = []
    for parameter in tool.takes:
        arguments = [call.args[parameter.name] for call in calls if parameter.name in call.args]
        reference = next(references_in(arguments), None)
        if reference is not None:
            giver = sector.by_name[reference.tool]
            field = next(field for field in giver.gives if field.name == reference.field)
            fed.append(Fed(parameter, field, names.index(reference.tool)))
        elif arguments:
            stated.append(Stated(parameter, tuple(dict.fromkeys(arguments))))
    return Clause(tool, tuple(stated), tuple(fed), len(calls) > 1)
