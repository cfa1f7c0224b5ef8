"""The oracle of every domain is correct by construction: no rule broken, the end reached."""

from collections import Counter

import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.judges.catalog import judges_of
from faultpair.judges.exhibit import exhibit_of
from faultpair.judges.rules import RulePack
from faultpair.oracle.catalog import ORACLES, clean_run


def flagged_or_astray(domain, seed, n):
    """Return what any pack says against a clean run, and where the required end is missed."""
    packs = [judge for judge in judges_of(domain.name).values() if isinstance(judge, RulePack)]
    assert packs or domain.plans is not None
    problems = []
    for index in range(n):
        instance = domain.generate(seed, index)
        run = clean_run(domain, instance)
        if not run.label.outcome_correct or not domain.reached(instance, run.end_state):
            problems.append((index, "end state", run.end_state))
        exhibit = exhibit_of(run, instance)
        findings = ((pack.judge_id, pack.judge(exhibit)) for pack in packs)
        problems += [(index, name, said.rationale) for name, said in findings if said.faulty]
    return problems


def test_every_domain_has_an_oracle():
    assert list(ORACLES) == list(DOMAINS)


@pytest.mark.parametrize(
    "domain",
    [
        pytest.param(DOMAINS[name], id=name, marks=[pytest.mark.slow] if name == "workflow" else [])
        for name in DOMAINS
    ],
)
def test_it_breaks_no_rule_and_reaches_the_required_end_on_1000_instances(domain):
    assert flagged_or_astray(domain, seed=0, n=1000) == []


@pytest.mark.slow
@pytest.mark.parametrize("domain", DOMAINS.values(), ids=list(DOMAINS))
def test_it_breaks_no_rule_and_reaches_the_required_end_on_10000_instances(domain):
    assert flagged_or_astray(domain, seed=1, n=10_000) == []


@pytest.mark.parametrize("domain", DOMAINS.values(), ids=list(DOMAINS))
def test_a_clean_run_is_labelled_as_one(domain):
    instance = domain.generate(0, 0)
    run = clean_run(domain, instance)
    assert run.trajectory_id == f"{instance.instance_id}-clean"
    assert (run.instance_id, run.goal) == (instance.instance_id, instance.goal)
    assert run.domain == domain.name
    label = run.label
    assert (label.faulty, label.failure_step, label.failure_type) == (False, None, None)
    assert (label.parent_id, label.control, label.cell) == (None, None, None)


@pytest.mark.parametrize(
    "domain",
    [domain for domain in DOMAINS.values() if domain.plans is None],
    ids=lambda domain: domain.name,
)
def test_a_clean_run_closes_with_its_one_reply(domain):
    for index in range(60):
        run = clean_run(domain, domain.generate(2, index))
        spoken = [domain.dialogue.spoken(step.call) for step in run.steps]
        assert [text for text in spoken if text is not None] == [run.final_answer]
        assert spoken[-1] == run.final_answer


def test_clean_runs_are_of_several_lengths():
    desk = DOMAINS["support_desk"]
    lengths = Counter(len(clean_run(desk, desk.generate(0, index)).steps) for index in range(600))
    assert {6, 7} <= lengths.keys() <= {6, 7, 8}
