"""The command that counts, and the tables that a rebuild makes of its counts."""

from faultpair.analysis.rebuild import main as rebuild
from faultpair.analysis.simulation.coverage import GRID
from faultpair.analysis.validate import counts_text
from faultpair.analysis.validate import main as validate


def test_validate_writes_counts_and_rebuild_makes_tables_of_them(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("faultpair.analysis.validate.GRID", (GRID[0], GRID[2], GRID[19]))
    folder = tmp_path / "results" / "validity"
    quick = ["--simulations", "20", "--resamples", "50"]
    assert validate([*quick, "--out", str(folder)]) == 0
    assert (folder / "counts.json").read_text(encoding="utf-8") == counts_text(20, 50)
    options = ["--results", str(tmp_path / "results")]
    assert rebuild(options) == 0
    coverage = (folder / "tables" / "coverage.md").read_text(encoding="utf-8")
    assert "| 20 | 0.05 | anew | 0.00 |" in coverage
    assert "n/a: a fault would be flagged with a chance above 1" in coverage
    assert rebuild([*options, "--check"]) == 0
    table = folder / "tables" / "errors.md"
    table.write_text(table.read_text(encoding="utf-8").replace("0.0", "0.1", 1), encoding="utf-8")
    capsys.readouterr()
    assert rebuild([*options, "--check"]) == 1
    assert "errors.md (committed)" in capsys.readouterr().out


def test_counts_that_are_there_are_overwritten_with_force_alone(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("faultpair.analysis.validate.GRID", ())
    monkeypatch.setattr("faultpair.analysis.validate.INSTANCES", ())
    counts = tmp_path / "counts.json"
    counts.write_text("mine", encoding="utf-8")
    assert validate(["--out", str(tmp_path)]) == 2
    assert f"{counts} exists" in capsys.readouterr().err
    assert counts.read_text(encoding="utf-8") == "mine"
    assert validate(["--out", str(tmp_path), "--force"]) == 0
    assert counts.read_text(encoding="utf-8") != "mine"


def test_counts_that_are_none_are_refused(tmp_path, capsys):
    folder = tmp_path / "results" / "validity"
    folder.mkdir(parents=True)
    (folder / "counts.json").write_text('{"coverage": 3}', encoding="utf-8")
    assert rebuild(["--results", str(tmp_path / "results")]) == 2
    assert "counts.json holds no counts" in capsys.readouterr().err
