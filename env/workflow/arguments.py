"""The check of a call's arguments against its tool: names, references, JSON types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .tools import Tool
from .value_types import ListOf, ValueType

__all__ = ["MISSING", "fits", "problems"]

MISSING = object()
"""The value of a reference to an output that no earlier call gave."""

LARGEST_NUMBER = 1e15
"""Larger numbers measure nothing here, and results computed from them may not fit a record."""

_TYPES: dict[str, tuple[type, ...]] = {"string": (str,), "boolean": (bool,), "number": (int, float)}


def problems(
    tool: Tool, written: Mapping[str, object], args: Mapping[str, object]
) -> Iterator[str]:
    """Yield what is wrong with the arguments of a call.

    ``written`` holds the arguments with their references, ``args`` with the values instead.
    """
    known = {parameter.name: parameter for parameter in tool.inputs}
    for name in args:
        if name not in known:
            yield f"{tool.name} takes no argument {name!r}"
    for name, parameter in known.items():
        if name in args:
            yield from _value_problems(
                f"{tool.name}.{name}", parameter.type, written[name], args[name]
            )
        elif not parameter.optional:
            yield f"{tool.name} needs the argument {name!r}"


def _value_problems(
    where: str, value_type: ValueType, written: object, value: object
) -> Iterator[str]:
    for part, resolved in _parts(written, value):
        if resolved is MISSING:
            yield f"{where} takes {part}, which no call before it gives"
    if not fits(value_type, value):
        yield f"{where} is no {value_type.json_type} of its kind"


def _parts(written: object, value: object) -> Iterator[tuple[object, object]]:
    """Yield each part of an argument with its value; one reference may have a list as value."""
    if isinstance(written, list | tuple) and isinstance(value, list):
        yield from zip(written, value, strict=True)
    else:
        yield written, value


def fits(value_type: ValueType, value: object) -> bool:
    """Return whether a value has the JSON type of a value type."""
    if isinstance(value_type, ListOf):
        return isinstance(value, list) and all(fits(value_type.of, part) for part in value)
    if not isinstance(value, _TYPES[value_type.json_type]):
        return False
    if isinstance(value, bool):  # a bool is an int for `isinstance`
        return value_type.json_type == "boolean"
    return not isinstance(value, int | float) or -LARGEST_NUMBER < value < LARGEST_NUMBER
