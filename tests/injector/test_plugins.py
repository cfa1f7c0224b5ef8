"""Plug-ins are loaded by entry point, and a broken one is refused by name with the reason."""

import sys
from importlib.metadata import EntryPoint
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest

from faultpair.env import plugins
from faultpair.env.errors import PluginError, UsageError
from faultpair.env.records import Cell
from faultpair.injector import catalog
from faultpair.injector.conformance import check_fault
from faultpair.injector.fault import Delete, Edit, Example, Fault, FollowUp, Site
from faultpair.injector.plugins import OUTSIDE

EXAMPLE_PLUGIN = Path(__file__).resolve().parents[2] / "docs" / "examples" / "fault-plugin"
GROUP = "faultpair.faults"
NUMBERS = count()


class Sound(Fault):
    """Keep the coat."""

    name = "sound"
    domain = "toy"

    def sites(self, instance, run):
        return (Site(step.index) for step in run.steps if step.call.tool == "hand_over")

    def edit(self, instance, run, site, rng):
        return Edit(Delete(site.step), "the coat is kept")

    def examples(self):
        return (Example(0, ("find_coat", "reply"), 1, Cell.UNCHANGED_LOST),)


class NotAFault:
    """Look like a fault and be none."""

    name = "broken"
    domain = "toy"


class Nameless(Sound):
    """Have a name that is no word."""

    name = "Two Words"


class Misnamed(Sound):
    """Have another name than the entry point."""

    name = "other"


class Homeless(Sound):
    """Belong to a domain that does not exist."""

    name = "broken"
    domain = "bakery"


class Undocumented(Sound):
    name = "broken"


class WrongSignature(Sound):
    """Take too little."""

    name = "broken"

    def edit(self, instance, run, site):
        return Edit(Delete(site.step), "the coat is kept")


class Unfinished(Fault):
    """Lack two methods."""

    name = "broken"
    domain = "toy"

    def examples(self):
        return ()


class MutatesTheCalls(Sound):
    """Edit a second call behind everybody's back."""

    name = "broken"

    def edit(self, instance, run, site, rng):
        run[-1].args["text"] = "Nothing was found."
        return Edit(Delete(site.step), "the coat is kept")


class UndeclaredFollowUp(Sound):
    """Edit a second call and say so, but not in the class."""

    name = "broken"

    def edit(self, instance, run, site, rng):
        return Edit(Delete(site.step), "the coat is kept", (FollowUp(2, "text", "Gone."),))


class EarlierFollowUp(Sound):
    """Edit a call that comes before the operation."""

    name = "broken"
    follow_ups = ("find_coat.*",)

    def edit(self, instance, run, site, rng):
        return Edit(Delete(site.step), "the coat is kept", (FollowUp(0, "ticket", 1),))


class NotDeterministic(Sound):
    """Count the edits."""

    name = "broken"

    def edit(self, instance, run, site, rng):
        return Edit(Delete(site.step), f"the coat is kept, number {next(NUMBERS)}")


class Raises(Sound):
    """Fail on a host."""

    name = "broken"

    def sites(self, instance, run):
        raise RuntimeError("no rack")


class BadExample(Sound):
    """Promise what does not happen."""

    name = "broken"

    def examples(self):
        return (Example(0, ("find_coat", "reply"), 1, Cell.CHANGED_LOST),)


class Endless(Sound):
    """Yield sites without an end."""

    name = "broken"

    def sites(self, instance, run):
        return (Site(0) for _ in count())


class OfManyDomains(Sound):
    """Have a list as its domain."""

    name = "broken"
    domain = ["toy"]  # noqa: RUF012


class SitesIsANumber(Sound):
    """Have a number in place of a method."""

    name = "broken"
    sites = 7


class NameRaises(Sound):
    """Have a name that cannot be read."""

    @property
    def name(self):
        raise RuntimeError("no name today")


class NumberedDoc(Sound):
    name = "broken"
    __doc__ = 7


class OddPolicies(Sound):
    """Have words as policies."""

    name = "broken"
    policies = ("keep",)


class OddScenarios(Sound):
    """Have scenarios that do not exist."""

    name = "broken"
    scenarios = ("on fire",)


class Leaves(Sound):
    """End the process on a host."""

    name = "broken"

    def sites(self, instance, run):
        raise SystemExit(0)


class LaterAnother(Sound):
    """Keep the contract on a dozen hosts, and then no more."""

    name = "later"

    def __init__(self):
        self.n_edits = 0

    def edit(self, instance, run, site, rng):
        self.n_edits += 1
        return Edit(Delete(site.step), "kept" if self.n_edits < 200 else f"kept, {self.n_edits}")


class LaterRaises(LaterAnother):
    """Fail after a while."""

    def edit(self, instance, run, site, rng):
        self.n_edits += 1
        if self.n_edits > 200:
            raise SystemExit(0)
        return Edit(Delete(site.step), "the coat is kept")


class LaterEndless(LaterAnother):
    """Yield sites without an end after a while."""

    def sites(self, instance, run):
        self.n_edits += 1
        return super().sites(instance, run) if self.n_edits < 200 else (Site(0) for _ in count())

    def edit(self, instance, run, site, rng):
        return Edit(Delete(site.step), "the coat is kept")


@pytest.fixture(autouse=True)
def this_module_is_importable(monkeypatch):
    module = ModuleType("strangers")
    module.__dict__.update({name: part for name, part in globals().items() if name[0].isupper()})
    monkeypatch.setitem(sys.modules, "strangers", module)


