"""The commands that run by a bare name load nothing but themselves by it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LOADED = """
import contextlib, runpy, sys

sys.argv[1:] = ["--help"]
with contextlib.suppress(SystemExit):
    runpy.run_module({command!r}, run_name="__main__")
print(*(name for name in sys.modules if name.partition(".")[0] == "analysis"))
"""


@pytest.mark.parametrize(
    "command", ["analysis.rebuild", "analysis.validate", "analysis.bfcl", "analysis.plans.effects"]
)
def test_a_command_of_analysis_loads_only_its_own_folders_by_a_bare_name(command):
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(command=command)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "Usage" in done.stdout
    folders = command.split(".")[:-1]
    expected = [".".join(folders[: n + 1]) for n in range(len(folders))]
    assert done.stdout.splitlines()[-1].split() == expected
