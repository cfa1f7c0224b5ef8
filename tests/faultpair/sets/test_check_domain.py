"""The conformance kit of a domain: ours keep it, and each broken law is named."""

import pytest
from msgspec.structs import replace

from faultpair.env.catalog import DOMAINS
from faultpair.env.kernel import Action
from faultpair.env.records import Call
from faultpair.env.registry import Registry
from faultpair.env.toy import Cloakroom
from faultpair.env.toy.world import CloakroomWorld
from faultpair.sets.check_domain import check_domain

COUNTED = []


class Forgetful(Cloakroom):
    """Generate another ticket each time."""

    def generate(self, seed, index, world=1):
        COUNTED.append(index)
        made = super().generate(seed, index, world)
        return replace(made, goal=f"{made.goal} It is guest {len(COUNTED)}.")


class Misnamed(Cloakroom):
    """Say another scenario than the instance has."""

    def generate(self, seed, index, world=1):
        made = super().generate(seed, index, world)
        return replace(made, difficulty="found" if made.coat is None else "missing")


class Demanding(Cloakroom):
    """Require an end state that no call reaches."""

    def required(self, instance):
        return {"handed_over": "a coat of snow"}


class Moody(CloakroomWorld):
    """Take another time in each episode."""

    def duration_s(self, tool, use):
        COUNTED.append(tool)
        return len(COUNTED)


class Restless(Cloakroom):
    """Have a moody world."""

    def world(self, instance, sim):
        return Moody(instance)


@pytest.mark.parametrize("domain", DOMAINS.values(), ids=list(DOMAINS))
def test_every_domain_of_ours_keeps_the_contract(domain):
    report = check_domain(domain, 40)
    assert report.ok, report
    assert str(report) == f"{domain.name}: 80 instances\n  It keeps the contract."


@pytest.mark.parametrize(
    ("domain", "law"),
    [
        (Forgetful(), "same seed, same instance"),
        (Misnamed(), "scenario known"),
        (Demanding(), "required end state reached"),
        (Restless(), "replay equal"),
    ],
)
def test_a_broken_law_is_named_with_its_first_case(domain, law):
    report = check_domain(domain, 4)
    assert {violation.law for violation in report.violations} == {law}
    assert f"broken 8 times: {law} (TOY-" in str(report)


def test_a_domain_of_world_1_alone_is_checked_there():
    class Old(Cloakroom):
        """Know of no further world."""

        worlds = (1,)

        def generate(self, seed, index):
            return super().generate(seed, index)

    assert str(check_domain(Old(), 4)).startswith("toy: 4 instances\n")


def test_an_oracle_that_breaks_a_rule_is_found(monkeypatch):
    def hasty(instance):
        yield Action(Call("reply", {"text": "Nothing was done."}))

    oracles = Registry("oracle")
    oracles.add("toy", hasty)
    monkeypatch.setattr("faultpair.oracle.catalog.ORACLES", oracles)
    report = check_domain(Cloakroom(), 2)
    assert "no rule broken" in {violation.law for violation in report.violations}
