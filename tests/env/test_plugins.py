"""Parts from outside: loaded when they are asked for, refused by name when they are broken."""

import sys
from importlib.metadata import EntryPoint
from types import ModuleType

import pytest

from faultpair.env import plugins
from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import PluginError, UsageError
from faultpair.env.plugins import Plugins, Refusal
from faultpair.env.registry import Registry
from faultpair.env.toy import Cloakroom
from faultpair.judges.baselines import Constant
from faultpair.judges.catalog import OUTSIDE, PACKS, find_judge, judges_of
from faultpair.oracle.catalog import ORACLES

LOADED = []


class Bakery(Cloakroom):
    """Another cloakroom."""

    name = "bakery"


class Undocumented(Cloakroom):
    name = "bakery"


class Restless(Bakery):
    """Give another instance each time."""

    def generate(self, seed, index):
        LOADED.append(index)
        return super().generate(seed, len(LOADED))


def a_number(part, name):
    """Take numbers, and note each that is checked."""
    if not isinstance(part, int):
        raise Refusal("it is no number but {part}")
    LOADED.append(name)
    return part


@pytest.fixture
def offer(monkeypatch):
    """Let given parts be the plug-ins of a group, and no others be there."""
    module = ModuleType("strangers")
    for registry in (DOMAINS, ORACLES, PACKS):
        monkeypatch.setattr(registry, "_parts", dict(registry._parts))
        monkeypatch.setattr(registry, "_from_plugins", set())
        monkeypatch.setattr(registry._plugins, "_loaded", {})
    monkeypatch.setattr(OUTSIDE, "_loaded", {})
    monkeypatch.setitem(sys.modules, "strangers", module)
    LOADED.clear()

    def offer_these(group, **parts):
        module.__dict__.update(parts)
        entries = tuple(EntryPoint(name, f"strangers:{name}", group) for name in parts)
        monkeypatch.setattr(plugins, "offered", lambda asked: entries if asked == group else ())

    return offer_these


@pytest.fixture
def numbers():
    registry = Registry("number", Plugins("number", "numbers", a_number, place="strangers:NUMBERS"))
    registry.add("one", 1)
    return registry


def test_a_name_that_is_held_reads_no_entry_point(numbers, monkeypatch):
    monkeypatch.setattr(plugins, "offered", lambda group: pytest.fail("it was read"))
    assert numbers["one"] == 1
    assert "one" in numbers
    assert numbers.get("one", 0) == 1


def test_only_the_named_part_is_loaded_and_once(numbers, offer):
    offer("numbers", two=2, three=3)
    assert (numbers["two"], numbers["two"], LOADED) == (2, 2, ["two"])
    assert list(numbers) == ["one", "two", "three"]
    assert numbers.values() == (1, 2, 3)
    assert LOADED == ["two", "three"]


def test_names_on_offer_are_known_without_being_loaded(numbers, offer):
    offer("numbers", two=2)
    assert numbers.unknown("ten").endswith("Known numbers: one, two.")
    assert LOADED == []
    with pytest.raises(UsageError, match="No number is named 'ten'"):
        numbers["ten"]
    assert numbers.get("ten", 10) == 10


def test_a_built_in_name_cannot_be_taken(numbers, offer):
    offer("numbers", one=11)
    assert numbers["one"] == 1
    with pytest.raises(PluginError, match="number 'one' is registered twice"):
        numbers.values()


def test_a_broken_part_is_refused_by_name_and_disturbs_no_other(numbers, offer):
    offer("numbers", two=2, three="3")
    assert numbers["two"] == 2
    message = r"The number 'three' of the plug-in 'strangers:three' is refused: .* but a str\."
    with pytest.raises(PluginError, match=message):
        numbers["three"]
    with pytest.raises(PluginError, match="'three'"):
        list(numbers)


def test_a_part_that_ends_the_process_is_refused_by_name(numbers, offer):
    class Quitter:
        def __init__(self):
            sys.exit(0)

    offer("numbers", two=Quitter)
    with pytest.raises(PluginError, match=r"'two' .* cannot be loaded: SystemExit: 0"):
        numbers["two"]


def test_a_domain_from_outside_is_found(offer):
    offer("faultpair.domains", bakery=Bakery)
    assert DOMAINS["bakery"].name == "bakery"
    assert "bakery" in list(DOMAINS)


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        (object(), "it is no Domain but a object"),
        (Cloakroom, "its name is 'toy', not that of its entry point"),
        (Undocumented, "its class has no docstring"),
        (Restless, "or another one each time"),
    ],
)
def test_a_broken_domain_is_refused_with_the_reason(offer, part, reason):
    offer("faultpair.domains", bakery=part)
    with pytest.raises(PluginError) as refused:
        DOMAINS["bakery"]
    assert reason in str(refused.value)


def test_an_oracle_that_cannot_be_called_is_refused(offer):
    offer("faultpair.oracles", bakery=5)
    with pytest.raises(PluginError, match="it is no function but a int"):
        ORACLES["bakery"]


def test_a_judge_from_outside_serves_every_domain_and_a_pack_its_own(offer):
    judge = Constant("grumpy", "Flag every run.", faulty=True)
    offer("faultpair.judges", grumpy=judge)
    assert find_judge("grumpy", "toy") is judge
    assert list(judges_of("toy"))[-1] == "grumpy"
    offer("faultpair.rule_packs", bakery=(judge,))
    assert next(iter(judges_of("bakery"))) == "grumpy"
    assert "grumpy" not in judges_of("toy")


def test_a_judge_of_another_name_is_refused(offer):
    offer("faultpair.judges", kind=Constant("grumpy", "Flag every run.", faulty=True))
    with pytest.raises(PluginError, match="not that of its entry point"):
        find_judge("kind", "toy")
    offer("faultpair.rule_packs", bakery=5)
    with pytest.raises(PluginError, match="no tuple of judges"):
        judges_of("bakery")
