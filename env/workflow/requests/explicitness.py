"""How much of its plan a request gives away.

The measure is the share of three sorts of facts that the request states: the names of
the given parameters, their exact values, and the tools (all words of a tool's name).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from ...plans.records import Tier
from ..instances import WorkflowInstance
from ..sectors import sector_named
from ..tools import Parameter, Sector

__all__ = ["Explicitness", "explicitness", "given_parameters"]


@dataclass(frozen=True, slots=True)
class Explicitness:
    """How many of each sort of facts there are, and how many of them a request states."""

    names: int
    names_stated: int
    values: int
    values_stated: int
    intents: int
    intents_stated: int

    @property
    def share(self) -> float:
        """The share of all facts that are stated, in [0, 1]."""
        stated = self.names_stated + self.values_stated + self.intents_stated
        return stated / (self.names + self.values + self.intents)


def explicitness(instance: WorkflowInstance, tier: Tier) -> Explicitness:
    """Return what the request at a tier gives away."""
    given = given_parameters(sector_named(instance.sector), instance)
    query = instance.query(tier)
    spoken = re.findall(r"\w+", query.casefold())
    text, words = f" {' '.join(spoken)} ", set(spoken)
    names = {parameter.name for _, parameter, _ in given}
    values = {parameter.kind.exact(value) for _, parameter, value in given}
    tools = {call.tool for call in instance.plan}
    return Explicitness(
        len(names),
        sum(f" {name.replace('_', ' ')} " in text or f" {name} " in text for name in names),
        len(values),
        sum(_states(query, value) for value in values),
        len(tools),
        sum(words.issuperset(tool.split("_")) for tool in tools),
    )


def given_parameters(
    sector: Sector, instance: WorkflowInstance
) -> tuple[tuple[str, Parameter, object], ...]:
    """Return the key, the parameter and the value of each argument that a request states."""
    found = []
    for key, value in instance.given.items():
        use, _, name = key.partition(".")
        tool = sector.by_name[use.partition("#")[0]]
        parameter = next(taken for taken in tool.takes if taken.name == name)
        found.append((key, parameter, value))
    return tuple(found)


def _states(query: str, value: str) -> bool:
    """Whether a value stands in a request, and not as a part of something longer."""
    return any(
        not (_is_word(before[-1:]) or before[-1:] in {".", ",", "-"})
        and not (_is_word(after[:1]) or after[:1] == "-")
        for before, after in pairwise(query.split(value))
    )


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
