"""How a judge's process ends: with everything that it started, and when it takes too much."""

import json
import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import EngineOptions, ProcessOptions
from faultpair.env.errors import EngineError, UsageError
from faultpair.studies.spec import ModelJudgeSpec

from ...left_behind import CHILDREN, is_running, pids, wait_until

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

LEAVES = (
    CHILDREN
    + """\
import json, subprocess, sys

def session():
    if not os.fork():
        os.setsid(); note(); time.sleep(60)

def leave():
    note(); child(); session(); daemon()
    while len(open("pids").readlines()) < 4:
        time.sleep(0.01)

def answers(exhibit):
    leave()
    return {"faulty": True}

def ends(exhibit):
    leave()
    os._exit(3)

def hangs(exhibit):
    leave()
    time.sleep(60)

if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(globals()[sys.argv[1]](json.loads(line))), flush=True)
"""
)


@pytest.fixture(params=["python", "cmd"])
def leaver(request, tmp_path, monkeypatch):
    """Return a function that opens a judge that leaves processes behind."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "leaves.py").write_text(LEAVES)
    options = EngineOptions(timeout_s=5.0, process=ProcessOptions(folder="."))

    def name(function):
        program = f"cmd:{sys.executable} leaves.py {function}"
        return program if request.param == "cmd" else f"python:leaves:{function}"

    return lambda function: open_engine(name(function), options)


def left():
    return [pid for pid in pids() if is_running(pid)]


def gone_in_time():
    is_gone = wait_until(lambda: not left(), 2)
    assert len(pids()) == 4
    return is_gone


@linux
def test_everything_that_a_judge_started_ends_with_the_engine(leaver, ask):
    with closing(leaver("answers")) as engine:
        engine.complete(ask("{}"))
        assert len(left()) == 4
    assert gone_in_time()


@linux
def test_everything_that_a_judge_started_ends_with_the_judge(leaver, ask):
    with closing(leaver("ends")) as engine:
        with pytest.raises(EngineError, match="ended with code 3"):
            engine.complete(ask("{}"))
        assert gone_in_time()


@linux
def test_everything_that_a_judge_started_ends_with_its_supervisor(leaver, ask):
    with closing(leaver("hangs")) as engine:
        with pytest.raises(EngineError, match="was killed"):
            engine.complete(ask("{}"))
        assert gone_in_time()


FORKS = """\
import os, sys, time
from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import EngineOptions, Message, ProcessOptions, Request
engine = open_engine({name!r}, EngineOptions(process=ProcessOptions(folder=".")))
engine.complete(Request((Message("user", "{{}}"),)))
if not os.fork():
    os.closerange(0, 3)
    time.sleep(10)
os._exit(0)
"""


@linux
def test_a_fork_of_the_run_does_not_keep_a_judge_alive(leaver, tmp_path):
    name = leaver("answers").name
    root = Path(__file__).resolve().parents[3]
    subprocess.run(
        [sys.executable, "-c", FORKS.format(name=name)], check=True,
        env=os.environ | {"PYTHONPATH": str(root)},
    )  # fmt: skip
    assert gone_in_time()


LARGE = """\
import os, time
held = []
def judge(exhibit):
    if exhibit["goal"] == "large":
        if os.fork():
            os.wait()
        held.append(b"x" * 200_000_000)
        time.sleep(60)
    return {"faulty": True}
"""


@linux
def test_a_judge_whose_processes_take_too_much_memory_is_ended_and_started_anew(
    tmp_path, monkeypatch, ask
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "large.py").write_text(LARGE)
    options = EngineOptions(process=ProcessOptions(memory_mb=150))
    with closing(open_engine("python:large:judge", options)) as engine:
        with pytest.raises(EngineError, match="it took more than 150 MB of memory") as caught:
            engine.complete(ask('{"goal": "large"}'))
        assert not caught.value.transient
        assert json.loads(engine.complete(ask('{"goal": "small"}')).text)["faulty"]


@pytest.mark.skipif(sys.platform == "linux", reason="a refusal of other systems")
def test_a_limit_of_memory_is_refused_where_it_has_no_effect():
    with pytest.raises(UsageError, match="on Linux alone"):
        open_engine("cmd:true", EngineOptions(process=ProcessOptions(memory_mb=1)))


@linux
def test_a_judge_finds_the_signals_that_python_ignores_as_in_a_new_process(tmp_path, ask):
    # A program that writes into a closed pipe must end by SIGPIPE, which Python ignores.
    # Other signals may be ignored by the program that started us, and are left as they were.
    (tmp_path / "j.sh").write_text("read line; grep SigIgn /proc/self/status >&2; exit 1")
    with (
        closing(open_engine(f"cmd:sh {tmp_path}/j.sh")) as engine,
        pytest.raises(EngineError, match="SigIgn:") as caught,
    ):
        engine.complete(ask("{}"))
    ignored = int(str(caught.value).rpartition("SigIgn:")[2], 16)
    assert not ignored & (1 << signal.SIGPIPE - 1 | 1 << signal.SIGXFSZ - 1)


def test_a_folder_that_cannot_be_made_is_named(tmp_path, monkeypatch, ask):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    with closing(open_engine("cmd:cat")) as engine, pytest.raises(EngineError) as caught:
        engine.complete(ask("{}"))
    assert "cannot be started: no folder to work in can be made" in str(caught.value)
    assert "No such file or directory." in str(caught.value)


def test_words_that_name_files_are_made_absolute(tmp_path, monkeypatch, ask):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rubrics").mkdir()
    (tmp_path / "rubric.txt").write_text("r")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "judge").write_text(
        f"#!{sys.executable}\nimport json, sys\nfor line in sys.stdin:\n"
        "    print(json.dumps({'faulty': True, 'words': sys.argv[1:]}), flush=True)\n"
    )
    (tmp_path / "bin" / "judge").chmod(0o755)
    (tmp_path / "word").mkdir()
    words = "rubric.txt --rubric=rubric.txt rubrics/ word --level=3 rubric"
    expected = [
        f"{tmp_path}/rubric.txt", f"--rubric={tmp_path}/rubric.txt", f"{tmp_path}/rubrics", "word",
        "--level=3", "rubric",
    ]  # fmt: skip
    for program in ("bin/judge", "./bin/judge", "judge"):
        monkeypatch.setenv("PATH", f"bin{os.pathsep}{os.defpath}")
        with closing(open_engine(f"cmd:{program} {words}")) as engine:
            assert json.loads(engine.complete(ask("{}")).text)["words"] == expected
            assert engine.identify().model == f"{program} {words}"


def test_settings_of_the_process_are_no_part_of_a_study_that_has_none():
    spec = ModelJudgeSpec(id="a", engine="cmd:true")
    assert (spec.env, spec.folder, spec.memory_mb) == ((), None, None)
