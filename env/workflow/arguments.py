"""Whether the arguments of a call are what its tool takes: names, references, JSON types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .tools import Tool
from .value_types import ListOf, ValueType

__all__ = ["NOTHING", "fits", "problems"]

NOTHING = object()
"""What a reference stands for that no call has answered."""

LARGEST_NUMBER = 1e15
"""Beyond it a number measures nothing here, and what is made of it may not fit a record."""

_TYPES: dict[str, tuple[type, ...]] = {"string": (str,), "boolean": (bool,), "number": (int, float)}


def problems(tool: Tool, said: Mapping[str, object], args: Mapping[str, object]) -> Iterator[str]:
    """Yield what is wrong with the arguments of a call, before and after they are filled in."""
    known = {parameter.name: parameter for parameter in tool.takes}
    for name in args:
        if name not in known:
            yield f"{tool.name} takes no argument {name!r}"
    for name, parameter in known.items():
        if name in args:
            yield from _value_problems(
                f"{tool.name}.{name}", parameter.kind, said[name], args[name]
            )
        elif not parameter.optional:
            yield f"{tool.name} needs the argument {name!r}"


def _value_problems(where: str, kind: ValueType, said: object, value: object) -> Iterator[str]:
    for part, filled in _parts(said, value):
        if filled is NOTHING:
            yield f"{where} takes {part}, which no call before it gives"
    if not fits(kind, value):
        yield f"{where} is no {kind.json_type} of its kind"


def _parts(said: object, value: object) -> Iterator[tuple[object, object]]:
    """Yield what an argument said with what it stands for; one reference may stand for a list."""
    if isinstance(said, list | tuple) and isinstance(value, list):
        yield from zip(said, value, strict=True)
    else:
        yield said, value


def fits(kind: ValueType, value: object) -> bool:
    """Return whether a value has the JSON type of a kind."""
    if isinstance(kind, ListOf):
        return isinstance(value, list) and all(fits(kind.of, part) for part in value)
    if not isinstance(value, _TYPES[kind.json_type]):
        return False
    if isinstance(value, bool):
        return kind.json_type == "boolean"
    return not isinstance(value, int | float) or -LARGEST_NUMBER < value < LARGEST_NUMBER
