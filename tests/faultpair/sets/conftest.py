"""Sets that models make: a study at work with engines of a test, and what it leaves when killed."""

import json
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from faultpair.calls.client import RetryPolicy
from faultpair.calls.session import CallSession, EngineFactory, RunLimits
from faultpair.engines.engine import EngineOptions
from faultpair.studies.folder import open_study
from faultpair.studies.transcript import TURNS

from ...conftest import built_set

AT_ONCE = RetryPolicy(pause_s=0.0)
ROOT = Path(__file__).resolve().parents[3]


@dataclass
class Messages:
    """Follows a run, and keeps the messages to the user."""

    texts: list = field(default_factory=list)

    def on_built(self, n): ...
    def on_message(self, text):
        self.texts.append(text)

    def on_start(self, total): ...
    def on_attempt(self, judge_id, verdict): ...


class Stage:
    """A study in a folder, made again and again by ``make``, such as `make_episodes`."""

    def __init__(self, folder, make, text, facts_file):
        self.root, self.make, self.text = folder, make, text
        self.made_files = ("trajectories.jsonl", "instances.jsonl", facts_file, "manifest.json")
        self.outcome = None
        self.messages = []

    def __call__(self, engines=None, text=None, *, out=None, parallel=None, **limits):
        """Make the set with an engine, or engines by name; return the folder and the result."""

        def opened(name, options):
            assert engines is not None, "no engine was to be opened"
            return engines[name] if isinstance(engines, dict) else engines

        (self.root / "study.toml").write_text(text or self.text, encoding="utf-8")
        folder = open_study(self.root, out)
        listener = Messages()
        session = CallSession(
            EngineFactory(EngineOptions(parallel=parallel), opened),
            RunLimits(**{"retry_policy": AT_ONCE, **limits}),
            listener,
        )
        self.messages, self.outcome = listener.texts, session.outcome
        return folder, self.make(folder, session)

    def made(self, folder):
        """Return the bytes of each file of a set, by name."""
        return {name: (folder.out / name).read_bytes() for name in self.made_files}


KILLED = """
import importlib, os, signal, sys
from pathlib import Path

from faultpair.calls.session import CallSession, EngineFactory
from faultpair.studies.folder import open_study

tests, module, study, out, n_calls = sys.argv[1:]
sys.path.insert(0, tests)
case = importlib.import_module(module)
calls = iter(range(10**6))

def dies(request):
    if next(calls) == int(n_calls):
        os.kill(os.getpid(), signal.SIGKILL)
    return case.by_the_procedure(request)

factory = EngineFactory(open=lambda name, options: case.FakeEngine(dies, identity=case.player()))
case.make(open_study(Path(study), Path(out)), CallSession(factory))
"""


def kill_at_calls(module, study, out, numbers):
    """Make a set in processes that die at these calls; return how many turns were kept.

    Checks that each loses the call in flight and nothing else, and writes no set.
    """
    kept = 0
    for number in numbers:
        arguments = [ROOT, module, study, out, number]
        command = [sys.executable, "-c", KILLED, *map(str, arguments)]
        done = subprocess.run(command, check=False, timeout=120, capture_output=True, cwd=ROOT)
        assert done.returncode == -signal.SIGKILL, done.stderr.decode()
        kept += number
        assert (out / TURNS).read_bytes().count(b"\n") == kept
        assert not (out / "trajectories.jsonl").exists()
    return kept


def lines(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.fixture
def stage(tmp_path, request):
    """The study of a test module, from its ``make``, ``STUDY`` and ``FACTS``."""
    module = request.module
    return Stage(tmp_path, module.make, module.STUDY, module.FACTS)


@pytest.fixture
def built(study_file, tmp_path):
    """Return a function that builds a study and returns its instances and its runs."""

    def make(text):
        made = built_set(study_file(text), tmp_path / "out")
        return made.instances, made.runs

    return make
