"""A tool in JSON Schema, and the part of JSON Schema that is checked."""

import pytest

from faultpair.env.workflow.schemas import schema_of, schema_problems, value_problems
from faultpair.env.workflow.sectors import SECTORS
from faultpair.env.workflow.tools import Field, Parameter, Tool
from faultpair.env.workflow.value_types import (
    Choice,
    Day,
    Flag,
    Identifier,
    ListOf,
    Name,
    Note,
    Quantity,
    Share,
)

SHELF = Identifier("shelf", "shelf", "SH")
STOCK = Quantity("stock", "crates", 0, 90)
TOOL = Tool(
    "count_shelf_crates",
    "Count the crates on a shelf.",
    (Parameter("shelf_id", SHELF), Parameter("spare_crates", STOCK, optional=True)),
    (Field("crates", STOCK),),
    ask="count the shelf crates",
    hint="how full it is",
)


def test_the_schema_of_a_tool_has_its_inputs_and_outputs():
    schema = schema_of(TOOL)
    assert (schema.name, schema.description) == (TOOL.name, TOOL.purpose)
    assert schema.known == {"shelf_id", "spare_crates"}
    assert schema.required == {"shelf_id"}
    assert schema.returns["properties"] == {"crates": {"type": "number"}}


def test_an_argument_is_described_by_its_name_and_its_meaning():
    described = schema_of(TOOL).parameters["properties"]
    assert described["shelf_id"]["description"] == (
        "Shelf id: the code of the shelf, such as SH-100."
    )
    assert described["spare_crates"]["description"] == "Spare crates: a number of crates."


def test_every_tool_of_every_sector_has_valid_schemas():
    for tool in (schema_of(tool) for sector in SECTORS for tool in sector.tools):
        assert not list(schema_problems(tool.parameters)), tool.name
        assert not list(schema_problems(tool.returns)), tool.name


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ({"type": "text"}, "the type 'text' is not known"),
        ({"type": "number", "maximal": 3}, "the word 'maximal' is not known"),
        ({"type": "string", "enum": []}, "the enum lists nothing"),
        ({"type": "number", "minimum": 3, "maximum": 2}, "the minimum lies above the maximum"),
        ({"type": "object", "required": ["a"]}, "required but not described: a"),
        ({"type": "array", "items": {"type": "text"}}, "the type 'text' is not known"),
    ],
)
def test_a_broken_schema_is_named(schema, problem):
    assert list(schema_problems(schema)) == [problem]


@pytest.mark.parametrize(
    ("value_type", "good", "bad"),
    [
        (SHELF, "SH-101", "101"),
        (STOCK, 7.5, "7.5"),
        (STOCK, 7, True),
        (Share("part"), 0.5, 1.5),
        (Choice("grade", {"low": "calm", "high": "wild"}), "low", "calm"),
        (Day("start"), "2026-03-18", "2026-02-30"),
        (Name("town", ("Ulm",)), "Ulm", 3),
        (Flag("done"), False, 0),
        (Note("memo", ("Done.",)), "Done.", None),
        (ListOf(STOCK), [1, 2], [1, "2"]),
    ],
)
def test_a_value_fits_its_type_or_has_a_problem(value_type, good, bad):
    assert not list(value_problems(good, value_type.schema()))
    assert list(value_problems(bad, value_type.schema()))


def test_too_short_a_list_does_not_fit():
    schema = {"type": "array", "items": {"type": "number"}, "minItems": 2}
    assert list(value_problems([1], schema)) == ["1 items, at least 2 expected"]
