"""What every sector guarantees to the generator of records."""

import itertools
import re
from collections import Counter
from statistics import mean, median

import pytest

from faultpair.env.errors import UsageError
from faultpair.env.rng import stream
from faultpair.env.workflow.instances import Topology
from faultpair.env.workflow.plan.blueprints import blueprints
from faultpair.env.workflow.plan.compatibility import Compatibility
from faultpair.env.workflow.plan.topologies import SIZES
from faultpair.env.workflow.schemas import value_problems
from faultpair.env.workflow.sectors import SECTORS, sector_named
from faultpair.env.workflow.value_types import Choice, Identifier, ListOf, Quantity

every_sector = pytest.mark.parametrize("sector", SECTORS, ids=lambda sector: sector.name)


def types_of(sector):
    """Return all value types of a sector, those of the items of lists included."""
    types = [part.type for tool in sector.tools for part in (*tool.inputs, *tool.outputs)]
    return types + [value_type.of for value_type in types if isinstance(value_type, ListOf)]


def choice_words(sector):
    types = {
        value_type.name: value_type
        for value_type in types_of(sector)
        if isinstance(value_type, Choice)
    }
    return [
        (word, value_type)
        for value_type in types.values()
        for pair in value_type.words.items()
        for word in pair
    ]


def has_all(words, text):
    return set(words) <= set(re.findall(r"\w+", text.casefold()))


def test_there_are_fifteen_and_no_tool_is_in_two():
    names = Counter(tool.name for sector in SECTORS for tool in sector.tools)
    assert len({sector.name for sector in SECTORS}) == len(SECTORS) == 15
    assert max(names.values()) == 1


def test_an_unknown_sector_is_refused_with_those_that_are_known():
    with pytest.raises(UsageError, match=r"'bakery'.*energy_grid"):
        sector_named("bakery")


@every_sector
def test_a_sector_has_as_many_tools_and_parameters_as_agreed(sector):
    counts = [len(tool.inputs) for tool in sector.tools]
    assert 27 <= len(counts) <= 30
    assert 2.2 <= mean(counts) <= 2.6
    assert median(counts) == 2
    assert sum(count >= 10 for count in counts) == 1


@every_sector
def test_a_name_belongs_to_one_value_type(sector):
    by_name = {value_type.name: value_type for value_type in types_of(sector)}
    assert all(by_name[value_type.name] == value_type for value_type in types_of(sector))


@every_sector
def test_two_sorts_of_things_are_never_confused_in_a_text(sector):
    things = {
        value_type.name: value_type
        for value_type in types_of(sector)
        if isinstance(value_type, Identifier)
    }
    for one, other in itertools.permutations(things.values(), 2):
        assert one.prefix != other.prefix
        assert not one.noun.endswith(other.noun)


@every_sector
def test_the_words_of_a_choice_occur_nowhere_else(sector):
    words = choice_words(sector)
    texts = [tool.ask for tool in sector.tools] + [tool.hint for tool in sector.tools]
    texts += [part.phrase for tool in sector.tools for part in tool.inputs]
    for word, value_type in words:
        found = re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE)
        assert not [text for text in texts if found.search(text)], word
        assert not [
            other
            for other, its in words
            if (other, its) != (word, value_type) and found.search(other)
        ]


@every_sector
def test_the_plain_form_of_a_value_differs_from_the_exact_one(sector):
    for value_type in types_of(sector):
        if isinstance(value_type, Choice):
            assert all(word != plain for word, plain in value_type.words.items())
        if isinstance(value_type, Quantity):
            drawn = [value_type.draw(stream("plain", draw)) for draw in range(60)]
            assert (
                sum(value_type.exact(value) == value_type.plain(value) for value in drawn) <= 20
            ), value_type.name


@every_sector
def test_every_value_is_found_in_both_of_its_forms(sector):
    for value_type in types_of(sector):
        for draw in range(10 if value_type.can_be_stated else 0):
            value = value_type.draw(stream("heard", draw))
            assert value in value_type.mentions(f"Say {value_type.exact(value)}, then go.")
            assert value in value_type.mentions(f"Say {value_type.plain(value)}.")


@every_sector
def test_three_tools_have_a_twin_with_the_same_arguments_fields_and_answers(sector):
    twins = [tool for tool in sector.tools if tool.same_as]
    assert len(twins) == 3
    for twin in twins:
        original = sector.by_name[twin.same_as]
        arguments = [(part.name, part.type, part.optional) for part in twin.inputs]
        assert arguments == [(part.name, part.type, part.optional) for part in original.inputs]
        assert twin.outputs == original.outputs
        assert twin.run is original.run


@every_sector
def test_hints_differ(sector):
    hints = [tool.hint for tool in sector.tools]
    assert len(set(hints)) == len(hints)


@every_sector
def test_about_half_of_the_tools_compute(sector):
    assert sum(tool.run is not None and not tool.same_as for tool in sector.tools) >= 11


@pytest.mark.parametrize("topology", Topology)
def test_nearly_every_sector_has_plans_of_a_topology(topology):
    hosts = [sector for sector in SECTORS if plans_of(sector, topology)]
    assert len(hosts) >= 14


def plans_of(sector, topology):
    flows = Compatibility.of(sector)
    return [plan for size in SIZES[topology] for plan in blueprints(flows, topology, size)]


@every_sector
def test_an_ask_orders_a_tool_by_its_name_and_a_hint_does_not_reveal_it(sector):
    for tool in sector.tools:
        words = tool.name.split("_")
        assert len(words) >= 3, tool.name
        assert has_all(words, tool.ask), tool.name
        assert tool.ask[0].islower(), tool.name
        assert tool.ask == tool.ask.strip(". "), tool.name
        assert not has_all(words, tool.hint), tool.name
        assert "_" not in tool.hint, tool.name
        assert tool.purpose.endswith("."), tool.name


@every_sector
def test_arguments_are_distinct_and_optional_ones_come_last(sector):
    for tool in sector.tools:
        required = [part.type.name for part in tool.inputs if not part.optional]
        options = [part.optional for part in tool.inputs]
        assert len({part.name for part in tool.inputs}) == len(tool.inputs), tool.name
        assert len(set(required)) == len(required), tool.name
        assert options == sorted(options), tool.name


@every_sector
def test_a_phrase_has_a_place_for_the_value_and_not_the_name(sector):
    for part in (part for tool in sector.tools for part in tool.inputs):
        assert part.phrase.count("{}") == 1, part.phrase
        assert not part.type.can_be_stated or f" {part.label} " not in f" {part.phrase} "


@every_sector
def test_a_tool_gives_its_declared_outputs_for_any_arguments(sector):
    for tool, draw in itertools.product(sector.tools, range(12)):
        rng = stream("answers", tool.name, draw)
        part = [part for part in tool.inputs if draw % 2 or not part.optional]
        answer = tool.answer({part.name: part.type.draw(rng) for part in part})
        assert list(answer) == [field.name for field in tool.outputs]
        for field in tool.outputs:
            value = answer[field.name]
            assert not list(value_problems(value, field.type.schema())), f"{tool.name}: {value!r}"
            assert isinstance(value, str | list) or value >= 0, f"{tool.name}: {value!r}"
