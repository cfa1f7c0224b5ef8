"""Offers of hosts: made from arguments alone, and taken in order while hosts are missing."""

import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import StudyError
from faultpair.sets.host_offers import offers_of, take_offers
from faultpair.sets.hosts import open_quotas
from faultpair.studies.spec import PlantSpec, StudySpec

DOMAIN = DOMAINS["toy"]
FAULT, CONTROL = (PlantSpec(name=name, count=2) for name in ("coat_kept", "looked_again"))


def study(*faults, controls=(), clean=0):
    return StudySpec(title="t", domain="toy", seed=5, clean=clean, faults=faults, controls=controls)


def offers(spec, rounds, ranks=range(9)):
    """Return the offers of rounds to the quotas of some ranks."""
    quotas = [quota for quota in open_quotas(DOMAIN, spec) if quota.rank in ranks]
    return offers_of(DOMAIN, spec, quotas, rounds)


def test_the_same_rounds_make_the_same_offers_in_one_task_or_in_several():
    spec = study(FAULT, controls=(CONTROL,), clean=3)
    parts = [offers(spec, [round_index]) for round_index in range(4)]
    assert offers(spec, range(4)) == {index: each for part in parts for index, each in part.items()}


def test_an_offer_has_only_the_plants_of_the_given_quotas():
    spec = study(FAULT, controls=(CONTROL,))
    ranks = {
        rank for tiers in offers(spec, range(4), {1}).values() for o in tiers for rank in o.planted
    }
    assert ranks == {1}


def test_hosts_are_taken_while_they_are_missing_and_other_instances_are_left_out():
    spec = study(FAULT)
    quotas = open_quotas(DOMAIN, spec)
    made = list(take_offers(DOMAIN, spec, quotas, (offers(spec, range(9)) for _ in range(9))))
    assert [len(instance.runs) for instance in made] == [2, 2]
    assert quotas[0].missing == 0


def test_a_wanted_clean_run_is_taken_without_a_host():
    spec = study(clean=3)
    made = list(take_offers(DOMAIN, spec, [], (offers(spec, [n]) for n in range(9))))
    assert [len(instance.runs) for instance in made] == [1, 1, 1]


def test_a_fault_without_hosts_is_refused_after_many_rounds(monkeypatch):
    monkeypatch.setattr("faultpair.sets.hosts.MAX_ROUNDS_WITHOUT_HOST", 3)
    spec = study(FAULT)
    empty = ({} for _ in range(9))
    with pytest.raises(
        StudyError, match="'coat_kept' lacks 2 of 2 hosts: none of the last 3 rounds"
    ):
        list(take_offers(DOMAIN, spec, open_quotas(DOMAIN, spec), empty))
