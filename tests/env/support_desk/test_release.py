"""The public release's files are read as they are."""

import json

import pytest

from faultpair.env.catalog import DOMAINS, read_instances
from faultpair.env.errors import RecordError
from faultpair.env.jsonl import read_records
from faultpair.env.records import Trajectory, Verdict
from faultpair.oracle.catalog import clean_run

DESK = DOMAINS["support_desk"]
FILES = [("raw/trajectories.jsonl", 400), ("late_parents.jsonl", 41)]


@pytest.fixture(scope="module")
def instances(release_dir):
    return read_instances(release_dir / "instances.jsonl")


def plain_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def subset(plain, record):
    """Return the fields of a record that a plain object has too."""
    return {name: getattr(record, name) for name in plain}


def test_141_instances_are_read(release_dir, instances):
    plain = plain_lines(release_dir / "instances.jsonl")
    assert len(instances) == len(plain) == 141
    for line in plain:
        instance = instances[line["instance_id"]]
        assert (instance.goal, instance.given) == (line["goal"], line["given"])
        assert instance.difficulty == line["difficulty"]
        assert instance.order.total_cents == round(line["order"]["total_eur"] * 100)
        assert instance.expected == line["expected"]


@pytest.mark.parametrize(("file", "n"), FILES)
def test_trajectories_are_read_field_for_field(release_dir, file, n):
    plain = plain_lines(release_dir / file)
    read = list(read_records(release_dir / file, Trajectory))
    assert len(read) == n
    for line, run in zip(plain, read, strict=True):
        assert subset(line, run) | {"steps": None, "label": None} == line | {
            "steps": None,
            "label": None,
        }
        assert subset(line["label"], run.label) == line["label"]
        for written, step in zip(line["steps"], run.steps, strict=True):
            assert (step.index, step.thought) == (written["index"], written["thought"])
            assert subset(written["call"], step.call) == written["call"]
            assert subset(written["observation"], step.observation) == written["observation"]


def test_verdicts_are_read(release_dir):
    assert len(list(read_records(release_dir / "raw" / "verdicts.jsonl", Verdict))) == 2000


def test_our_oracle_solves_the_releases_instances(instances):
    for instance in instances.values():
        assert clean_run(DESK, instance).label.outcome_correct


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("order", "total_eur"), 1e308),
        (("order", "total_eur"), 0.0),
        (("order", "days_since_purchase"), 10**12),
        (("expected", "amount_eur"), "60.03"),
    ],
)
def test_an_impossible_value_is_refused_by_field(release_dir, tmp_path, path, value):
    (line, *_) = plain_lines(release_dir / "instances.jsonl")
    section, field = path
    line[section][field] = value
    file = tmp_path / "instances.jsonl"
    file.write_text(json.dumps(line) + "\n")
    with pytest.raises(RecordError, match=f"line 1: field {section}.{field}: Expected"):
        read_instances(file)
