"""What the process of a judge is given, seen from inside: real processes that say what they see."""

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import EngineOptions, ProcessOptions
from faultpair.engines.external.surroundings import surroundings_of
from faultpair.env.errors import EngineError, UsageError

SEES = """\
import json, os, sys

def ancestors():
    pid, found = os.getppid(), []
    while pid > 1:
        with open(f"/proc/{pid}/cmdline") as file:
            found.append([pid, file.read()])
        with open(f"/proc/{pid}/stat") as file:
            pid = int(file.read().rpartition(")")[2].split()[1])
    return found

def variables_of_frames():
    frame, found = sys._getframe(2), []
    while frame:
        found.append(repr(frame.f_locals) + repr(frame.f_globals))
        frame = frame.f_back
    return "".join(found)

def judge(exhibit):
    return {
        "faulty": True, "env": dict(os.environ), "cwd": os.getcwd(), "files": os.listdir("."),
        "argv": sys.argv + [open("/proc/self/cmdline").read()], "modules": sorted(sys.modules),
        "descriptors": os.listdir("/proc/self/fd"), "ancestors": ancestors(), "pid": os.getpid(),
        "frames": variables_of_frames(), "path": sys.path,
    }

if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(judge(json.loads(line))), flush=True)
"""
SECRET = "the-study-of-mine"

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@pytest.fixture(params=["python", "cmd"])
def sees(request, tmp_path, monkeypatch, ask):
    """Return a function that asks a judge what it sees; it is not in the folder of the study."""
    places = {name: tmp_path / name for name in ("judge", SECRET)}
    for place in places.values():
        place.mkdir()
    (places["judge"] / "sees.py").write_text(SEES)
    monkeypatch.chdir(places[SECRET])
    monkeypatch.setenv("PYTHONPATH", str(places["judge"]))
    monkeypatch.setenv("STUDY_NAME", SECRET)
    name = {"python": "python:sees:judge", "cmd": f"cmd:{sys.executable} ../judge/sees.py"}

    def see(**options):
        process = ProcessOptions(**options)
        with closing(open_engine(name[request.param], EngineOptions(process=process))) as engine:
            return json.loads(engine.complete(ask('{"goal": "a"}')).text)

    return see


@linux
def test_a_judge_is_given_nothing_that_tells_the_study(sees):
    seen = sees()
    ancestors = {pid for pid, _ in seen["ancestors"]}
    assert SECRET not in json.dumps(seen)
    assert os.getpid() not in ancestors
    assert not [name for name in seen["modules"] if name.startswith("faultpair")]
    assert seen["files"] == []
    assert Path(seen["cwd"]) not in (Path.cwd(), *Path.cwd().parents)


@linux
def test_a_judge_holds_no_descriptor_but_its_own(sees):
    # Standard streams, a private pair of pipes for a function, and the listing itself.
    assert len(sees()["descriptors"]) <= 6


@linux
def test_the_folder_of_a_judge_is_removed_at_the_end(sees):
    assert not Path(sees()["cwd"]).exists()


def test_a_folder_that_is_named_is_where_a_judge_works_and_stays(sees, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "weights").touch()
    seen = sees(folder="../data")
    assert (seen["cwd"], seen["files"]) == (str(tmp_path / "data"), ["weights"])
    assert (tmp_path / "data" / "weights").exists()


@pytest.mark.parametrize(
    "name",
    ["PATH", "HOME", "LANG", "LC_TIME", "TMPDIR", "https_proxy", "NO_PROXY", "SSL_CERT_FILE"],
)
def test_variables_that_programs_need_pass(monkeypatch, name):
    monkeypatch.setenv(name, "/some/value")
    assert surroundings_of(ProcessOptions()).variables[name] == "/some/value"


def test_other_variables_pass_by_name_alone(sees, monkeypatch):
    monkeypatch.setenv("MINE", "1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    assert {"MINE", "OPENAI_API_KEY"}.isdisjoint(sees()["env"])
    passed = sees(env=("MINE",))["env"]
    assert passed["MINE"] == "1"
    assert "OPENAI_API_KEY" not in passed


def test_a_search_path_of_python_holds_in_another_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(("a", "/b")))
    found = surroundings_of(ProcessOptions(), ["PYTHONPATH"]).variables["PYTHONPATH"]
    assert found == os.pathsep.join((str(tmp_path / "a"), "/b"))


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"env": ("NO_SUCH",)}, "The variable NO_SUCH is to be passed to a judge, and the"),
        ({"folder": "no-such"}, "There is no folder 'no-such' for a judge to work in"),
    ],
)
def test_what_does_not_exist_cannot_be_given(options, reason):
    with pytest.raises(UsageError, match=reason):
        surroundings_of(ProcessOptions(**options))


@pytest.mark.parametrize("name", ["python:needs:judge", f"cmd:{sys.executable} needs.py"])
def test_a_failure_names_the_variable_that_was_withheld(tmp_path, monkeypatch, ask, name):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUDGE_LICENCE", "1")
    code = "import os\ndef judge(e): os.environ['JUDGE_LICENCE']\n"
    (tmp_path / "needs.py").write_text(code + "if __name__ == '__main__': judge({})")
    with closing(open_engine(name)) as engine, pytest.raises(EngineError) as caught:
        engine.complete(ask("{}"))
    assert "Its environment lacks JUDGE_LICENCE" in str(caught.value)
    assert "--pass-env JUDGE_LICENCE" in str(caught.value)


def test_a_failure_to_find_a_file_tells_that_the_folder_is_empty(tmp_path, monkeypatch, ask):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rubric.txt").touch()
    (tmp_path / "opens.py").write_text("def judge(e): open('rubric.txt')")
    with closing(open_engine("python:opens:judge")) as engine, pytest.raises(EngineError) as caught:
        engine.complete(ask("{}"))
    hint = (
        '. Its working folder is empty. To name another: folder = "." in a table [[model_judges]]'
    )
    assert hint in str(caught.value)


RUN = """\
import ctypes, os, sys  # ctypes now: the other user may not read it
sys.path[:0] = [{root!r}]
from faultpair.engines.external.supervisor import SET_DUMPABLE, prctl
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
prctl(SET_DUMPABLE, {value})
child = os.fork()
if not child:
    denied = 0
    for entry in ("environ", "cwd", "maps", "fd"):
        path = f"/proc/{{os.getppid()}}/{{entry}}"
        try:
            {{"cwd": os.readlink, "fd": os.listdir}}.get(entry, open)(path)
        except PermissionError:
            denied += 1
    os._exit(denied)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
ROOT = str(Path(__file__).resolve().parents[3])


@linux
@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user")
@pytest.mark.parametrize(("value", "denied"), [(0, 4), (1, 0)])
def test_entries_of_a_closed_process_cannot_be_read_by_others_of_its_user(value, denied):
    code = RUN.format(root=ROOT, value=value)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd="/", capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == [str(denied)], done.stderr


STARTED = """\
from ctypes import CDLL
from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import Message, Request
before = CDLL(None).prctl(3)
try:
    open_engine("cmd:true").complete(Request((Message("user", "{}"),)))
except Exception:
    print(before, CDLL(None).prctl(3))
"""


@linux
def test_the_run_closes_its_entries_when_it_starts_a_judge():
    done = subprocess.run(
        [sys.executable, "-c", STARTED], env=os.environ | {"PYTHONPATH": ROOT},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["1", "0"]