def entry(part, name="broken"):
    return EntryPoint(name, f"strangers:{part}", GROUP)


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        ("Missing", "it cannot be loaded: AttributeError"),
        ("NotAFault", "it is no Fault but the class NotAFault"),
        ("NUMBERS", "it is no Fault but a count"),
        ("Nameless", "its name is 'Two Words', not a word in lower case"),
        ("Misnamed", "its name is 'other', not that of its entry point"),
        ("Homeless", "its domain: No domain is named 'bakery'"),
        ("Undocumented", "its class has no docstring"),
        ("WrongSignature", "the signature edit(instance, run, site); expected is"),
        ("Unfinished", "Can't instantiate abstract class Unfinished"),
        ("MutatesTheCalls", "an undeclared second edit: the clean run is changed in place"),
        ("UndeclaredFollowUp", "an undeclared second edit: reply.text is adjusted"),
        ("EarlierFollowUp", "is at no later call that is left"),
        ("NotDeterministic", "equal streams give different edits"),
        ("Raises", "trying it fails: RuntimeError: no rack"),
        ("BadExample", "examples hold"),
        ("Endless", "few sites"),
        ("OfManyDomains", "its domain: No domain is named \"['toy']\""),
        ("SitesIsANumber", "its sites is 7, no method"),
        ("NameRaises", "trying it fails: RuntimeError: no name today"),
        ("NumberedDoc", "its class has no docstring"),
        ("OddPolicies", "its policies is ('keep',), no tuple of ReplyPolicy"),
        ("OddScenarios", "its scenario 'on fire' does not exist"),
        ("Leaves", "trying it fails: SystemExit: 0"),
    ],
)
def test_a_broken_plugin_is_refused_by_name_with_the_reason(part, reason):
    with pytest.raises(PluginError) as refusal:
        OUTSIDE.load(entry(part))
    told = str(refusal.value)
    assert told.startswith(f"The fault 'broken' of the plug-in 'strangers:{part}' is refused: ")
    assert reason in told


def test_a_module_that_cannot_be_imported_is_refused_by_name():
    with pytest.raises(PluginError, match=r"'broken'.*ModuleNotFoundError"):
        OUTSIDE.load(EntryPoint("broken", "nowhere.to_be_found:Fault", GROUP))


def test_an_entry_point_may_name_a_class_or_an_instance(monkeypatch):
    monkeypatch.setattr(sys.modules["strangers"], "READY", Sound(), raising=False)
    assert isinstance(OUTSIDE.load(entry("Sound", "sound")).watched, Sound)
    assert OUTSIDE.load(entry("READY", "sound")).watched is sys.modules["strangers"].READY


@pytest.fixture
def offer(monkeypatch):
    """Let the catalog find given entry points and no others."""

    def offer_these(*entries):
        monkeypatch.setattr(plugins, "offered", lambda group: entries if group == GROUP else ())
        monkeypatch.setattr(OUTSIDE, "_loaded", {})

    return offer_these


def test_the_catalog_finds_and_lists_an_outside_fault(offer):
    offer(entry("Sound", "sound"))
    assert isinstance(catalog.find_fault("toy", "sound").watched, Sound)
    assert [fault.name for fault in catalog.faults_of("toy")][-1] == "sound"
    assert "sound" not in [fault.name for fault in catalog.faults_of("support_desk")]


def test_a_name_that_is_taken_is_refused_with_its_holder(offer, monkeypatch):
    class CoatKept(Sound):
        """Ask for a name that is taken."""

        name = "coat_kept"

    monkeypatch.setattr(sys.modules["strangers"], "Twin", CoatKept, raising=False)
    offer(entry("Twin", "coat_kept"))
    with pytest.raises(PluginError, match=r"'coat_kept' is registered twice: .*toy\.CoatKept"):
        catalog.find_fault("toy", "coat_kept")


def test_a_broken_plugin_fails_only_where_it_is_used(offer):
    offer(entry("Raises"))
    assert catalog.find_fault("toy", "coat_kept").name == "coat_kept"
    with pytest.raises(PluginError):
        catalog.find_fault("toy", "broken")
    with pytest.raises(PluginError):
        catalog.faults_of("toy")


def test_an_unknown_fault_or_domain_is_a_usage_error():
    with pytest.raises(UsageError, match="No fault is named 'skiped'"):
        catalog.find_fault("toy", "skiped")
    with pytest.raises(UsageError, match="No domain is named 'bakery'"):
        catalog.faults_of("bakery")


def test_the_example_plugin_is_sound(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLE_PLUGIN))
    found = EntryPoint("reason_withheld", "reason_withheld:ReasonWithheld", GROUP)
    assert OUTSIDE.load(found).name == "reason_withheld"


@pytest.mark.parametrize(
    ("part", "law"),
    [
        ("LaterAnother", "same stream, same edit"),
        ("LaterRaises", "edit: it raises SystemExit: 0"),
        ("LaterEndless", "few sites"),
    ],
)
def test_a_fault_that_changes_after_its_trial_is_named_with_its_law(offer, part, law):
    offer(entry(part, "later"))
    fault = catalog.find_fault("toy", "later")
    with pytest.raises(PluginError) as refusal:
        check_fault(fault, 600)
    assert f"plug-in {__name__}:{part} broke its contract: {law}" in str(refusal.value)
