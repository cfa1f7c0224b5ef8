"""A fault type from a package of its own, installed as a stranger would install it."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = ROOT / "docs" / "examples" / "fault-plugin"
STUDY = """\
title = "A set with a fault from outside"
domain = "support_desk"
seed = 7
clean = 20

[[faults]]
name = "reason_withheld"
count = 10

[[faults]]
name = "unsupported_claim"
count = 10
variant = "a"

[[controls]]
name = "extra_read"
count = 10
"""


@pytest.fixture(scope="module")
def command(run_outside, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `faultpair` command of a fresh environment with project and plug-in installed."""
    folder = tmp_path_factory.mktemp("installed")
    run_outside(sys.executable, "-m", "venv", folder, cwd=folder)
    python = folder / "bin" / "python"
    run_outside(python, "-m", "pip", "install", "-qq", ROOT, PLUGIN, cwd=folder)
    return folder / "bin" / "faultpair"


@pytest.mark.slow
def test_a_set_is_built_with_the_fault_of_an_installed_plugin(run_outside, command, tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    run_outside(command, "build", "study.toml", "--out", "out", cwd=tmp_path)
    lines = (tmp_path / "out" / "trajectories.jsonl").read_text().splitlines()
    labels = [json.loads(line)["label"] for line in lines]
    assert [label["failure_type"] for label in labels].count("reason_withheld") == 10
    assert [label["control"] for label in labels].count("extra_read") == 10


@pytest.mark.slow
def test_an_installed_plugin_passes_the_conformance_kit(run_outside, command, tmp_path):
    assert "reason_withheld" in run_outside(command, "check-fault", "reason_withheld", cwd=tmp_path)


@pytest.mark.slow
def test_an_installed_plugin_is_listed_with_the_built_in_types(run_outside, command, tmp_path):
    listed = run_outside(command, "list", "faults", cwd=tmp_path)
    assert "reason_withheld" in listed
    assert "wrong_tool" in listed


def test_the_package_is_under_60_lines_and_imports_only_the_public_api():
    module = (PLUGIN / "reason_withheld.py").read_text()
    n_lines = len(module.splitlines()) + len((PLUGIN / "pyproject.toml").read_text().splitlines())
    assert n_lines < 60
    ours = ("env", "oracle", "injector", "judges", "analysis")
    assert not [room for room in ours if f"from {room}" in module or f"import {room}" in module]
    assert "from faultpair import" in module
