"""References to outputs of earlier calls, ``"$get_feeder_load.load_kw"``, and the data flow.

A reference names the tool, the use of it from the second on, and the output:
``"$get_feeder_load#2.load_kw"``. It names no position, so inserting or moving a call changes
no other call.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..records import Call

__all__ = ["DataFlow", "Reference", "data_flow", "references_in", "uses_of"]

_REFERENCE = re.compile(
    r"\$(?P<tool>[A-Za-z_]\w*)(?:#(?P<use>[1-9][0-9]{0,3}))?\.(?P<field>[A-Za-z_]\w*)"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """An output of the use-th call (1-based) of a tool."""

    tool: str
    use: int
    field: str

    def __str__(self) -> str:
        use = "" if self.use == 1 else f"#{self.use}"
        return f"${self.tool}{use}.{self.field}"

    @classmethod
    def parse(cls, value: object) -> Reference | None:
        """Return an argument as a reference, None if it is a plain value.

        >>> Reference.parse("$get_feeder_load#2.load_kw")
        Reference(tool='get_feeder_load', use=2, field='load_kw')
        """
        match = _REFERENCE.fullmatch(value) if isinstance(value, str) else None
        return match and cls(match["tool"], int(match["use"] or 1), match["field"])


@dataclass(frozen=True, slots=True)
class DataFlow:
    """The sources of each call of a plan, and its references that no earlier call answers.

    ``sources[i]`` holds the indices of the earlier calls whose output call ``i`` takes.
    """

    sources: tuple[frozenset[int], ...]
    dangling: tuple[tuple[Reference, ...], ...]

    @property
    def targets(self) -> tuple[frozenset[int], ...]:
        """The calls that take outputs of each call."""
        return tuple(
            frozenset(later for later, sources in enumerate(self.sources) if index in sources)
            for index in range(len(self.sources))
        )


def references_in(value: object) -> Iterator[Reference]:
    """Yield the references in an argument, or in all arguments of a call, at any depth."""
    reference = Reference.parse(value)
    if reference is not None:
        yield reference
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from references_in(part)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for part in value:
            yield from references_in(part)


def uses_of(calls: Sequence[Call]) -> list[tuple[Call, int]]:
    """Return each call with its number among the uses of its tool, from 1."""
    uses: Counter[str] = Counter()
    numbered = []
    for call in calls:
        uses[call.tool] += 1
        numbered.append((call, uses[call.tool]))
    return numbered


def data_flow(calls: Sequence[Call]) -> DataFlow:
    """Return the data flow of the calls of a plan in their order."""
    made: dict[tuple[str, int], int] = {}
    sources, dangling = [], []
    for index, (call, use) in enumerate(uses_of(calls)):
        references = dict.fromkeys(references_in(call.args))
        places = {reference: made.get((reference.tool, reference.use)) for reference in references}
        sources.append(frozenset(place for place in places.values() if place is not None))
        dangling.append(tuple(name for name, place in places.items() if place is None))
        made[call.tool, use] = index
    return DataFlow(tuple(sources), tuple(dangling))
