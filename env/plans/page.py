"""A tool as one line of a page; JSON schemas would make up most of a prompt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .records import ToolSchema, properties_in

__all__ = ["accepted", "tool_line", "type_of"]


def type_of(schema: Mapping[str, Any]) -> str:
    """Return the type of a value in a word; for an object, its fields.

    >>> type_of({"type": "array", "items": {"type": "number"}})
    'number[]'
    """
    kind = schema.get("type", "any")
    if "properties" in schema:
        fields = properties_in(schema).items()
        return f"{{{', '.join(f'{name}: {type_of(part)}' for name, part in fields)}}}"
    if kind == "array":
        return f"{type_of(schema.get('items', {}))}[]"
    return "|".join(kind) if isinstance(kind, list) else str(kind)


def accepted(schema: Mapping[str, Any]) -> str:
    """Return the pattern, words or bounds of a value, else its type.

    The author of a plan needs them: nothing else says that "feeder 203" is written FD-203.

    >>> accepted({"type": "string", "pattern": "^FD-[0-9]+$"})
    'FD-[0-9]+'
    >>> accepted({"type": "string", "enum": ["low", "high"]})
    '"low"|"high"'
    """
    if "enum" in schema:
        return "|".join(f'"{word}"' for word in schema["enum"])
    if "pattern" in schema:
        return str(schema["pattern"]).removeprefix("^").removesuffix("$")
    if "minimum" in schema and "maximum" in schema:
        return f"{type_of(schema)} from {schema['minimum']} to {schema['maximum']}"
    return str(schema.get("format", type_of(schema)))


def tool_line(tool: ToolSchema, describe: Callable[[Mapping[str, Any]], str] = type_of) -> str:
    """Return a tool as one line, in which ``?`` marks optional arguments.

    Parameters
    ----------
    describe : returns the description of an argument's values from their schema

    Examples
    --------
    >>> load = {"type": "object", "properties": {"load_kw": {"type": "number"}}}
    >>> area = {"properties": {"area": {"type": "string"}, "day": {}}, "required": ["area"]}
    >>> tool_line(ToolSchema("get_load", "Read the load.", area, load))
    'get_load(area: string, day?: any) -> {load_kw: number}: Read the load.'
    """
    arguments = ", ".join(
        f"{name}{'' if name in tool.required else '?'}: {describe(schema)}"
        for name, schema in properties_in(tool.parameters).items()
    )
    purpose = " ".join(tool.description.split())
    return f"{tool.name}({arguments}) -> {type_of(tool.returns)}: {purpose}"
