"""What every test may ask for, and the one Hypothesis profile."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None, database=None)
settings.load_profile("ci")

ROOT = Path(__file__).resolve().parent.parent


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
