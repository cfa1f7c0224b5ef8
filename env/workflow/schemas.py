"""The JSON Schema of a tool, and a check of values against such schemas.

Value types use a small part of JSON Schema: type, enum, pattern, minimum, maximum, the format
date, items and minItems. The check is our own and not the package `jsonschema`, because it
has to refuse every other word, and because it runs on every draw of the generator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from ..plans.records import ToolSchema
from .tools import Parameter, Tool

__all__ = ["schema_of", "schema_problems", "value_problems"]

_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}
_WORDS = frozenset(
    {
        *("type", "description", "enum", "pattern", "minimum", "maximum", "format"),
        *("items", "minItems", "properties", "required"),
    }
)


def schema_of(tool: Tool) -> ToolSchema:
    """Return a tool as an agent is shown it."""
    return ToolSchema(
        name=tool.name,
        description=tool.purpose,
        parameters={
            "type": "object",
            "properties": {part.name: _described(part) for part in tool.inputs},
            "required": [part.name for part in tool.inputs if not part.optional],
        },
        returns={
            "type": "object",
            "properties": {field.name: field.type.schema() for field in tool.outputs},
            "required": [field.name for field in tool.outputs],
        },
    )


def schema_problems(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the problems of a schema, its properties and items included."""
    yield from (f"the word {word!r} is not known" for word in schema if word not in _WORDS)
    if schema.get("type") not in _TYPES:
        yield f"the type {schema.get('type')!r} is not known"
    if "enum" in schema and not schema["enum"]:
        yield "the enum lists nothing"
    if schema.get("minimum", 0) > schema.get("maximum", schema.get("minimum", 0)):
        yield "the minimum lies above the maximum"
    properties = schema.get("properties", {})
    if unknown := [name for name in schema.get("required", ()) if name not in properties]:
        yield f"required but not described: {', '.join(unknown)}"
    for part in (*properties.values(), *([schema["items"]] if "items" in schema else [])):
        yield from schema_problems(part)


def value_problems(value: Any, schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield why a value does not fit a schema; nothing if it does."""
    if not _is_typed(value, schema["type"]):
        yield f"{value!r} is no {schema['type']}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{value!r} is none of {schema['enum']}"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{value!r} does not match {schema['pattern']}"
    if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        yield f"{value!r} lies outside its bounds"
    if schema.get("format") == "date" and not _is_date(value):
        yield f"{value!r} is no date"
    if schema["type"] == "array":
        yield from _item_problems(value, schema)


def _is_typed(value: Any, name: str) -> bool:
    return isinstance(value, _TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def _item_problems(values: list[Any], schema: Mapping[str, Any]) -> Iterator[str]:
    if len(values) < schema.get("minItems", 0):
        yield f"{len(values)} items, at least {schema['minItems']} expected"
    for value in values:
        yield from value_problems(value, schema["items"])


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _described(parameter: Parameter) -> dict[str, Any]:
    label = parameter.label.capitalize()
    return {**parameter.type.schema(), "description": f"{label}: {parameter.type.meaning()}."}
