"""What is installed works on its own, whatever the folder it is called from holds."""

import os
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
STUDY = ROOT / "results" / "paper" / "study.toml"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(run_outside, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    out = tmp_path_factory.mktemp("wheel")
    run_outside(sys.executable, "-m", "pip", "wheel", "-qq", "--no-deps", "-w", out, ".", cwd=ROOT)
    (file,) = out.glob("faultpair-*.whl")
    return file


@pytest.fixture(scope="module")
def bin_dir(run_outside, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an environment that holds the wheel, pytest, and a builder of packages."""
    folder = tmp_path_factory.mktemp("installed")
    run_outside(sys.executable, "-m", "venv", folder, cwd=folder)
    python = folder / "bin" / "python"
    run_outside(python, "-m", "pip", "install", "-qq", wheel, "pytest", "hatchling", cwd=folder)
    return folder / "bin"


@pytest.fixture
def poisoned_dir(tmp_path: Path) -> Path:
    """A folder of a user's own work, with modules named as our folders are."""
    for name in ("env", "analysis", "agents", "faults"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"raise ImportError('this is not our {name}')")
    for name in ("engines", "studies", "injector", "oracle"):
        (tmp_path / f"{name}.py").write_text(f"raise ImportError('this is not our {name}')")
    (tmp_path / "judges.py").write_text(OWN_JUDGE)
    (tmp_path / "test_own.py").write_text(OWN_TEST)
    (tmp_path / "study.toml").write_text(OWN_STUDY)
    return tmp_path


OWN_JUDGE = """
def judge(exhibit):
    return {"faulty": "refund" in exhibit["goal"], "rationale": "a judge of my own"}
"""
OWN_TEST = """
import faultpair
import judges


def test_both_are_found():
    assert judges.judge({"goal": "refund it"})["faulty"]
    assert faultpair.judges.__file__ != judges.__file__
    assert faultpair.Judge.__module__ == "faultpair.judges.judge"
"""
OWN_STUDY = """
title = "A study of my own"
domain = "support_desk"
seed = 1
clean = 2
judges = ["rules"]
"""


def files_below(folder: Path) -> set[str]:
    """Return the files below a folder, those behind links too, without what Python makes."""
    found = set()
    for parent, folders, names in os.walk(folder, followlinks=True):
        folders[:] = [name for name in folders if name != "__pycache__"]
        found |= {Path(parent, name).relative_to(folder).as_posix() for name in names}
    return found


def contents(wheel: Path) -> dict[str, bytes]:
    """Return the files of a wheel, its description of itself aside."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
        return {name: archive.read(name) for name in names}


def test_the_wheel_holds_every_file_of_the_packages(wheel):
    assert set(contents(wheel)) == {f"faultpair/{name}" for name in files_below(ROOT / "faultpair")}


def test_a_wheel_from_the_source_distribution_is_that_from_the_checkout(
    run_outside, bin_dir, wheel, tmp_path
):
    run_outside(bin_dir / "hatchling", "build", "-t", "sdist", "-d", tmp_path, cwd=ROOT)
    (source,) = tmp_path.glob("faultpair-*.tar.gz")
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml"} < names
    run_outside(
        bin_dir / "python", "-m", "pip", "wheel", "-qq", "--no-deps", "-w", tmp_path, source,
        cwd=tmp_path,
    )  # fmt: skip
    (again,) = tmp_path.glob("faultpair-*.whl")
    assert contents(again) == contents(wheel)


def test_the_command_builds_and_judges_beside_modules_named_like_our_folders(
    run_outside, bin_dir, poisoned_dir
):
    command = bin_dir / "faultpair"
    run_outside(command, "build", STUDY, "--out", "out", cwd=poisoned_dir)
    run_outside(
        command, "judge", "--judge", "rules", "--instances", "out/instances.jsonl",
        "--trajectories", "out/trajectories.jsonl", "--out", "verdicts.jsonl",
        cwd=poisoned_dir,
    )  # fmt: skip
    built = (poisoned_dir / "out" / "trajectories.jsonl").read_bytes()
    verdicts = (poisoned_dir / "verdicts.jsonl").read_bytes()
    assert built == (STUDY.parent / "trajectories.jsonl").read_bytes()
    assert verdicts.count(b"\n") == built.count(b"\n")


def test_python_m_faultpair_works_beside_modules_named_like_our_folders(
    run_outside, bin_dir, poisoned_dir
):
    shown = run_outside(bin_dir / "python", "-m", "faultpair", "list", "domains", cwd=poisoned_dir)
    assert "support_desk" in shown


def test_a_test_of_a_user_imports_its_own_judges_and_ours(run_outside, bin_dir, poisoned_dir):
    shown = run_outside(bin_dir / "pytest", "-q", "-p", "no:cacheprovider", cwd=poisoned_dir)
    assert "1 passed" in shown
    run_outside(bin_dir / "python", "-m", "pytest", "-q", cwd=poisoned_dir)


def test_a_judge_in_a_users_own_module_judges_is_the_one_that_is_asked(
    run_outside, bin_dir, poisoned_dir
):
    run_outside(
        bin_dir / "faultpair", "run", "study.toml", "--judge", "python:judges:judge",
        cwd=poisoned_dir,
    )  # fmt: skip
    replies = (poisoned_dir / "replies.jsonl").read_text(encoding="utf-8")
    assert replies.count("a judge of my own") == 2
