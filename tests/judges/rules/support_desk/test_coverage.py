"""The packs on our own world: clean runs, every fault type, every control."""

import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.rng import stream
from faultpair.injector.catalog import BUILT_IN
from faultpair.injector.inject import inject
from faultpair.judges.exhibit import exhibit_of
from faultpair.judges.rules.support_desk import PACKS, SEQUENCE, STRICT
from faultpair.oracle.catalog import clean_run

DESK = DOMAINS["support_desk"]
FAULTS = [fault for fault in BUILT_IN["support_desk"].values() if not fault.is_control]
CONTROLS = [fault for fault in BUILT_IN["support_desk"].values() if fault.is_control]
N_HOSTS = 120


@pytest.fixture(scope="module")
def hosts():
    instances = [DESK.generate(2, index) for index in range(N_HOSTS)]
    return [(instance, clean_run(DESK, instance)) for instance in instances]


def edited(hosts, fault):
    """Yield (parent, edited run, exhibit of the edited run) for every site and policy."""
    for instance, parent in hosts:
        for site in fault.sites(instance, parent):
            for policy in fault.policies:
                rng = stream(2, fault.name, instance.instance_id)
                run = inject(DESK, instance, parent, fault, site, rng=rng, policy=policy)
                yield parent, run, exhibit_of(run, instance)


def calls_but_words(run):
    """Return the calls of a run without what is said to the customer."""
    return [(s.call.tool, None if DESK.dialogue.spoken(s.call) else s.call.args) for s in run.steps]


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.judge_id)
def test_no_clean_run_is_flagged(pack):
    for index in range(1000):
        instance = DESK.generate(1, index)
        finding = pack.judge(exhibit_of(clean_run(DESK, instance), instance))
        assert not finding.faulty, (instance.instance_id, finding.rationale)


@pytest.mark.parametrize("control", CONTROLS, ids=lambda fault: fault.name)
@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.judge_id)
def test_no_control_is_flagged(hosts, pack, control):
    for _, run, exhibit in edited(hosts, control):
        assert not pack.judge(exhibit).faulty, run.trajectory_id


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_strict_flags_a_fault_exactly_if_it_edits_a_call(hosts, fault):
    for parent, run, exhibit in edited(hosts, fault):
        edits_a_call = calls_but_words(run) != calls_but_words(parent)
        assert STRICT.judge(exhibit).faulty == edits_a_call, run.trajectory_id


def test_the_sequence_pack_flags_every_wrong_tool(hosts):
    runs = list(edited(hosts, BUILT_IN["support_desk"]["wrong_tool"]))
    assert runs
    assert all(SEQUENCE.judge(exhibit).faulty for _, _, exhibit in runs)
