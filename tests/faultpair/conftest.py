"""The command as a user runs it, and sets that several tests read."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from rich.console import Console

from faultpair.building import build
from faultpair.cli import main
from faultpair.study import StudyFolder, open_study

ROOT = Path(__file__).resolve().parents[2]

SMALL = """\
title = "A small set"
domain = "support_desk"
seed = 3
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
    """What came of a command."""

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
    monkeypatch.setenv("FORCE_COLOR", "")

    def run(*arguments: object, width: int = 120) -> Done:
        plain = Console(width=width, force_terminal=False, color_system=None)
        monkeypatch.setattr("faultpair.cli.console", plain)
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        told = capsys.readouterr()
        assert "Traceback" not in told.err
        return Done(int(ended.value.code or 0), told.out, told.err)

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
