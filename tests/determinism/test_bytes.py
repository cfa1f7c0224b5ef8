"""Sets and tables depend on code and study: not on the process, its surroundings or its Python."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STUDIES = ("paper", "balanced", "balanced-2", "workflow", "plan-faults")
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
OTHERS = [version for version in ("3.11", "3.12", "3.13") if version != HERE]
NO_SUCH_PYTHON = 3  # the exit code of .ci/venv

pytestmark = pytest.mark.slow

PLAIN = {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"}
FOREIGN = {"PYTHONHASHSEED": "4711", "TZ": "Pacific/Chatham", "LC_ALL": "tr_TR.UTF-8"}


def digests(python: str | Path, surroundings: dict[str, str], out: Path) -> dict[str, str]:
    """Build and judge the studies in processes of their own; return each file's SHA-256."""
    for study in STUDIES:
        folder = out / study
        sets = ROOT / "results" / study / "study.toml"
        run(python, surroundings, "build", sets, "--out", folder)
        run(
            python, surroundings, "judge", "--judge", "rules",
            "--instances", folder / "instances.jsonl",
            "--trajectories", folder / "trajectories.jsonl",
            "--out", folder / "verdicts.jsonl",
        )  # fmt: skip
    files = sorted(file for file in out.rglob("*") if file.is_file())
    assert len(files) >= 4 * len(STUDIES)
    return {
        file.relative_to(out).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
    }


def run(python: str | Path, surroundings: dict[str, str], *arguments: str | Path) -> None:
    """Run the `faultpair` command of this checkout under some Python."""
    command = [python, "-c", "from faultpair.cli.app import main; main()", *arguments]
    environment = os.environ | surroundings
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The digests of a build by the Python that runs the tests."""
    return digests(sys.executable, PLAIN, tmp_path_factory.mktemp("expected"))


def test_hash_seed_time_zone_and_locale_change_no_byte(expected, tmp_path):
    assert digests(sys.executable, FOREIGN, tmp_path) == expected


@pytest.mark.parametrize("version", OTHERS)
def test_another_python_builds_the_same_bytes(version, expected, tmp_path):
    assert digests(python_of(version), PLAIN, tmp_path) == expected


def test_the_surroundings_change_no_table_and_no_figure():
    check_tables(sys.executable, FOREIGN)


@pytest.mark.parametrize("version", OTHERS)
def test_another_python_rebuilds_the_same_tables(version):
    # Its environment holds no matplotlib, so that figures are left to the Python of the tests.
    check_tables(python_of(version), FOREIGN, "--no-figures")


def check_tables(python: str | Path, surroundings: dict[str, str], *options: str) -> None:
    """Let some Python compare every kept table with the one that it makes."""
    done = subprocess.run(
        [python, "-m", "analysis.rebuild", "--check", *options],
        cwd=ROOT, env=os.environ | surroundings, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def python_of(version: str) -> Path:
    """Return the Python of an environment with this checkout, made if need be."""
    folder = f".venv-{version}"
    done = subprocess.run(
        [ROOT / ".ci" / "venv", folder, "", version], capture_output=True, text=True, check=False
    )
    if done.returncode == NO_SUCH_PYTHON and os.environ.get("CI") != "true":
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    return ROOT / folder / "bin" / "python"
