"""The composite of rules, sequence and reply-grounding."""

import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.rng import stream
from faultpair.injector.catalog import BUILT_IN
from faultpair.injector.inject import inject
from faultpair.judges.catalog import find_judge
from faultpair.judges.composite import Composite
from faultpair.judges.exhibit import Exhibit, exhibit_of
from faultpair.judges.judge import Finding
from faultpair.oracle.catalog import clean_run

DESK = DOMAINS["support_desk"]
FAULTS = [fault for fault in BUILT_IN["support_desk"].values() if not fault.is_control]
CONTROLS = [fault for fault in BUILT_IN["support_desk"].values() if fault.is_control]
COMPOSITE = find_judge("composite", "support_desk")
NOTHING = Exhibit("support_desk", "", {}, (), "", None)


class Says:
    """A part that always says the same."""

    view = task = summary = "any"

    def __init__(self, judge_id, *finding, **more):
        self.judge_id = judge_id
        self._finding = Finding(*finding, **more)

    def judge(self, exhibit):
        return self._finding


SILENT = Says("silent", False, confidence=0.7)
EARLY = Says("early", True, 2, "wrong_tool", 0.9, "two")
LATE = Says("late", True, 5, "premature_stop", 0.95, "five")
STEPLESS = Says("stepless", True, None, None, 0.8, "somewhere")
UNREAD = Says("unread", None, unscored="it is Greek")


@pytest.mark.parametrize(
    ("parts", "rationale"),
    [
        ((SILENT, LATE, EARLY), "early: two"),
        ((LATE, UNREAD), "late: five"),
        ((STEPLESS, SILENT), "stepless: somewhere"),
        ((Says("one", True, 2, None, 0.8, "first"), EARLY), "one: first"),
    ],
)
def test_the_earliest_finding_is_named_and_the_first_part_where_they_tie(parts, rationale):
    finding = Composite(parts).judge(NOTHING)
    assert (finding.faulty, finding.rationale) == (True, rationale)


def test_without_a_finding_its_confidence_is_the_lowest_of_its_parts():
    finding = Composite((Says("sure", False, confidence=0.9), SILENT)).judge(NOTHING)
    assert (finding.faulty, finding.confidence) == (False, 0.7)


def test_what_a_part_cannot_read_is_not_passed():
    finding = Composite((SILENT, UNREAD)).judge(NOTHING)
    assert (finding.faulty, finding.unscored) == (None, "unread: it is Greek")


@pytest.fixture(scope="module")
def hosts():
    instances = [DESK.generate(4, index) for index in range(60)]
    return [(instance, clean_run(DESK, instance)) for instance in instances]


def planted(hosts, fault):
    for instance, parent in hosts:
        for site in fault.sites(instance, parent):
            for policy in fault.policies:
                rng = stream(4, fault.name, instance.instance_id)
                run = inject(DESK, instance, parent, fault, site, rng=rng, policy=policy)
                yield run, exhibit_of(run, instance)


def test_no_clean_run_is_flagged(hosts):
    assert not any(COMPOSITE.judge(exhibit_of(run, instance)).faulty for instance, run in hosts)


@pytest.mark.parametrize("control", CONTROLS, ids=lambda fault: fault.name)
def test_no_control_is_flagged(hosts, control):
    assert not any(COMPOSITE.judge(exhibit).faulty for _, exhibit in planted(hosts, control))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_every_fault_of_the_catalogue_is_flagged(hosts, fault):
    runs = list(planted(hosts, fault))
    assert runs
    missed = [run.trajectory_id for run, exhibit in runs if not COMPOSITE.judge(exhibit).faulty]
    assert missed == []
