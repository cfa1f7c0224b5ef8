"""The paper's six types make, on the release's own instances, the runs of the release."""

from collections import Counter

import msgspec
import pytest

from faultpair.env.catalog import DOMAINS, read_instances
from faultpair.env.jsonl import read_records
from faultpair.env.records import Trajectory
from faultpair.env.rng import stream
from faultpair.injector.catalog import find_fault
from faultpair.injector.inject import inject
from faultpair.oracle.catalog import clean_run

DESK = DOMAINS["support_desk"]


@pytest.fixture(scope="module")
def pairs(release_dir):
    """Each faulty run of the release beside what we make of the same instance and type."""
    instances = read_instances(release_dir / "instances.jsonl")
    runs = read_records(release_dir / "raw" / "trajectories.jsonl", Trajectory)
    return [(run, planted_like(run, instances[run.instance_id])) for run in runs if faulty(run)]


def faulty(run):
    return run.label.faulty


def planted_like(run, instance):
    fault = find_fault("support_desk", run.label.failure_type)
    parent = clean_run(DESK, instance)
    site = next(fault.sites(instance, parent))
    return inject(DESK, instance, parent, fault, site, rng=stream(7, "release"))


def test_all_six_types_are_compared_fifty_times(pairs):
    counts = Counter(theirs.label.failure_type for theirs, _ in pairs)
    assert len(counts) == 6
    assert set(counts.values()) == {50}


def test_type_step_and_outcome_are_those_of_the_release(pairs):
    for theirs, ours in pairs:
        for name in ("faulty", "failure_type", "failure_step", "outcome_correct"):
            assert getattr(ours.label, name) == getattr(theirs.label, name), theirs.trajectory_id


def test_the_calls_are_those_of_the_release_apart_from_words_and_invented_items(pairs):
    for theirs, ours in pairs:
        assert calls_of(ours) == calls_of(theirs), theirs.trajectory_id


def calls_of(run):
    free = {"text", "reason"}
    if run.label.failure_type == "hallucinated_argument":
        free.add("sku")
    return [
        (
            step.call.tool,
            {name: value for name, value in step.call.args.items() if name not in free},
        )
        for step in run.steps
    ]


def test_the_data_of_every_observation_are_those_of_the_release(pairs):
    for theirs, ours in pairs:
        seen = [(step.observation.ok, data_of(step)) for step in ours.steps]
        assert seen == [(step.observation.ok, data_of(step)) for step in theirs.steps]


def data_of(step):
    data = msgspec.to_builtins(step.observation.data)
    return {name: value for name, value in data.items() if name != "reason"}
