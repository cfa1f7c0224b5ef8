"""`[stop]` on the command line: how a run ends, and what dry runs, reports and tables say of it."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SLOW = """\
import time
def judge(exhibit):
    time.sleep(0.02)
    return {"faulty": True, "confidence": 0.9}
"""

STUDY = """\
title = "Stopping"
domain = "support_desk"
seed = 7
judges = ["rules"]

[stop]
floor = 0.2

[[faults]]
name = "wrong_tool"
count = {count}

[[model_judges]]
id = "alarm"
engine = "scripted:faulty"
"""


@pytest.fixture
def study(tmp_path):
    """Return a function that writes a study with so many faults and returns its folder."""

    def write(count=80):
        folder = tmp_path / "stopping"
        folder.mkdir(exist_ok=True)
        (folder / "study.toml").write_text(STUDY.format(count=count), encoding="utf-8")
        return folder

    return write


def replies(folder):
    return len((folder / "replies.jsonl").read_bytes().splitlines())


def test_a_run_that_is_clear_ends_with_0_and_says_why(faultpair, study):
    folder = study()
    done = faultpair("run", folder)
    assert done.code == 0
    assert "alarm is clear: it does not have a Δ of at least 0.2: Δ +0.000 [-0.198, " in done.err
    assert "after 20 of 80 instances" in done.err
    assert "requests are open" not in done.err
    assert replies(folder) < 80


def test_a_later_run_sends_no_more_unless_it_is_to_go_on(faultpair, study):
    folder = study()
    faultpair("run", folder)
    before = replies(folder)
    again = faultpair("run", folder)
    assert again.code == 0
    assert replies(folder) == before
    assert "--go-on asks the rest all the same" in again.err
    assert "alarm: clear under [stop]" in faultpair("run", folder, "--dry-run").out
    assert "In this run: 0 of 0" in faultpair("run", folder, "--dry-run").out
    on = faultpair("run", folder, "--go-on")
    assert on.code == 0
    assert replies(folder) == 160
    assert "fails, went on" in faultpair("report", folder).out


def test_a_run_that_is_not_clear_says_so_at_the_end_of_the_set(faultpair, study):
    done = faultpair("run", study(count=10))
    assert done.code == 0
    assert "alarm: not clear yet whether it has a Δ of at least 0.2" in done.err
    assert "after 10 of 10 instances; 20 of 20 requests" in done.err


def test_a_dry_run_says_what_to_expect_and_sends_nothing(faultpair, study):
    folder = study()
    done = faultpair("run", folder, "--dry-run")
    (line,) = (line for line in done.out.splitlines() if "with [stop]" in line)
    words = line.replace(",", " ").replace("at most", "").split()
    at = [int(word) for word in words if word.isdigit() and int(word) > 1]
    none, good, whole = at[0], at[-2], at[-1]
    assert whole == 160
    assert 0 < good < none < whole
    assert not (folder / "replies.jsonl").exists()


def test_a_report_begins_with_the_stop_and_marks_what_is_not_corrected(faultpair, study):
    folder = study()
    faultpair("run", folder)
    out = faultpair("report", folder).out
    assert out.startswith("Stopped when it is clear, stopping\n")
    row = next(line for line in out.splitlines() if line.startswith("alarm"))
    assert row.split()[:5] == ["alarm", "fails", "+0.000", "[-0.198,", "+0.198]"]
    assert "this interval is the result" in out
    summary = out.split("Summary of")[1].split("Recall and Δ by cell")[0]
    assert "Not corrected for stopping: alarm." in summary


def test_the_tables_of_a_rebuild_have_the_stop_and_the_marks(faultpair, study):
    folder = study()
    faultpair("run", folder)
    arguments = ("--results", folder.parent, "--study", folder.name, "--no-figures")
    assert faultpair("rebuild", *arguments).code == 0
    stopping, summary, design = (
        (folder / "tables" / f"{name}.md").read_text(encoding="utf-8")
        for name in ("stopping", "summary", "design")
    )
    assert "| alarm | fails | +0.000 [-0.198, +0.198]" in stopping
    assert "Not corrected for stopping: alarm" in summary
    assert "Not corrected" not in design


def test_a_study_that_was_stopped_is_verified(faultpair, study):
    folder = study()
    faultpair("run", folder)
    assert faultpair("verify", folder).code == 0
    manifest = json.loads((folder / "manifest.json").read_bytes())
    assert manifest["stop"]["ended"]["alarm"]["instances"] == 20


def test_a_judge_from_outside_whose_run_was_killed_stops_where_it_would_have(
    faultpair, study, tmp_path, monkeypatch
):
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    folder = study()
    file = folder / "study.toml"
    outside = file.read_text(encoding="utf-8").replace("scripted:faulty", "python:slow:judge")
    file.write_text(outside, encoding="utf-8")
    command = [sys.executable, "-m", "faultpair", "run", folder]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as run:
        until = time.monotonic() + 60
        log = folder / "replies.jsonl"
        while time.monotonic() < until and not (log.exists() and replies(folder) >= 5):
            time.sleep(0.01)
        run.kill()
    assert 5 <= replies(folder) < 40
    assert faultpair("run", folder).code == 0
    assert faultpair("run", folder, "--out", tmp_path / "whole").code == 0
    ended, whole = (
        json.loads((out / "manifest.json").read_bytes())["stop"]["ended"]["alarm"]
        for out in (folder, tmp_path / "whole")
    )
    assert ended | {"requests": 0} == whole | {"requests": 0}
    assert ended["passed"] is False
