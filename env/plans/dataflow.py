"""How a call takes what an earlier call gives: ``"$get_feeder_load.load_kw"``.

A reference names the tool, from its second use on the use, and the field of its
output: ``"$get_feeder_load#2.load_kw"``. It names no position, so a call that is
inserted or moved changes no other call.
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
    """The field that the use-th call (1-based) of a tool gives."""

    tool: str
    use: int
    field: str

    def __str__(self) -> str:
        use = "" if self.use == 1 else f"#{self.use}"
        return f"${self.tool}{use}.{self.field}"

    @classmethod
    def parse(cls, value: object) -> Reference | None:
        """Return the reference that an argument is, None if it is a plain value.

        >>> Reference.parse("$get_feeder_load#2.load_kw")
        Reference(tool='get_feeder_load', use=2, field='load_kw')
        """
        found = _REFERENCE.fullmatch(value) if isinstance(value, str) else None
        return found and cls(found["tool"], int(found["use"] or 1), found["field"])


@dataclass(frozen=True, slots=True)
class DataFlow:
    """What each call of a plan waits for, and the references that nothing before it answers.

    ``sources[i]`` holds the indices of the earlier calls whose output call ``i`` takes.
    """

    sources: tuple[frozenset[int], ...]
    dangling: tuple[tuple[Reference, ...], ...]

    @property
    def targets(self) -> tuple[frozenset[int], ...]:
        """The calls that take what each call gives."""
        return tuple(
            frozenset(later for later, sources in enumerate(self.sources) if index in sources)
            for index in range(len(self.sources))
        )


def references_in(value: object) -> Iterator[Reference]:
    """Yield the references in an argument or in all arguments of a call, however deep."""
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
    """Return each call with which use of its tool it is, from 1."""
    uses: Counter[str] = Counter()
    numbered = []
    for call in calls:
        uses[call.tool] += 1
        numbered.append((call, uses[call.tool]))
    return numbered


def data_flow(calls: Sequence[Call]) -> DataFlow:
    """Return how the calls of a plan hang together, in the order in which they stand."""
    made: dict[tuple[str, int], int] = {}
    sources, dangling = [], []
    for index, (call, use) in enumerate(uses_of(calls)):
        wanted = tuple(dict.fromkeys(references_in(call.args)))
        places = {reference: made.get((reference.tool, reference.use)) for reference in wanted}
        sources.append(frozenset(place for place in places.values() if place is not None))
        dangling.append(tuple(name for name, place in places.items() if place is None))
        made[call.tool, use] = index
    return DataFlow(tuple(sources), tuple(dangling))
