"""What is installed works on its own, whatever the folder it is called from holds."""

import os
import sys
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
def command(run_outside, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `faultpair` command in an environment that holds the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("installed")
    run_outside(sys.executable, "-m", "venv", folder, cwd=folder)
    run_outside(folder / "bin" / "python", "-m", "pip", "install", "-qq", wheel, cwd=folder)
    return folder / "bin" / "faultpair"


@pytest.fixture
def poisoned_dir(tmp_path: Path) -> Path:
    """A folder of somebody's own work, with packages named as ours are."""
    for name in ("analysis", "env"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"raise ImportError('this is not our {name}')")
    return tmp_path


def modules_of(folder: Path) -> set[str]:
    """Return the files below a folder, those behind links too, without what Python makes."""
    found = set()
    for parent, folders, names in os.walk(folder, followlinks=True):
        folders[:] = [name for name in folders if name != "__pycache__"]
        found |= {Path(parent, name).relative_to(folder).as_posix() for name in names}
    return found


def test_the_wheel_holds_every_file_of_the_packages(wheel):
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == {f"faultpair/{name}" for name in modules_of(ROOT / "faultpair")}


def test_the_command_builds_and_judges_beside_folders_named_like_our_packages(
    run_outside, command, poisoned_dir
):
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
