"""What a value means, and that it is heard again however it is said."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultpair.env.workflow.requests.numerals import numbers_in, spelled
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
KINDS = (
    Identifier("feeder", "feeder", "FD"),
    Quantity("load", "kW", 0, 12_000, 50),
    Quantity("rate", "", 0, 10, 0.1),
    Share("share"),
    GRADE,
    Day("day"),
    Name("port", ("Rotterdam", "Genoa")),
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@given(seed=st.integers(0, 10_000))
def test_a_value_is_heard_in_either_way_to_say_it(kind, seed):
    value = kind.draw(Random(seed))
    for said in (kind.exact(value), kind.plain(value)):
        assert value in kind.mentions(f"It is about that, {said}, and no more.")


@pytest.mark.parametrize("kind", [*KINDS, Flag("f"), Note("n", ("a", "b")), ListOf(GRADE)])
def test_a_value_fits_the_schema_of_its_kind(kind):
    for seed in range(50):
        assert not list(value_problems(kind.draw(Random(seed)), kind.schema()))


def test_what_no_request_can_state_is_heard_in_none():
    for kind in (Flag("f"), Note("n", ("a fine day",)), ListOf(GRADE)):
        assert not kind.can_be_stated
        assert not list(kind.mentions("True, a fine day, alarming"))


def test_a_thing_is_not_heard_in_another_thing():
    feeder = Identifier("feeder", "feeder", "FD")
    assert list(feeder.mentions("line 203, FDX-12 and feeder 7")) == ["FD-7"]


@given(st.integers(0, 10**9).map(lambda n: n / 100))
def test_a_number_is_heard_as_it_was_said(value):
    assert list(numbers_in(f"from {spelled(value)} kW, and")) == [value]


def test_a_round_number_has_a_short_form():
    said = {0: "zero", 17: "seventeen", 250: "two hundred and fifty", 4800: "4.8 thousand"}
    assert {value: spelled(value) for value in said} == said
    assert spelled(1_234) == "1,234"
    assert spelled(2_000_000) == "two million"


def test_every_kind_of_a_name_in_a_sector_is_the_same_kind():
    for sector in SECTORS:
        kinds = {}
        for tool in sector.tools:
            for part in (*tool.inputs, *tool.outputs):
                assert kinds.setdefault(part.type.name, part.type) == part.type
