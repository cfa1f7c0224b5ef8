"""Every built-in type keeps the contract, and the kit sees when one does not."""

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import ClassVar

import pytest

from faultpair.env.records import Call, Cell
from faultpair.injector.catalog import BUILT_IN
from faultpair.injector.conformance import check_fault
from faultpair.injector.fault import (
    Delete,
    Edit,
    Example,
    Fault,
    FollowUp,
    Insert,
    Move,
    Replace,
    Site,
)

EVERY_TYPE = [fault for domain in BUILT_IN.values() for fault in domain.values()]


@pytest.mark.parametrize("fault", EVERY_TYPE, ids=lambda fault: f"{fault.domain}-{fault.name}")
def test_every_type_keeps_the_contract_on_200_instances(fault):
    report = check_fault(fault, 200)
    assert report.ok, "\n".join(map(str, report.violations[:5]))
    assert report.n_instances == 200


@pytest.mark.parametrize("fault", EVERY_TYPE, ids=lambda fault: f"{fault.domain}-{fault.name}")
def test_every_type_keeps_the_contract_on_another_seed(fault):
    assert check_fault(fault, 60, seed=11).ok


def test_every_control_of_a_run_has_at_least_200_hosts():
    controls = [fault for fault in EVERY_TYPE if fault.is_control and fault.domain != "workflow"]
    hosts = {fault.name: check_fault(fault, 200).n_hosts for fault in controls}
    assert set(hosts.values()) == {200}


@pytest.mark.slow
def test_every_control_of_a_plan_has_hosts_where_a_plan_has_its_like():
    controls = [fault for fault in BUILT_IN["workflow"].values() if fault.is_control]
    hosts = {fault.name: check_fault(fault, 200).n_hosts for fault in controls}
    assert hosts["siblings_swapped"] >= 100
    assert hosts["equivalent_tool"] >= 30
    assert hosts["optional_argument_added"] >= 4


class Kept(Fault):
    """Keep the coat; each subclass breaks one law on the way."""

    name: ClassVar[str] = "kept"
    domain: ClassVar[str] = "toy"

    def sites(self, instance, run) -> Iterator[Site]:
        return (Site(step.index) for step in run.steps if step.call.tool == "hand_over")

    def edit(self, instance, run, site, rng: Random) -> Edit:
        return Edit(Delete(site.step), "the coat is kept")

    def examples(self) -> tuple[Example, ...]:
        return (Example(0, ("find_coat", "reply"), 1, Cell.UNCHANGED_LOST),)


def laws_broken(fault: Fault) -> set[str]:
    return {violation.law for violation in check_fault(fault, 20).violations}


def test_the_fault_that_the_broken_ones_derive_from_is_sound():
    assert laws_broken(Kept()) == set()


def test_an_example_that_does_not_hold_is_found():
    class Wrong(Kept):
        def examples(self):
            return (Example(0, ("find_coat", "reply"), 0, Cell.UNCHANGED_LOST),)

    assert laws_broken(Wrong()) == {"examples hold"}


def test_a_fault_without_examples_is_found():
    class Bare(Kept):
        def examples(self):
            return ()

    assert laws_broken(Bare()) == {"examples hold"}


def test_a_fault_without_hosts_is_found():
    class Homeless(Kept):
        def sites(self, instance, run):
            return iter(())

    assert laws_broken(Homeless()) == {"examples hold", "has hosts"}


def test_a_host_outside_the_declared_scenarios_is_found():
    class Elsewhere(Kept):
        scenarios = ("missing",)

    assert laws_broken(Elsewhere()) == {"scenarios declared"}


def test_an_edit_that_depends_on_more_than_its_stream_is_found():
    numbers = count()

    class Moody(Kept):
        def edit(self, instance, run, site, rng):
            return Edit(Delete(site.step), f"edit number {next(numbers)}")

    assert "same stream, same edit" in laws_broken(Moody())


def test_an_edit_that_changes_the_clean_run_in_place_is_found():
    class Rough(Kept):
        def edit(self, instance, run, site, rng):
            run[0].args["ticket"] = 1
            return Edit(Delete(site.step), "the coat is kept")

    assert "input unchanged" in laws_broken(Rough())


def test_an_edit_outside_the_run_is_found():
    class Astray(Kept):
        def edit(self, instance, run, site, rng):
            return Edit(Delete(-1), "the last call is left out")

    assert "one edit, within the run" in laws_broken(Astray())


def test_a_move_to_the_same_place_is_found():
    class Still(Kept):
        def edit(self, instance, run, site, rng):
            return Edit(Move(site.step, site.step), "nothing moves")

    assert "one edit, within the run" in laws_broken(Still())


@pytest.mark.parametrize(
    ("declared", "at"),
    [((), 2), (("reply.word",), 2), (("find_coat.*",), 0)],
    ids=["undeclared", "declared otherwise", "before the operation"],
)
def test_a_follow_up_that_is_undeclared_or_comes_too_early_is_found(declared, at):
    class Chatty(Kept):
        follow_ups = declared

        def edit(self, instance, run, site, rng):
            return Edit(Delete(site.step), "the coat is kept", (FollowUp(at, "text", "Gone."),))

    assert "follow-ups declared" in laws_broken(Chatty())


def test_a_declared_follow_up_at_a_later_call_is_accepted():
    class Honest(Kept):
        follow_ups = ("reply.te*",)

        def edit(self, instance, run, site, rng):
            return Edit(Delete(site.step), "the coat is kept", (FollowUp(2, "text", "Gone."),))

        def examples(self):
            return (Example(0, ("find_coat", "reply"), 1, Cell.CHANGED_LOST),)

    assert laws_broken(Honest()) == set()


def test_an_edit_that_no_judge_could_see_is_found():
    class Unseen(Kept):
        def edit(self, instance, run, site, rng):
            return Edit(Replace(site.step, run[site.step]), "nothing is done")

        def examples(self):
            return (Example(0, ("find_coat", "hand_over", "reply"), 1, Cell.UNCHANGED_SURVIVES),)

    assert laws_broken(Unseen()) == {"view differs"}


def test_an_edit_without_words_is_found():
    class Silent(Kept):
        def edit(self, instance, run, site, rng):
            return Edit(Delete(site.step), " ")

    assert laws_broken(Silent()) == {"edit has words"}


def test_a_control_that_changes_the_outcome_is_found():
    class Harmful(Kept):
        is_control = True

        def examples(self):
            return (Example(0, ("find_coat", "reply"), None, Cell.UNCHANGED_LOST),)

    assert laws_broken(Harmful()) == {"control harmless"}


def test_an_edit_whose_call_is_refused_is_as_good_as_any():
    class Fumbled(Kept):
        def edit(self, instance, run, site, rng):
            return Edit(Insert(site.step, Call("juggle", {})), "the coat is thrown up")

        def examples(self):
            tools = ("find_coat", "juggle", "hand_over", "reply")
            return (Example(0, tools, 1, Cell.UNCHANGED_SURVIVES),)

    assert laws_broken(Fumbled()) == set()
