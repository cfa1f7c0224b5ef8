"""The registry that every room of the project uses."""

import pytest

from faultpair.env.errors import PluginError, UsageError
from faultpair.env.registry import Registry


class Newcomer:
    """A part that wants a name which is taken."""


@pytest.fixture
def numbers():
    registry = Registry("number")
    registry.add("two", 2)
    registry.add("one", 1)
    return registry


def test_a_second_holder_of_a_name_is_refused_and_both_are_shown(numbers):
    with pytest.raises(PluginError) as refused:
        numbers.add("one", Newcomer)
    assert "number 'one' is registered twice" in str(refused.value)
    assert "builtins.int" in str(refused.value)
    assert "Newcomer" in str(refused.value)
    assert numbers["one"] == 1


def test_an_unknown_name_is_refused_with_the_known_ones(numbers):
    with pytest.raises(UsageError, match=r"No number is named 'three'. Known numbers: two, one."):
        numbers["three"]


def test_an_empty_registry_says_that_it_knows_none():
    assert Registry("thing").unknown("x") == "No thing is named 'x'. Known things: none."


def test_parts_come_in_the_order_of_registration(numbers):
    assert list(numbers) == ["two", "one"]
    assert numbers.values() == (2, 1)
    assert len(numbers) == 2
    assert "one" in numbers
    assert "three" not in numbers
