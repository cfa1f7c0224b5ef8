"""A copy of the examples, and a shell in which the command is there as after an installation."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMAND = f"#!{sys.executable}\nfrom faultpair.cli.app import main\n\nmain()\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder that holds the examples where a checkout does."""
    examples = Path("docs", "examples")
    shutil.copytree(
        ROOT / examples, tmp_path / examples, ignore=shutil.ignore_patterns("__pycache__")
    )
    return tmp_path


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    """Environment variables under which `faultpair` and `python3` are on the path."""
    bin_dir = tmp_path / "bin"
    bin_dir.mkdir()
    (bin_dir / "faultpair").write_text(COMMAND, encoding="utf-8")
    (bin_dir / "faultpair").chmod(0o755)
    path = os.pathsep.join((str(bin_dir), str(Path(sys.executable).parent), os.environ["PATH"]))
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "NO_PROXY": "127.0.0.1"}


@pytest.fixture
def shell(checkout: Path, surroundings: dict[str, str]) -> Callable[[str], str]:
    """Return a function that runs lines of a shell from the top of the copy."""

    def run(lines: str) -> str:
        done = subprocess.run(
            ["bash", "-ec", lines],
            cwd=checkout,
            env=surroundings,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def blocks() -> Callable[[str, str], list[str]]:
    """Return a function that gives the fenced blocks of a page in one language."""

    def found(page: str, language: str) -> list[str]:
        text = (ROOT / page).read_text(encoding="utf-8")
        return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)

    return found


@pytest.fixture(scope="session")
def rows() -> Callable[..., dict[str, list[str]]]:
    """Return a function that gives the table below a heading of a page of docs, by first cell."""

    def found(heading: str, page: str = "judges.md") -> dict[str, list[str]]:
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        part = text.split(f"# {heading}\n", 1)[1].split("\n#", 1)[0]
        lines = re.findall(r"^\|.*$", part, re.MULTILINE)
        cells = [re.split(r" *\| *", line.strip("| ")) for line in lines]
        return {row[0].strip("`"): row for row in cells[2:]}

    return found
