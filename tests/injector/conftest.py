"""Runs of every type, planted once and shared by the tests of the injector."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Instance, ReplyPolicy, Trajectory
from faultpair.injector.catalog import BUILT_IN
from faultpair.injector.fault import Edit, Fault, Site
from faultpair.injector.inject import edit_stream, inject
from faultpair.oracle.catalog import clean_run

N_INSTANCES = 300


class Planted(NamedTuple):
    """A planted run with all that it came of."""

    fault: Fault
    site: Site
    policy: ReplyPolicy
    edit: Edit
    instance: Instance
    parent: Trajectory
    run: Trajectory


@pytest.fixture(scope="session")
def clean_runs() -> list[tuple[Instance, Trajectory]]:
    """The first support-desk instances of seed 0 with their clean runs."""
    domain = DOMAINS["support_desk"]
    instances = [domain.generate(0, index) for index in range(N_INSTANCES)]
    return [(instance, clean_run(domain, instance)) for instance in instances]


@pytest.fixture(scope="session")
def planted(clean_runs) -> list[Planted]:
    """Every built-in type of the support desk, at every site and under every policy."""
    return [
        plant
        for instance, parent in clean_runs
        for fault in BUILT_IN["support_desk"].values()
        for site in fault.sites(instance, parent)
        for plant in plant_at(fault, site, instance, parent)
    ]


def plant_at(fault: Fault, site: Site, instance: Instance, parent: Trajectory) -> Iterator[Planted]:
    domain = DOMAINS[fault.domain]
    calls = tuple(step.call for step in parent.steps)
    edit = fault.edit(instance, calls, site, edit_stream(0, instance, fault, site))
    for policy in fault.policies:
        run = inject(
            domain,
            instance,
            parent,
            fault,
            site,
            rng=edit_stream(0, instance, fault, site),
            policy=policy,
        )
        yield Planted(fault, site, policy, edit, instance, parent, run)
