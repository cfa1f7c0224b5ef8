"""A domain from a package of its own, installed as a stranger would install it."""

import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = ROOT / "docs" / "examples" / "domain-plugin"
MODULES = sorted(PLUGIN.rglob("*.py"))
FAULTS = ("double_booked", "calendar_unread", "hour_misstated", "calendar_reread")


@pytest.fixture(scope="module")
def command(run_outside, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `faultpair` command of a fresh environment with project and plug-in installed."""
    folder = tmp_path_factory.mktemp("installed")
    run_outside(sys.executable, "-m", "venv", folder, cwd=folder)
    python = folder / "bin" / "python"
    run_outside(python, "-m", "pip", "install", "-qq", ROOT, PLUGIN, cwd=folder)
    return folder / "bin" / "faultpair"


@pytest.fixture(scope="module")
def results(run_outside, command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The study of the plug-in, built and judged by its rules and a scripted model."""
    results = tmp_path_factory.mktemp("results")
    (results / "calendar").mkdir()
    (results / "calendar" / "study.toml").write_bytes((PLUGIN / "study.toml").read_bytes())
    run_outside(command, "run", "calendar", cwd=results)
    return results


@pytest.mark.slow
def test_the_domain_and_each_of_its_faults_keep_their_contracts(run_outside, command, tmp_path):
    kept = "It keeps the contract."
    assert kept in run_outside(command, "check-domain", "calendar", cwd=tmp_path)
    for fault in FAULTS:
        assert kept in run_outside(
            command, "check-fault", fault, "--domain", "calendar", cwd=tmp_path
        )


@pytest.mark.slow
def test_its_runs_are_judged_by_its_rules_and_its_words_are_in_the_prompt(results):
    study = results / "calendar"
    verdicts = [json.loads(line) for line in (study / "verdicts.jsonl").read_text().splitlines()]
    assert {v["judge_id"] for v in verdicts} == {"rules", "state-check", "flag-none", "scripted"}
    found = {v["failure_type"] for v in verdicts if v["judge_id"] == "rules" and v["faulty"]}
    assert found == {"double_booked", "calendar_unread"}
    assert all(v["unscored"] is None for v in verdicts)


@pytest.mark.slow
def test_its_tables_are_rebuilt_from_the_kept_records(run_outside, command, results):
    rebuild = (command, "rebuild", "--results", results, "--no-figures")
    run_outside(*rebuild, cwd=results)
    tables = list((results / "calendar").rglob("*.md"))
    assert any("hour_misstated" in table.read_text(encoding="utf-8") for table in tables)
    run_outside(*rebuild, "--check", cwd=results)


@pytest.mark.slow
def test_it_is_listed_and_its_kept_runs_replay(run_outside, command, results):
    assert "calendar" in run_outside(command, "list", "domains", cwd=results)
    parts = ("trajectories", "instances")
    kept = [word for part in parts for word in (f"--{part}", f"calendar/{part}.jsonl")]
    run_outside(command, "replay", *kept, cwd=results)


def test_the_package_is_under_500_lines_and_imports_only_the_public_api():
    texts = [file.read_text(encoding="utf-8") for file in PLUGIN.rglob("*") if file.is_file()]
    assert sum(text.count("\n") for text in texts) < 500
    for module in MODULES:
        imports = re.findall(r"^(?:from|import) (\S+)", module.read_text(encoding="utf-8"), re.M)
        ours = [name for name in imports if name.split(".")[0] == "faultpair"]
        assert set(ours) <= {"faultpair"}, module
