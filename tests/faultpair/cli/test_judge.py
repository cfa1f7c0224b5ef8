"""`faultpair judge`: every judge on every run, signed with ids that no judge saw."""

import json
import os

import pytest

from faultpair.judges.catalog import find_judge
from faultpair.runner.verdicts import judge_without_model
from faultpair.studies.runs import read_runs


@pytest.fixture
def judge(faultpair, small, tmp_path):
    """Return a function that lets judges judge the small set."""

    def run(*names, out=None, force=False):
        asked = [part for name in names for part in ("--judge", name)]
        return faultpair(
            "judge", *asked, "--instances", small.folder.instances,
            "--trajectories", small.folder.trajectories,
            "--out", out or tmp_path / "verdicts.jsonl", *(["--force"] if force else []),
        )  # fmt: skip

    return run


def read(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_every_judge_answers_about_every_run(judge, small, tmp_path):
    names = ("rules", "state-check", "flag-all", "blind-coin")
    done = judge(*names)
    verdicts = read(tmp_path / "verdicts.jsonl")
    assert done.code == 0
    assert done.out.startswith(f"{4 * len(small.runs)} verdicts in ")
    assert {(one["trajectory_id"], one["judge_id"]) for one in verdicts} == {
        (run["trajectory_id"], name) for run in small.runs for name in names
    }
    assert {one["latency_s"] for one in verdicts} == {0.0}
    assert all(one["view"] and one["task"] for one in verdicts)


def test_the_same_judges_write_the_same_bytes(judge, tmp_path):
    judge("rules", "blind-coin", out=tmp_path / "one")
    judge("rules", "blind-coin", out=tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_the_rules_are_silent_on_clean_runs_and_controls(judge, small, tmp_path):
    judge("rules")
    flagged = {one["trajectory_id"] for one in read(tmp_path / "verdicts.jsonl") if one["faulty"]}
    assert flagged <= {run["trajectory_id"] for run in small.runs if run["label"]["faulty"]}
    assert flagged


def test_an_unknown_judge_is_refused_with_the_known_ones_and_no_file_is_left(judge, tmp_path):
    done = judge("rules", "rulez")
    assert done.code == 2
    assert "No judge is named 'rulez'. Known judges: rules, sequence, strict, " in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_malformed_run_is_named_and_the_old_verdicts_survive(faultpair, small, tmp_path):
    kept = tmp_path / "kept.jsonl"
    first = small.folder.trajectories.read_bytes().splitlines()[0]
    kept.write_bytes(first + b"\n" + first.replace(b'"goal":', b'"gaol":') + b"\n")
    out = tmp_path / "verdicts.jsonl"
    out.write_text("old\n")
    done = faultpair(
        "judge", "--judge", "rules", "--instances", small.folder.instances,
        "--trajectories", kept, "--out", out, "--force",
    )  # fmt: skip
    assert done.code == 2
    assert f"{kept}, line 2: " in done.err
    assert "`gaol`" in done.err
    assert out.read_text() == "old\n"


def test_a_malformed_instance_is_named(faultpair, small, tmp_path):
    kept = tmp_path / "instances.jsonl"
    kept.write_bytes(
        small.folder.instances.read_bytes().replace(b'"total_cents":', b'"total_cents":-', 1)
    )
    done = faultpair(
        "judge", "--judge", "rules", "--instances", kept,
        "--trajectories", small.folder.trajectories, "--out", tmp_path / "verdicts.jsonl",
    )  # fmt: skip
    assert done.code == 2
    assert f"{kept}, line 1: field order.total_cents: Expected `int` >= 1" in done.err


def test_a_verdict_is_the_finding_with_the_ids_that_no_judge_saw(small):
    runs = read_runs(small.folder.trajectories, small.folder.instances)
    judge = find_judge("flag-all", "support_desk")
    verdict = next(judge_without_model(lambda domain: [judge], runs))
    (trajectory_id, *_) = (run["trajectory_id"] for run in small.runs)
    assert (verdict.trajectory_id, verdict.judge_id, verdict.faulty) == (
        trajectory_id, "flag-all", True,
    )  # fmt: skip
    assert (verdict.engine, verdict.prompt_tokens, verdict.error) == (None, 0, None)


def test_a_file_that_is_there_is_written_over_with_force_alone(judge, tmp_path):
    out = tmp_path / "mine.jsonl"
    out.write_text("mine")
    done = judge("rules", out=out)
    assert (done.code, "overwrite it with --force" in done.err) == (2, True)
    assert out.read_text() == "mine"
    assert judge("rules", out=out, force=True).code == 0


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_is_no_plain_file_is_never_replaced(judge, tmp_path, kind):
    out = tmp_path / "mine.jsonl"
    if kind == "link":
        out.symlink_to(tmp_path / "not there yet")
    elif kind == "pipe":
        os.mkfifo(out)
    else:
        out.mkdir()
    before = out.lstat().st_mode
    done = judge("rules", out=out, force=True)
    assert (done.code, "is a link, a folder or a device" in done.err) == (2, True)
    assert out.lstat().st_mode == before


@pytest.mark.parametrize("name", ["trajectories.jsonl", "instances.jsonl"])
def test_an_input_is_never_written_over_not_even_through_a_link(judge, small, tmp_path, name):
    before = (small.folder.out / name).read_bytes()
    link = tmp_path / "link.jsonl"
    link.symlink_to(small.folder.out / name)
    for out in (small.folder.out / name, link):
        done = judge("rules", out=out, force=True)
        assert (done.code, "is read by this command" in done.err) == (2, True)
    assert (small.folder.out / name).read_bytes() == before


@pytest.mark.parametrize(
    "name", ["study.toml", "replies.jsonl", "turns.jsonl", "manifest.json", "human.csv"]
)
def test_a_file_that_cannot_be_made_again_is_never_written_over(judge, tmp_path, name):
    (tmp_path / name).write_text("kept")
    done = judge("rules", out=tmp_path / name, force=True)
    assert (done.code, "cannot be made again" in done.err) == (2, True)
    assert (tmp_path / name).read_text() == "kept"
