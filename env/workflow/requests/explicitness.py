"""Explicitness: the share of its plan that a request states.

The facts of a plan are the names of the given parameters, their exact values, and the tools.
A request states a tool if it holds all words of the tool's name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from ...plans.records import Tier
from ..instances import WorkflowInstance
from ..sectors import sector_named
from ..tools import Parameter, Sector

__all__ = ["explicitness", "given_parameters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explicitness:
    """The number of facts of each sort, and the number that a request states."""

    names: int
    names_stated: int
    values: int
    values_stated: int
    tools: int
    tools_stated: int

    @property
    def share(self) -> float:
        """The share of stated facts, in [0, 1]."""
        stated = self.names_stated + self.values_stated + self.tools_stated
        return stated / (self.names + self.values + self.tools)


def explicitness(instance: WorkflowInstance, tier: Tier) -> Explicitness:
    """Return the explicitness of the request at a tier."""
    given = given_parameters(sector_named(instance.sector), instance)
    query = instance.query(tier)
    in_order = re.findall(r"\w+", query.casefold())
    text, words = f" {' '.join(in_order)} ", set(in_order)
    names = {parameter.name for _, parameter, _ in given}
    values = {parameter.type.exact(value) for _, parameter, value in given}
    tools = {call.tool for call in instance.plan}
    return Explicitness(
        names=len(names),
        names_stated=sum(
            f" {name.replace('_', ' ')} " in text or f" {name} " in text for name in names
        ),
        values=len(values),
        values_stated=sum(_states(query, value) for value in values),
        tools=len(tools),
        tools_stated=sum(words.issuperset(tool.split("_")) for tool in tools),
    )


def given_parameters(
    sector: Sector, instance: WorkflowInstance
) -> tuple[tuple[str, Parameter, object], ...]:
    """Return the key, the parameter and the value of each given argument."""
    given = []
    for key, value in instance.given.items():
        use, _, name = key.partition(".")
        tool = sector.by_name[use.partition("#")[0]]
        parameter = next(part for part in tool.inputs if part.name == name)
        given.append((key, parameter, value))
    return tuple(given)


def _states(query: str, value: str) -> bool:
    """Return whether a request holds a value, not as a part of a longer word or number."""
    return any(
        not (_is_word(before[-1:]) or before[-1:] in {".", ",", "-"})
        and not (_is_word(after[:1]) or after[:1] == "-")
        for before, after in pairwise(query.split(value))
    )


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
