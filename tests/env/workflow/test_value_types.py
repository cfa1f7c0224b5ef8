"""Value types: a value is found in a text in either of its forms."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultpair.env.workflow.numerals import numbers_in, spelled
from faultpair.env.workflow.schemas import value_problems
from faultpair.env.workflow.sectors import SECTORS
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

GRADE = Choice("grade", {"low": "nothing to worry about", "high": "alarming"})
TYPES = (
    Identifier("feeder", "feeder", "FD"),
    Quantity("load", "kW", 0, 12_000, 50),
    Quantity("rate", "", 0, 10, 0.1),
    Share("share"),
    GRADE,
    Day("day"),
    Name("port", ("Rotterdam", "Genoa")),
)


@pytest.mark.parametrize("value_type", TYPES, ids=lambda value_type: value_type.name)
@given(seed=st.integers(0, 10_000))
def test_a_value_is_found_in_either_of_its_forms(value_type, seed):
    value = value_type.draw(Random(seed))
    for text in (value_type.exact(value), value_type.plain(value)):
        assert value in value_type.mentions(f"It is about that, {text}, and no more.")


@pytest.mark.parametrize("value_type", [*TYPES, Flag("f"), Note("n", ("a", "b")), ListOf(GRADE)])
def test_a_value_fits_the_schema_of_its_type(value_type):
    for seed in range(50):
        assert not list(value_problems(value_type.draw(Random(seed)), value_type.schema()))


def test_a_value_that_no_request_can_state_is_found_in_none():
    for value_type in (Flag("f"), Note("n", ("a fine day",)), ListOf(GRADE)):
        assert not value_type.can_be_stated
        assert not list(value_type.mentions("True, a fine day, alarming"))


def test_a_thing_is_not_found_in_another_thing():
    feeder = Identifier("feeder", "feeder", "FD")
    assert list(feeder.mentions("line 203, FDX-12 and feeder 7")) == ["FD-7"]


@given(st.integers(0, 10**9).map(lambda n: n / 100))
def test_a_number_in_words_is_found_again(value):
    assert list(numbers_in(f"from {spelled(value)} kW, and")) == [value]


def test_a_round_number_has_a_short_form():
    text = {0: "zero", 17: "seventeen", 250: "two hundred and fifty", 4800: "4.8 thousand"}
    assert {value: spelled(value) for value in text} == text
    assert spelled(1_234) == "1,234"
    assert spelled(2_000_000) == "two million"


def test_every_value_type_of_a_name_in_a_sector_is_the_same():
    for sector in SECTORS:
        types = {}
        for tool in sector.tools:
            for part in (*tool.inputs, *tool.outputs):
                assert types.setdefault(part.type.name, part.type) == part.type
