"""The page on study files states the bounds that the schema has."""

import re
from collections.abc import Iterator

from faultpair.studies.folder import MOST_BYTES
from faultpair.studies.spec import StudySpec
from tests.conftest import ROOT

LOWER, UPPER = ("minimum", "minLength"), ("maximum", "exclusiveMaximum", "maxLength")
UNNAMED = {"judge", "against", "of", "judges", "env", "tiers"}
"""Keys whose values are names that another key has, or lists of names."""


def bounds(schema: object) -> Iterator[tuple[int, int]]:
    """Yield the bounds in the schema of a key, of all its forms."""
    if isinstance(schema, dict):
        low = [schema[key] for key in LOWER if key in schema]
        high = [schema[key] - (key == "exclusiveMaximum") for key in UPPER if key in schema]
        if high:
            yield (*(low or [0]), *high)
        for name, inside in schema.items():
            if name != "propertyNames":
                yield from bounds(inside)
    elif isinstance(schema, list):
        for inside in schema:
            yield from bounds(inside)


def in_the_schema() -> set[tuple[str, int, int]]:
    schema = StudySpec.model_json_schema()
    tables = [schema, *schema["$defs"].values()]
    return {
        (key, *found)
        for table in tables
        for key, value in table.get("properties", {}).items()
        for found in bounds(value)
        if key not in UNNAMED
    }


def number(text: str) -> float:
    known = {"−2⁶³": -(2**63), "2⁶³ − 1": 2**63 - 1}
    return known[text] if text in known else float(text.replace(",", "").replace("−", "-"))


def test_the_page_has_each_bound_of_the_schema_and_no_other():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = page.split("## Bounds of a study file")[1]
    rows = re.findall(r"^\| (.*`.*) \| (.*) \| (.*) \|$", section, re.MULTILINE)
    stated = {
        (key, number(low), number(high))
        for keys, low, high in rows
        for key in re.findall(r"`(\w+)`", keys)
    }
    assert stated == in_the_schema()
    assert f"{MOST_BYTES:,} bytes" in section
