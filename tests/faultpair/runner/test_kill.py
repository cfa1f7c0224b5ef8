"""A run that is killed at any moment: nothing is lost, nothing is doubled, the end is the same."""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

ROOT = Path(__file__).resolve().parents[3]
N_KILLS = 100
LATEST_S = 0.5
PARALLEL = 3

STUDY = """\
title = "Killed"
domain = "support_desk"
seed = 7
clean = 6
judges = ["rules"]

[[faults]]
name = "wrong_tool"
count = 6

[[faults]]
name = "unsupported_claim"
count = 6

[[model_judges]]
id = "slow"
engine = "python:slow:judge"
folder = "."
samples = 2
repeats = 2

[[model_judges]]
id = "reply"
engine = "scripted:coin"
view = "goal-and-reply"
task = "judge-reply"

[[votes]]
id = "vote"
of = "slow"
k = 3

[[contrasts]]
name = "c"
judge = "slow"
against = "reply"
"""

SLOW = """\
import time

def judge(exhibit):
    with open("calls", "a") as calls:
        calls.write(".")
    time.sleep(0.004)
    return {"faulty": len(exhibit["reply"]) % 2 == 0, "confidence": 0.9}
"""

# Python starts once; each run is a process forked from it, so that a hundred take no minutes.
NURSERY = """\
import os, sys
sys.path.append(os.getcwd())
from faultpair.cli.app import main
import faultpair.engines.external.function, faultpair.engines.scripted, slow
import faultpair.studies.append_log
faultpair.studies.append_log.RENEWED_EVERY = 5
for line in sys.stdin:
    child = os.fork()
    if not child:
        main(["run", *line.split()])
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Nursery:
    """Starts runs in processes of their own and kills them at a given time."""

    def __init__(self, folder):
        self._parent = subprocess.Popen(
            [sys.executable, "-c", NURSERY], cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
        )  # fmt: skip

    def run(self, arguments, kill_after_s=None):
        """Return the exit code of a run, negative if it was killed."""
        self._parent.stdin.write(f"{arguments}\n".encode())
        child = self._number()
        if kill_after_s is not None:
            select.select([self._parent.stdout], [], [], kill_after_s)
            os.kill(child, signal.SIGKILL)
        return self._number()

    def _number(self):
        # The run itself prints its table to the same pipe.
        while True:
            line = self._parent.stdout.readline().strip()
            assert line or self._parent.poll() is None
            if line.lstrip(b"-").isdigit():
                return int(line)

    def close(self):
        self._parent.stdin.close()
        self._parent.wait()
        self._parent.stdout.close()


@pytest.fixture
def nursery(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    (tmp_path / "slow.py").write_text(SLOW)
    nursery = Nursery(tmp_path)
    yield nursery
    nursery.close()


def whole_lines(path):
    """Return the whole lines of a file; a crash may leave a torn one."""
    if not path.exists():
        return []
    return [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def without_latencies(path):
    return [json.loads(line) | {"latency_s": 0.0} for line in path.read_bytes().splitlines()]


def without_digests(path):
    """Return a manifest without digests of what holds latencies."""
    manifest = json.loads(path.read_bytes())
    del manifest["sealed_logs"], manifest["digest"], manifest["sha256"]["verdicts.jsonl"]
    return manifest


def check_seals(folder, faultpair):
    """Hold what a kill left to its seals, as each command does that reads it."""
    if not (folder / "trajectories.jsonl").exists():
        return
    study, runs = folder.parent / "study.toml", folder / "trajectories.jsonl"
    planted = next(
        run["trajectory_id"] for run in map(json.loads, runs.open()) if run["label"]["faulty"]
    )
    for command in (
        ("report", study, "--out", folder),
        ("rebuild", "--results", folder.parent, "--study", folder.name, "--no-figures"),
        ("show", planted, "--study", folder),
        ("replay", "--trajectories", runs, "--instances", folder / "instances.jsonl"),
    ):
        done = faultpair(*command)
        is_unjudged = "no verdicts.jsonl" in done.err or "without judges" in done.out
        is_without_study = command[0] == "rebuild" and "no study file" in done.err
        assert done.code == 0 or is_unjudged or is_without_study, (command, done)


def check_state(folder, kept_before):
    """Hold what a kill left to what is promised, and return the answers that are kept."""
    kept = whole_lines(folder / "replies.jsonl")
    assert kept[: len(kept_before)] == kept_before, "an answer was lost or changed"
    final = [json.loads(line) for line in kept]
    keys = {(one["trajectory_id"], one["judge_id"], one["sample"], one["repeat"]) for one in final}
    assert len(keys) == len(final), "an answer is kept twice"
    verdicts = [json.loads(line) for line in whole_lines(folder / "verdicts.jsonl")]
    keys = {
        tuple(one[k] for k in ("trajectory_id", "judge_id", "sample", "repeat")) for one in verdicts
    }
    assert len(keys) == len(verdicts), "a verdict is written twice"
    return kept


@pytest.mark.slow
def test_a_hundred_kills_lose_and_double_nothing_and_the_end_is_that_of_one_run(
    nursery, tmp_path, faultpair
):
    assert nursery.run("study.toml --out whole -j 3") == 0
    expected = without_latencies(tmp_path / "whole" / "verdicts.jsonl")
    n_requests = len(whole_lines(tmp_path / "whole" / "replies.jsonl"))
    sealed = without_digests(tmp_path / "whole" / "manifest.json")
    (tmp_path / "calls").unlink()

    def check_end(folder):
        assert without_latencies(folder / "verdicts.jsonl") == expected
        assert without_digests(folder / "manifest.json") == sealed
        assert len(whole_lines(folder / "replies.jsonl")) == n_requests

    moments, n_killed, n_rounds, kept = Random(20), 0, 0, []
    while n_killed < N_KILLS:
        folder = tmp_path / f"broken-{n_rounds}"
        moment = moments.uniform(0.0, LATEST_S)
        code = nursery.run(f"study.toml --out {folder.name} -j {PARALLEL}", moment)
        n_killed += code == -signal.SIGKILL
        kept = check_state(folder, kept)
        if n_killed % 2:
            check_seals(folder, faultpair)
        assert code in (0, -signal.SIGKILL)
        if code == 0 or len(kept) == n_requests:
            assert nursery.run(f"study.toml --out {folder.name}") == 0
            check_end(folder)
            n_rounds, kept = n_rounds + 1, []
    folder = tmp_path / f"broken-{n_rounds}"
    assert nursery.run(f"study.toml --out {folder.name} -j {PARALLEL}") == 0
    check_end(folder)
    n_slow = sum(b'"judge_id":"slow"' in line for line in whole_lines(folder / "replies.jsonl"))
    n_calls = len((tmp_path / "calls").read_bytes())
    assert n_calls <= (n_rounds + 1) * n_slow + N_KILLS * PARALLEL, "more than in flight was lost"
