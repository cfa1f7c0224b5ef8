"""`faultpair run`: how it ends, what it says, and what its options reach."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
REPLY = 'view = "goal-and-reply"\ntask = "judge-reply"\n'

SLOW = """\
import pathlib, time
def judge(exhibit):
    with open("calls", "a") as calls:
        calls.write(".")
    time.sleep(0.1)
    while pathlib.Path("hold").exists():
        time.sleep(0.02)
    return {"faulty": True, "confidence": 0.9}
"""


@pytest.fixture
def run(faultpair, lab):
    """Return a function that runs the command on the study of the laboratory."""
    return lambda *options: faultpair("run", lab.out, *options)


def test_a_run_that_settles_all_is_0_and_shows_the_table(run, lab):
    lab.study({"s": "", "r": REPLY})
    done = run()
    assert done.code == 0
    assert "Judges that ask" in done.out
    assert "r: 15 of 15 requests: 0 flagged, 15 clean" in done.err or "15 of 15" in done.err


def test_a_limit_that_is_reached_is_0(run, lab):
    lab.study({"s": ""})
    assert run("--limit", 4).code == 0
    assert run("--max-calls", 2).code == 0
    assert len(lab.replies) == 6


def test_a_limit_of_none_is_0_and_shows_no_table(run, lab):
    lab.study({"s": ""})
    assert run("--limit", 0)[:2] == (0, "")


def test_verdicts_that_ended_in_an_error_are_3_and_the_message_says_how_to_continue(
    run, lab, tmp_path, monkeypatch
):
    lab.study({"s": 'engine = "python:moody:judge"\n'})
    (tmp_path / "moody.py").write_text(
        "n = 0\n"
        "def judge(exhibit):\n"
        "    global n\n"
        "    n += 1\n"
        "    if n % 3 == 0: raise ValueError('[no]')\n"
        "    return {'faulty': True}\n"
    )
    monkeypatch.chdir(tmp_path)
    done = run()
    assert done.code == 3
    assert "3 requests ended in an error. To send them again:" in done.err
    assert f"faultpair run {lab.out} --retry-errors" in done.err


def test_repeated_failure_is_4_and_quotes_the_last_reason(run, lab, tmp_path, monkeypatch):
    lab.study({"s": 'engine = "python:nowhere_at_all:judge"\n'})
    assert run().code == 2
    lab.study({"s": 'engine = "python:never:judge"\n'})
    (tmp_path / "never.py").write_text("def judge(exhibit): raise ValueError('[no]')\n")
    monkeypatch.chdir(tmp_path)
    done = run("-j", 1)
    assert done.code == 4
    assert "Stopped: 3 requests in a row failed. The last: python:never:judge raised " in done.err
    assert "ValueError: [no]" in done.err
    assert "--retry-errors" in done.err


def test_variables_reach_the_judges_whose_table_or_whose_run_names_them(
    run, lab, tmp_path, monkeypatch
):
    judge = 'engine = "python:asks_env:judge"\n'
    lab.study({"a": judge, "b": judge + 'env = ["OF_B"]\n'})
    (tmp_path / "asks_env.py").write_text(
        "import os\n"
        "def judge(exhibit):\n"
        "    names = [n for n in ('OF_ALL', 'OF_B') if n in os.environ]\n"
        "    return {'faulty': True, 'rationale': ' '.join(names)}\n"
    )
    monkeypatch.chdir(tmp_path)
    for name in ("OF_ALL", "OF_B"):
        monkeypatch.setenv(name, "1")
    assert run("--pass-env", "OF_ALL").code == 0
    seen = {(one["judge_id"], one["rationale"]) for one in lab.verdicts}
    assert seen == {("a", "OF_ALL"), ("b", "OF_ALL OF_B")}
    assert not {"env", "folder", "memory_mb"} & set(lab.manifest["judges"]["b"])


def test_a_variable_that_is_not_set_cannot_be_passed(run, lab, tmp_path, monkeypatch):
    lab.study({"s": f'engine = "cmd:{sys.executable}"\n'})
    done = run("--pass-env", "NO_SUCH_VARIABLE")
    assert done.code == 2
    assert "The variable NO_SUCH_VARIABLE is to be passed" in done.err


def test_a_dry_run_sends_no_request_and_writes_nothing(run, lab):
    lab.study({"s": "", "r": REPLY})
    done = run("--dry-run")
    assert done == (
        0,
        "s: 9 verdicts, 0 of them known; 9 requests to make\n"
        "r: 9 verdicts, 0 of them known; 6 requests to make\n"
        "In this run: 15 of 15 requests; one that fails is made again.\n",
        "",
    )
    assert [file.name for file in lab.out.iterdir()] == ["study.toml"]


def test_a_dry_run_respects_kept_answers_and_limits(run, lab):
    lab.study({"s": "", "r": REPLY}).run(only=("s",), verdicts=4)
    assert run("--dry-run", "--limit", 3, "--repeat", 2, "--no-share").out == (
        "s: 18 verdicts, 4 of them known; 14 requests to make\n"
        "r: 18 verdicts, 0 of them known; 18 requests to make\n"
        "In this run: 3 of 32 requests; one that fails is made again.\n"
    )
    assert "s: " not in run("--dry-run", "--only", "r").out


def test_repeats_and_no_share_reach_the_runner(run, lab):
    lab.study({"r": REPLY})
    assert run("--repeat", 2, "--no-share").code == 0
    assert len(lab.replies) == 18


def test_a_judge_can_be_added_to_those_of_the_study(run, lab):
    lab.study({"s": ""})
    assert (
        run("--judge", "scripted:faulty", "--judge", "rules", "--only", "scripted:faulty").code == 0
    )
    assert {one["judge_id"] for one in lab.verdicts} == {"rules", "scripted:faulty"}


def test_a_study_without_judges_is_refused(run, lab):
    lab.study({})
    done = run()
    assert done.code == 2
    assert "names no judges" in done.err


def test_a_changed_judge_is_2_in_one_sentence(run, lab):
    lab.study({"s": ""}).run(verdicts=1)
    lab.study({"s": "seed = 9\n"})
    done = run()
    assert done.code == 2
    assert "sealed in" in done.err


# In a process of its own.


def started(lab, *options):
    command = [sys.executable, "-m", "faultpair", "run", "lab", *options]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        command, cwd=lab.out.parent, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def wait_for(condition):
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.fixture
def slow(lab, tmp_path):
    """The laboratory with a judge that takes a tenth of a second and counts its calls."""
    (tmp_path / "slow.py").write_text(SLOW)
    return lab.study({"s": 'engine = "python:slow:judge"\nfolder = "."\n'})


def test_ctrl_c_keeps_all_answers_says_how_to_go_on_and_is_3(slow, tmp_path):
    with started(slow, "-j", "1") as first:
        wait_for(lambda: len(slow.replies) >= 3)
        first.send_signal(signal.SIGINT)
        _, told = first.communicate(timeout=60)
    assert first.returncode == 3
    assert "To continue:\n  faultpair run lab -j 1" in told
    assert "Traceback" not in told
    n_kept = len(slow.replies)
    assert 3 <= n_kept < 9
    assert len(slow.verdicts) == n_kept
    assert len((tmp_path / "calls").read_text()) - n_kept <= 1
    with started(slow) as second:
        _, told = second.communicate(timeout=60)
    assert second.returncode == 0, told
    assert len(slow.replies) == len(slow.verdicts) == 9


def test_a_second_run_of_a_folder_is_refused_while_the_first_is_at_work(slow, tmp_path):
    (tmp_path / "hold").touch()
    with started(slow, "-j", "1") as first:
        wait_for((tmp_path / "calls").exists)
        with started(slow) as second:
            out, told = second.communicate(timeout=60)
        assert (second.returncode, out) == (2, "")
        assert told == (
            "faultpair: Another process is at work on lab. Wait for it to end, or give this run a "
            "folder of its own with --out.\n"
        )
        (tmp_path / "hold").unlink()
        first.communicate(timeout=60)
    assert first.returncode == 0
    assert json.loads(slow.folder.manifest.read_text())["judges"]["s"]["model"] == "slow:judge"
