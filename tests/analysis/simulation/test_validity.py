"""The truth of the instrument: judges of known behaviour come out as they are.

The committed counts are held to what docs/decisions/0005-interval-of-delta.md claims of them.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.catalog import compute, numbers_of
from faultpair.analysis.metrics.pairs import outcomes_of
from faultpair.analysis.rebuild import main as rebuild
from faultpair.analysis.simulation.coverage import (
    DIFFERENCE,
    GRID,
    calibration_counts,
    cell_counts,
    error_counts,
)
from faultpair.analysis.simulation.simulated import (
    Behaviour,
    Model,
    flags_of,
    judged_study,
    runs_of,
)
from faultpair.analysis.stats.intervals import METHODS
from faultpair.analysis.validate import counts_text
from faultpair.analysis.validate import main as validate

from ..conftest import TYPES, named, small_records

ROOT = Path(__file__).resolve().parents[3]
COUNTS = ROOT / "results" / "validity" / "counts.json"


@pytest.fixture(scope="module")
def counts():
    return json.loads(COUNTS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("behaviour", Behaviour)
def test_simulated_judges_flag_at_the_rates_of_their_model(behaviour):
    runs = runs_of(48)
    flagged = flags_of(Model(0.3, 0.2, behaviour), runs, 3000, "test")
    clean, faulty = flagged[:, runs.clean], flagged[:, runs.faulty]
    assert clean.mean() == pytest.approx(0.2, abs=0.005)
    assert faulty.mean() - flagged[:, runs.parent[runs.faulty]].mean() == pytest.approx(
        0.3, abs=0.008
    )
    by_type = [faulty[:, runs.failure_type.codes[runs.faulty] == kind].mean() for kind in range(4)]
    assert by_type == sorted(by_type)
    assert by_type[3] > by_type[0] + 0.2
    by_scenario = [
        flagged[:, runs.clean & runs.scenario.where(s)].mean() for s in ("calm", "rough")
    ]
    assert by_scenario[1] > by_scenario[0] + 0.1


def test_a_judge_that_keeps_its_flags_never_reverses_a_pair():
    runs = runs_of(40)
    study = judged_study(runs, flags_of(Model(0.1, 0.33, Behaviour.KEEPS), runs, 200, "test"))
    outcomes = [outcomes_of(study, judge) for judge in range(200)]
    assert not any(own.reversed.any() for own in outcomes)
    assert any(own.both.any() for own in outcomes)


def test_a_judge_that_cannot_exist_is_null_with_a_reason():
    cell = cell_counts(20, Model(0.95, 0.33, Behaviour.ANEW), 5, 20)
    assert cell["reason"] == "a fault would be flagged with a chance above 1: Δ + base rate > 1"
    assert "methods" not in cell


def test_the_grid_is_the_one_that_was_asked_for():
    assert {n for n, _ in GRID} == {20, 50, 100, 300}
    assert {model.delta for _, model in GRID} == {0.0, 0.02, 0.1, 0.5, 0.95}
    assert {model.base_rate for _, model in GRID} == {0.05, 0.33}
    assert len(GRID) == len(set(GRID)) == 80


def test_the_same_cell_is_counted_the_same_twice():
    model = Model(0.1, 0.33, Behaviour.ANEW)
    once, again = (cell_counts(20, model, 50, 100) for _ in range(2))
    assert once == again
    assert set(once["methods"]) == {*METHODS, DIFFERENCE}


def test_tests_err_and_calibrated_judges_miss_as_they_should():
    errors = error_counts(20, 0.33, 300)
    assert errors["McNemar"] <= 300 * 0.05
    assert errors["sign flips"] <= 300 * 0.08
    found = calibration_counts(20, 300)
    assert found["ece"] == pytest.approx(found["bias"], rel=0.05)


def test_a_simulated_judge_goes_through_files_and_comes_out(tmp_path):
    """Detection by type and base rate by scenario, written as records and read again."""
    detection = {"skipped": 0.9, "wrong_amount": 0.6, "promise": 0.3, "stop": 0.0}
    base_rate = {"happy": 0.1, "expired": 0.2, "fee": 0.3}
    rng = np.random.Generator(np.random.PCG64(5))
    records = small_records(tmp_path / "study", n_instances=900)
    scenario = {one["instance_id"]: one["difficulty"] for one in records.instances}

    def decide(run):
        chance = base_rate[scenario[run["instance_id"]]]
        found = detection.get(run["label"]["failure_type"], 0.0)
        return bool(rng.random() < chance + (1 - chance) * found)

    records.judged("simulated", decide, view="full-steps")
    numbers = named(numbers_of(compute(load_study(records.write()), n_resamples=200)))
    for kind in TYPES:
        delta = numbers[f"simulated/delta/type={kind}"]
        truth = np.mean([(1 - chance) * detection[kind] for chance in base_rate.values()])
        assert delta.ci_low <= truth <= delta.ci_high
    for name, chance in base_rate.items():
        rate = numbers[f"simulated/false-alarms/scenario={name}"]
        assert abs(rate.estimate - chance) <= 3 * (chance * (1 - chance) / rate.n) ** 0.5


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


def test_counts_that_are_none_are_refused(tmp_path, capsys):
    folder = tmp_path / "results" / "validity"
    folder.mkdir(parents=True)
    (folder / "counts.json").write_text('{"coverage": 3}', encoding="utf-8")
    assert rebuild(["--results", str(tmp_path / "results")]) == 2
    assert "counts.json holds no counts" in capsys.readouterr().err


def cells_of(counts):
    assert counts["simulations"] >= 2000
    possible = [cell for cell in counts["coverage"] if cell["reason"] is None]
    assert len(counts["coverage"]) == 80
    assert len(possible) == 72
    return possible


def shares(cells, method):
    tallies = [cell["methods"][method] for cell in cells]
    return [tally["covered"] / tally["of"] for tally in tallies]


def test_delta_is_recovered_without_bias_in_every_committed_cell(counts):
    for cell in cells_of(counts):
        n = cell["simulations"]
        mean = cell["sum"] / n
        error = np.sqrt((cell["sum_of_squares"] / n - mean**2) / n)
        assert abs(mean - cell["delta"] * cell["pairs"]) <= 4 * error + 1e-9


def test_the_default_interval_covers_in_every_committed_cell_and_no_shorter_one_does(counts):
    cells = cells_of(counts)
    assert min(shares(cells, "score")) >= 0.93
    for method in ("t", "percentile", "bca"):
        assert min(shares(cells, method)) < 0.93
    assert min(shares(cells, "union")) > 0.97


def test_the_percentile_interval_falls_short_where_it_is_known_to(counts):
    cell = next(
        cell
        for cell in cells_of(counts)
        if (cell["instances"], cell["delta"], cell["behaviour"]) == (20, 0.02, "keeps")
    )
    assert shares([cell], "percentile")[0] < 0.75


def test_no_test_errs_more_often_than_it_says_in_the_committed_counts(counts):
    assert len(counts["errors"]) == 8
    for cell in counts["errors"]:
        for test in ("McNemar", "sign flips"):
            noise = 2 * np.sqrt(0.05 * 0.95 / cell["simulations"])
            assert cell[test] / cell["simulations"] <= 0.05 + noise


def test_the_stated_bias_of_ece_is_that_of_calibrated_judges_in_the_committed_counts(counts):
    for cell in counts["calibration"]:
        n = cell["simulations"]
        mean = cell["ece"] / n
        error = np.sqrt((cell["ece_squared"] / n - mean**2) / n)
        assert abs(mean - cell["bias"] / n) <= 4 * error


@pytest.mark.slow
def test_a_committed_cell_is_what_the_code_counts_today(counts):
    place = 2  # 20 instances, a base rate of 0.05, Δ = 0.02, judged anew
    found = cell_counts(*GRID[place], counts["simulations"], counts["resamples"])
    assert found == counts["coverage"][place]
