"""What every test may ask for: data folders, the command, sets, a study to run."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings

from faultpair.calls.client import RetryPolicy
from faultpair.calls.session import EngineFactory, RunLimits, RunOutcome
from faultpair.engines.engine import EngineOptions
from faultpair.runner.run import run_study
from faultpair.sets.build import build
from faultpair.studies.folder import StudyFolder, open_study
from faultpair.studies.manifest import read_manifest, write_manifest

# GNU readline, which pytest imports, writes both into the environment of child processes, so
# into that of the workers of xdist. A console that is made with them keeps this width for good.
for _name in ("COLUMNS", "LINES"):
    os.environ.pop(_name, None)

settings.register_profile("ci", derandomize=True, deadline=None, database=None)
settings.load_profile("ci")

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = tuple(path.name for path in (ROOT / "faultpair").iterdir() if path.is_symlink())


@pytest.fixture(scope="session", autouse=True)
def _nothing_by_a_bare_name() -> Iterator[None]:
    """When the last test has ended: `env` and its like were imported as `faultpair.env` alone."""
    yield
    assert not [name for name in sys.modules if name.partition(".")[0] in FOLDERS]


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The data that the project reads and does not hold; FAULTPAIR_SHARED names the folder."""
    folder = Path(os.environ.get("FAULTPAIR_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"no folder {folder}; set FAULTPAIR_SHARED to where the shared data are")
    return folder


@pytest.fixture(scope="session")
def release_dir(shared_dir: Path) -> Path:
    """The public release of trajectory-judge."""
    folder = shared_dir / "release"
    if not folder.is_dir():
        pytest.skip(f"no folder {folder}; it holds the public release of trajectory-judge")
    return folder


@pytest.fixture(scope="session")
def run_outside() -> Callable[..., str]:
    """Return a function that runs a command in a folder, where nothing points at this checkout."""

    def run(*command: str | Path, cwd: Path) -> str:
        surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        done = subprocess.run(
            command, cwd=cwd, env=surroundings, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


SMALL = """\
title = "A small set"
domain = "support_desk"
seed = 3
world = 1
clean = 12
judges = ["rules", "flag-none"]

[[faults]]
name = "wrong_tool"
count = 8

[[faults]]
name = "ignored_observation"
count = 5
policy = "consistent"

[[controls]]
name = "thought_reworded"
count = 4
"""


class Done(NamedTuple):
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


class BuiltSet(NamedTuple):
    """A set on disk with its records as plain data."""

    folder: StudyFolder
    runs: list[dict]
    instances: list[dict]
    manifest: dict


@pytest.fixture
def faultpair(capsys, monkeypatch):
    """Return a function that runs the command with some arguments, its output not coloured."""
    from faultpair.cli.app import main  # makes the console

    monkeypatch.setenv("FORCE_COLOR", "")

    def run(*arguments: object, width: int = 120) -> Done:
        monkeypatch.setenv("COLUMNS", str(width))
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err
        return Done(int(ended.value.code or 0), printed.out, printed.err)

    return run


@pytest.fixture
def study_file(tmp_path):
    """Return a function that writes a study file."""

    def write(text: str = SMALL) -> Path:
        file = tmp_path / "study.toml"
        file.write_text(text, encoding="utf-8")
        return file

    return write


def records(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def built_set(file: Path, out: Path) -> BuiltSet:
    folder = open_study(file, out)
    build(folder)
    return BuiltSet(
        folder,
        records(folder.trajectories),
        records(folder.instances),
        json.loads(folder.manifest.read_text(encoding="utf-8")),
    )


@pytest.fixture(scope="session")
def small(tmp_path_factory) -> BuiltSet:
    """A small set; tests read it and leave it as it is."""
    out = tmp_path_factory.mktemp("small")
    (out / "study.toml").write_text(SMALL, encoding="utf-8")
    return built_set(out / "study.toml", out)


@pytest.fixture(scope="session")
def paper(tmp_path_factory) -> BuiltSet:
    """The study of the paper, built afresh."""
    return built_set(ROOT / "results" / "paper", tmp_path_factory.mktemp("paper"))


@pytest.fixture(scope="session")
def balanced(tmp_path_factory) -> BuiltSet:
    """The balanced study, built afresh."""
    return built_set(ROOT / "results" / "balanced", tmp_path_factory.mktemp("balanced"))


def seal_as_is(folder: Path) -> None:
    """Seal what is in a folder now, as if a run had written it: its verdicts and its log."""
    manifest = read_manifest(folder / "manifest.json", accept_edits=True)
    log = (folder / "replies.jsonl").read_bytes() if (folder / "replies.jsonl").exists() else b""
    whole = log[: log.rfind(b"\n") + 1]
    entry = {"lines": whole.count(b"\n"), "bytes": len(whole), "sha256": sha256(whole).hexdigest()}
    if whole:
        manifest = manifest.with_entry("sealed_logs", "replies.jsonl", entry=entry)
    verdicts = sha256((folder / "verdicts.jsonl").read_bytes()).hexdigest()
    digests = manifest.entry("sha256") | {"verdicts.jsonl": verdicts}
    write_manifest(folder / "manifest.json", manifest.with_entry("sha256", entry=digests))


ASKING = """\
title = "Judges that ask"
domain = "support_desk"
seed = 7
world = 1
clean = 3

[[faults]]
name = "wrong_tool"
count = 3

[[faults]]
name = "unsupported_claim"
variant = "four"
count = 3
"""
REPLY = 'view = "goal-and-reply"\ntask = "judge-reply"\n'


class Lab:
    """A small study of 9 runs whose judges ask an engine, and its files after a run.

    Of its 9 replies 3 are equal to another: a wrong tool leaves the reply as it is.
    """

    def __init__(self, out: Path) -> None:
        self.out = out
        self.folder: StudyFolder

    def study(self, judges: dict[str, str], more: str = "") -> "Lab":
        """Write the study with judges by id, each with further lines of its table."""
        out = [ASKING, more]
        for judge_id, lines in judges.items():
            engine = "" if "engine =" in lines else 'engine = "scripted:clean"\n'
            out.append(f'[[model_judges]]\nid = "{judge_id}"\n{engine}{lines}')
        self.out.mkdir(exist_ok=True)
        (self.out / "study.toml").write_text("\n".join(out), encoding="utf-8")
        self.folder = open_study(self.out)
        return self

    def run(
        self, engine=None, *, options=None, parallel=None, listener=None, extra=(), **limits
    ) -> RunOutcome:
        """Run it, with an engine in place of every one that the study names if one is given."""
        engines = EngineFactory(replace(options or EngineOptions(), parallel=parallel))
        if engine is not None:
            engines = EngineFactory(engines.options, lambda name, options: engine)
        limits = {"retry_policy": IMPATIENT, **limits}
        return run_study(
            self.folder,
            extra=extra,
            limits=RunLimits(**limits),
            engines=engines,
            listener=listener,
        )

    @property
    def verdicts(self) -> list[dict]:
        return records(self.folder.verdicts)

    @property
    def replies(self) -> list[dict]:
        return records(self.folder.replies) if self.folder.replies.exists() else []

    @property
    def manifest(self) -> dict:
        return json.loads(self.folder.manifest.read_text(encoding="utf-8"))


IMPATIENT = RetryPolicy(attempts=3, pause_s=0.001, longest_pause_s=0.01)


@pytest.fixture
def lab(tmp_path) -> Lab:
    """A small study in a folder of its own."""
    return Lab(tmp_path / "lab")
