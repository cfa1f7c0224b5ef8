"""Stopping at a floor and looking twenty times, in the committed counts and counted now."""

import json
from math import sqrt
from pathlib import Path

import pytest

from faultpair.analysis.simulation.stopping import (
    look_cells,
    look_counts,
    stop_cells,
    stop_counts,
)

COUNTS = Path(__file__).resolve().parents[3] / "results" / "validity" / "counts.json"
NOMINAL = 0.025


@pytest.fixture(scope="module")
def counts():
    return json.loads(COUNTS.read_bytes())


def most(n, nominal=NOMINAL):
    return nominal + 2.5 * sqrt(nominal * (1 - nominal) / n)


def test_every_cell_is_committed_with_twenty_thousand_studies(counts):
    assert [cell["studies"] for cell in counts["stops"]] == [20_000] * len(stop_cells())
    assert len(counts["looks"]) == len(look_cells())


def test_a_judge_at_the_floor_seldom_passes_and_seldom_fails(counts):
    at_floor = [cell for cell in counts["stops"] if cell["delta"] == 0.2]
    assert len(at_floor) == 8
    for cell in at_floor:
        assert cell["passed"] / cell["studies"] <= NOMINAL, cell
        assert cell["failed"] / cell["studies"] <= NOMINAL, cell


def test_a_judge_on_the_wrong_side_seldom_passes_or_fails(counts):
    for cell in counts["stops"]:
        if cell["delta"] != 0.2:
            wrong = cell["failed"] if cell["delta"] > 0.2 else cell["passed"]
            assert wrong / cell["studies"] <= NOMINAL, cell


def test_the_interval_seldom_ever_leaves_the_true_value(counts):
    for cell in counts["stops"]:
        assert max(cell["above"], cell["below"]) / cell["studies"] <= NOMINAL, cell


@pytest.mark.parametrize(("by_instance", "share"), [(False, 0.25), (True, 0.1)])
def test_a_good_judge_passes_with_few_calls(counts, by_instance, share):
    good = [
        cell
        for cell in counts["stops"]
        if cell["delta"] == 0.6 and cell["by_instance"] is by_instance
    ]
    assert len(good) == 4
    for cell in good:
        assert cell["passed"] == cell["studies"]
        assert cell["calls"] / cell["studies"] / cell["all_calls"] <= share, cell


def test_twenty_looks_err_at_most_as_often_as_stated_and_those_at_other_intervals_more(counts):
    for cell in counts["looks"]:
        assert cell["always"][0] / cell["studies"] <= most(cell["studies"], 0.05), cell
    assert max(cell["published"][0] / cell["studies"] for cell in counts["looks"]) > 0.15


def test_a_committed_cell_of_looks_is_what_the_code_counts_today(counts):
    cell = look_cells()[0]
    assert look_counts(cell, counts["looks"][0]["studies"]) == counts["looks"][0]


@pytest.mark.slow
def test_a_committed_cell_of_stops_is_what_the_code_counts_today(counts):
    at = next(n for n, cell in enumerate(stop_cells()) if cell.delta == 0.6)
    assert stop_counts(stop_cells()[at], 20_000) == counts["stops"][at]
