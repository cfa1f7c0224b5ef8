"""The command that counts, and the tables that a rebuild makes of its counts."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from faultpair.analysis import validate as module
from faultpair.analysis.rebuild import main as rebuild
from faultpair.analysis.validate import main as validate

ROOT = Path(__file__).resolve().parents[2]
JOBS = [("errors", 0, 20), ("studies", 0, 20), ("studies", 140, 20), ("design", 3, 20)]
JOBS += [("calibration", 0, 20), ("silence", 0, 20), ("stops", 2, 20), ("looks", 0, 20)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(
        module, "_jobs", lambda name, studies, *, quick: [job for job in JOBS if job[0] == name]
    )
    return tmp_path / "results" / "validity"


def run(folder, *options):
    return validate(["--simulations", "20", "--processes", "1", "--out", str(folder), *options])


def test_validate_writes_counts_and_rebuild_makes_tables_of_them(folder, capsys):
    assert run(folder) == 0
    assert not (folder / "cells.jsonl").exists()
    options = ["--results", str(folder.parent)]
    assert rebuild(options) == 0
    kinds = (folder / "tables" / "kinds.md").read_text(encoding="utf-8")
    assert "| Δ, control-Δ | studies | 1 | 1 |" in kinds  # paper, and noise, which is refused
    cells = (folder / "tables" / "cells-01.md").read_text(encoding="utf-8")
    assert "| noise | 8 | 0.10 | 0.50 | independent | refused |" in cells
    assert rebuild([*options, "--check"]) == 0
    table = folder / "tables" / "errors.md"
    table.write_text(table.read_text(encoding="utf-8").replace("0.0", "0.1", 1), encoding="utf-8")
    capsys.readouterr()
    assert rebuild([*options, "--check"]) == 1
    assert "errors.md (committed)" in capsys.readouterr().out


def test_counts_that_are_there_are_overwritten_with_force_alone(folder, capsys):
    folder.mkdir(parents=True)
    counts = folder / "counts.json"
    counts.write_text("mine", encoding="utf-8")
    assert run(folder) == 2
    assert f"{counts} exists" in capsys.readouterr().err
    assert counts.read_text(encoding="utf-8") == "mine"
    assert run(folder, "--force") == 0
    assert counts.read_text(encoding="utf-8") != "mine"


def test_a_run_that_was_killed_goes_on_with_the_cells_that_it_lacks(folder, capsys):
    assert run(folder) == 0
    whole = (folder / "counts.json").read_bytes()
    done = [[[*job, []], module.counted((*job, ()))] for job in JOBS[:3]]
    lines = [json.dumps(one, ensure_ascii=False) for one in done]
    (folder / "cells.jsonl").write_text("\n".join(lines)[:-20], encoding="utf-8")
    capsys.readouterr()
    assert run(folder, "--resume", "--force") == 0
    assert f"cell 1 of {len(JOBS) - 2}" in capsys.readouterr().err
    assert (folder / "counts.json").read_bytes() == whole


def test_counts_that_are_none_are_refused(tmp_path, capsys):
    folder = tmp_path / "results" / "validity"
    folder.mkdir(parents=True)
    (folder / "counts.json").write_text('{"coverage": 3}', encoding="utf-8")
    assert rebuild(["--results", str(tmp_path / "results")]) == 2
    assert "counts.json holds no counts" in capsys.readouterr().err


def test_one_section_is_simulated_and_the_others_stay_as_they_are(folder, capsys):
    assert run(folder) == 0
    before = json.loads((folder / "counts.json").read_text(encoding="utf-8"))
    before["design"][0]["counts"][0] = None
    (folder / "counts.json").write_text(json.dumps(before), encoding="utf-8")
    assert run(folder, "--only", "errors", "--force") == 0
    after = json.loads((folder / "counts.json").read_text(encoding="utf-8"))
    assert after == before
    assert run(folder, "--only", "design", "--force") == 0
    after = json.loads((folder / "counts.json").read_text(encoding="utf-8"))
    assert after != before
    assert after["errors"] == before["errors"]


def test_a_section_that_is_none_is_named(folder, capsys):
    assert run(folder, "--only", "recall") == 2
    assert "--only recall: expected one of studies, design, unequal" in capsys.readouterr().err


def test_it_runs_as_a_command():
    command = [sys.executable, "-m", "faultpair.analysis.validate", "--only", "luck"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--only luck: expected one of" in done.stderr


def test_a_kind_is_counted_anew_and_the_other_kinds_stay_as_they_are(folder, capsys):
    assert run(folder) == 0
    path = folder / "counts.json"
    before = json.loads(path.read_text(encoding="utf-8"))
    f1, recall = (before["kinds"].index(kind) for kind in ("F1", "difference of recall"))
    spoiled = json.loads(json.dumps(before))
    for cell in spoiled["studies"]:
        cell["counts"][f1] = cell["counts"][recall] = None
    path.write_text(json.dumps(spoiled), encoding="utf-8")
    assert run(folder, "--kind", "F1", "--force") == 0
    after = json.loads(path.read_text(encoding="utf-8"))
    assert after["errors"] == before["errors"]
    assert after["design"] == before["design"]
    for cell, old in zip(after["studies"], before["studies"], strict=True):
        assert cell["counts"][f1] == old["counts"][f1]
        assert cell["counts"][recall] is None
    spoiled["kinds"][recall] = "a former kind"
    path.write_text(json.dumps(spoiled), encoding="utf-8")
    capsys.readouterr()
    assert run(folder, "--kind", "F1", "--force") != 0
    assert "lack difference of recall" in capsys.readouterr().err
    assert run(folder, "--kind", "F2", "--force") == 2
