"""A run that is ended by a signal: what its judges started is gone two seconds later."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ...left_behind import CHILDREN, is_running, pids, wait_until

ROOT = Path(__file__).resolve().parents[3]
STUDY = """\
title = "Left behind"
domain = "toy"
seed = 7
clean = 2

[[model_judges]]
id = "busy"
engine = "{engine}"
folder = "."
"""
BUSY = (
    CHILDREN
    + """\
import sys

def judge(exhibit):
    note(); child(); daemon()
    time.sleep(60)

if __name__ == "__main__":
    for line in sys.stdin:
        judge(line)
"""
)
ENGINES = {"python": "python:busy:judge", "cmd": f"cmd:{sys.executable} busy.py"}
N_PROCESSES = 3

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds daemons by /proc")


@pytest.fixture
def busy_run(tmp_path, monkeypatch):
    """Return a function that starts a run whose judge is busy and has children."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "busy.py").write_text(BUSY)
    runs = []

    def start(kind):
        (tmp_path / "study.toml").write_text(STUDY.format(engine=ENGINES[kind]))
        command = [sys.executable, "-m", "faultpair", "run", "study.toml"]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        runs.append(subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True))
        assert wait_until(lambda: len(pids()) == N_PROCESSES, 60)
        return runs[-1]

    yield start
    for run in runs:
        run.kill()
        run.communicate()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_nothing_that_a_judge_started_is_left_two_seconds_after_the_run(busy_run, number, kind):
    run = busy_run(kind)
    assert all(map(is_running, pids()))
    run.send_signal(number)
    run.wait(20)
    assert wait_until(lambda: not any(map(is_running, pids())), 2)
    assert len(pids()) == N_PROCESSES, "the judge was asked again"


def test_a_judge_that_ends_its_process_does_not_end_the_run_with_success(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "busy.py").write_text("import os\ndef judge(exhibit): os._exit(0)")
    (tmp_path / "study.toml").write_text(STUDY.format(engine=ENGINES["python"]))
    (tmp_path / "quick.py").write_text(
        "from faultpair.calls import client\n"
        "client.LONGEST_RETRY_AFTER_S = 0\n"
        "client.RetryPolicy.pause_after = lambda self, attempt: 0.0\n"
        "from faultpair.cli.app import main\n"
        "main(['run', 'study.toml'])\n"
    )
    done = subprocess.run(
        [sys.executable, "quick.py"], env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 3
    assert "2 requests ended in an error" in done.stderr.replace("\n", " ")
    assert "ended with code 0 without an answer" in (tmp_path / "replies.jsonl").read_text()
