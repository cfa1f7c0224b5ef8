"""How often intervals cover and tests err, counted now and in the committed counts.

The committed counts are held to what docs/decisions/0005-interval-of-delta.md claims of them.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from faultpair.analysis.simulation.coverage import (
    DIFFERENCE,
    GRID,
    calibration_counts,
    cell_counts,
    error_counts,
)
from faultpair.analysis.simulation.simulated import Behaviour, Model
from faultpair.analysis.stats.intervals import METHODS

ROOT = Path(__file__).resolve().parents[3]
COUNTS = ROOT / "results" / "validity" / "counts.json"


@pytest.fixture(scope="module")
def counts():
    return json.loads(COUNTS.read_text(encoding="utf-8"))


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
