"""The aim on our own world: Δ of at least +0.9 where the reply changed, nothing else flagged.

The words and kinds of claim were chosen with clean runs, controls and half ``a``
of the promise grammar in view; half ``b`` was kept for this measurement. That a
promise is caught owes nothing to its half: a sentence passes only if every word
and value in it is one that the observations or clauses account for.
"""

from collections import Counter

import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Cell
from faultpair.env.rng import stream
from faultpair.injector.catalog import BUILT_IN
from faultpair.injector.faults.support_desk.promises import FOUR, HALVES, sentences
from faultpair.injector.inject import inject
from faultpair.judges.catalog import find_judge
from faultpair.judges.exhibit import exhibit_of
from faultpair.oracle.catalog import clean_run

DESK = DOMAINS["support_desk"]
FAULTS = [fault for fault in BUILT_IN["support_desk"].values() if not fault.is_control]
CONTROLS = [fault for fault in BUILT_IN["support_desk"].values() if fault.is_control]
PROMISES = BUILT_IN["support_desk"]["unsupported_claim"]
CHANGED = (Cell.CHANGED_SURVIVES, Cell.CHANGED_LOST)
AIM = 0.9

# Under the policy `consistent` these change the reply in that it no longer says what
# was not read: it holds no name, it does not mention the fee. What it still
# says is so, and no clause asks a reply for more. Only the calls show what is wrong.
OUT_OF_REACH = {
    "wrong_tool",
    "hallucinated_argument",
    "unverified_customer",
    "policy_unread",
    "timeout_as_answer",
}


@pytest.fixture(scope="module")
def flags():
    judge = find_judge("reply-grounding", "support_desk")
    return lambda run, instance: int(judge.judge(exhibit_of(run, instance)).faulty)


@pytest.fixture(scope="module")
def hosts():
    instances = [DESK.generate(3, index) for index in range(300)]
    return [(instance, clean_run(DESK, instance)) for instance in instances]


def planted(hosts, fault, variant=None):
    """Yield (instance, parent, run) for the sites of a variant under every policy."""
    for instance, parent in hosts:
        for site in fault.sites(instance, parent):
            if variant is None or site.variant == variant:
                for policy in fault.policies:
                    rng = stream(3, fault.name, instance.instance_id)
                    run = inject(DESK, instance, parent, fault, site, rng=rng, policy=policy)
                    yield instance, parent, run


def delta(flags, pairs):
    """Return the mean of flag(fault) − flag(parent) over pairs."""
    differences = [
        flags(run, instance) - flags(parent, instance) for instance, parent, run in pairs
    ]
    return sum(differences) / len(differences)


def test_no_clean_run_is_flagged(flags):
    instances = [DESK.generate(1, index) for index in range(1000)]
    assert not any(flags(clean_run(DESK, instance), instance) for instance in instances)


@pytest.mark.parametrize("control", CONTROLS, ids=lambda fault: fault.name)
def test_no_control_is_flagged(hosts, flags, control):
    assert not any(flags(run, instance) for instance, _, run in planted(hosts, control))


@pytest.mark.parametrize("source", ["four", "a", "b"])
def test_invented_promises_are_distinguished_from_their_parents(hosts, flags, source):
    pairs = list(planted(hosts, PROMISES, source))
    assert len(pairs) == 300
    assert delta(flags, pairs) >= AIM


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_aim_is_met_for_every_type_whose_changed_reply_says_what_is_not_so(hosts, flags, fault):
    pairs = [pair for pair in planted(hosts[:120], fault) if pair[2].label.cell in CHANGED]
    if not pairs:
        pytest.skip("it leaves the reply as it is")
    if fault.name in OUT_OF_REACH:
        assert {str(run.label.reply_policy) for _, _, run in pairs} == {"consistent"}
        assert delta(flags, pairs) == 0
    else:
        assert delta(flags, pairs) >= AIM


@pytest.mark.parametrize("half", list(HALVES))
@pytest.mark.parametrize("situation", ["refund", "late"])
def test_every_sentence_of_the_grammar_is_flagged_after_a_reply_that_passes(told, situation, half):
    so = {
        "refund": "I have refunded CHF 34.06.",
        "late": "The refund window of 30 days has ended. A specialist will contact you.",
    }[situation]
    assert told(situation, so).faulty is False
    invented = [said.text for said in sentences(half)] + list(FOUR)
    passed = [text for text in invented if not told(situation, f"{so} {text}").faulty]
    assert passed == []


def test_the_types_it_names_are_those_of_the_judges_taxonomy(hosts):
    judge = find_judge("reply-grounding", "support_desk")
    named = Counter()
    for fault in FAULTS:
        for instance, _, run in planted(hosts[:24], fault):
            named[judge.judge(exhibit_of(run, instance)).failure_type] += 1
    assert set(named) == {
        None,
        "ignored_observation",
        "premature_stop",
        "skipped_precondition",
        "unsupported_claim",
    }
