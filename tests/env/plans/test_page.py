"""A tool as a line of a page."""

import pytest

from faultpair.env.plans.page import accepted, tool_line, type_of
from faultpair.env.plans.records import ToolSchema

TOOL = ToolSchema(
    "open_gate",
    "Open a gate.\nIt closes alone.",
    {
        "type": "object",
        "properties": {
            "gate_id": {"type": "string", "pattern": "^GA-[0-9]+$", "description": "Gate."},
            "share": {"type": "number", "minimum": 0, "maximum": 1},
            "side": {"type": "string", "enum": ["left", "right"]},
            "day": {"type": "string", "format": "date"},
            "counts": {"type": "array", "items": {"type": "number"}, "minItems": 1},
        },
        "required": ["gate_id", "counts"],
    },
    {"type": "object", "properties": {"is_open": {"type": "boolean"}}},
)


def test_a_tool_is_one_line_with_the_types_of_its_arguments_and_fields():
    assert tool_line(TOOL) == (
        "open_gate(gate_id: string, share?: number, side?: string, day?: string, "
        "counts: number[]) -> {is_open: boolean}: Open a gate. It closes alone."
    )


def test_a_line_can_show_the_accepted_values():
    assert tool_line(TOOL, accepted).startswith(
        "open_gate(gate_id: GA-[0-9]+, share?: number from 0 to 1, "
        'side?: "left"|"right", day?: date, counts: number[]) -> '
    )


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({}, "any"),
        ({"type": ["string", "null"]}, "string|null"),
        ({"type": "array"}, "any[]"),
        ({"properties": {}}, "{}"),
    ],
)
def test_a_schema_with_little_content_is_shown_as_it_is(schema, text):
    assert type_of(schema) == accepted(schema) == text
