"""What is installed works on its own, whatever the folder it is called from holds."""

import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("env", "engines", "oracle", "injector", "judges", "analysis", "faultpair")
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


def test_the_wheel_holds_every_file_of_the_packages(wheel):
    files = (file for package in PACKAGES for file in (ROOT / package).rglob("*") if file.is_file())
    wanted = {f.relative_to(ROOT).as_posix() for f in files if f.parent.name != "__pycache__"}
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == wanted


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
