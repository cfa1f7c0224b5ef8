"""The clauses of a request: a tool to use, the stated arguments, and the fed arguments.

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
    """An argument that the request states, with several values for a loop."""

    parameter: Parameter
    values: tuple[Any, ...]

    def exact(self) -> tuple[str, ...]:
        """Return the values in the form of their schema."""
        return tuple(map(self.parameter.type.exact, self.values))

    def plain(self) -> tuple[str, ...]:
        """Return the values as people write them."""
        return tuple(map(self.parameter.type.plain, self.values))


@dataclass(frozen=True, slots=True)
class Fed:
    """An argument that takes an output of an earlier clause."""

    parameter: Parameter
    field: Field
    source: int


@dataclass(frozen=True, slots=True)
class Clause:
    """One use of a tool, or with ``is_loop`` one for each of several values."""

    tool: Tool
    stated: tuple[Stated, ...]
    fed: tuple[Fed, ...]
    is_loop: bool


def clauses_of(sector: Sector, plan: Sequence[Call]) -> tuple[Clause, ...]:
    """Return the clauses of a plan in its order."""
    names = list(dict.fromkeys(call.tool for call in plan))
    return tuple(
        _clause(sector, [call for call in plan if call.tool == name], names) for name in names
    )


def _clause(sector: Sector, calls: Sequence[Call], names: Sequence[str]) -> Clause:
    tool = sector.by_name[calls[0].tool]
    stated: list[Stated] = []
    fed: list[Fed] = []
    for parameter in tool.inputs:
        arguments = [call.args[parameter.name] for call in calls if parameter.name in call.args]
        reference = next(references_in(arguments), None)
        if reference is not None:
            giver = sector.by_name[reference.tool]
            field = next(field for field in giver.outputs if field.name == reference.field)
            fed.append(Fed(parameter, field, names.index(reference.tool)))
        elif arguments:
            stated.append(Stated(parameter, tuple(dict.fromkeys(arguments))))
    return Clause(tool, tuple(stated), tuple(fed), len(calls) > 1)
