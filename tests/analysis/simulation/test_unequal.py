"""Weighted pairs and independent studies: their intervals cover in every committed cell."""

import json
from pathlib import Path

import numpy as np
import pytest

from faultpair.analysis.measurement.compare import compare
from faultpair.analysis.measurement.measure import measure_pairs
from faultpair.analysis.measurement.weights import weighted_clusters, weighted_delta
from faultpair.analysis.simulation.unequal import (
    UNEQUAL_KINDS,
    unequal_cells,
    unequal_counts,
    unequal_table,
)
from faultpair.analysis.stats.paired_difference import Clustered, square_and_add

COUNTS = Path(__file__).resolve().parents[3] / "results" / "validity" / "counts.json"


@pytest.fixture(scope="module")
def counts():
    return json.loads(COUNTS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("place", range(len(UNEQUAL_KINDS)))
def test_it_covers_on_both_sides_in_every_committed_cell(counts, place):
    known = [cell["counts"][place] for cell in counts["unequal"] if cell["counts"][place]]
    assert len(known) >= 100
    assert counts["simulations"]["unequal"] >= 2000
    for n, above, below, *_ in known:
        assert 1 - (above + below) / n >= 0.93
        assert max(above, below) / n <= 0.04


def test_a_committed_cell_is_what_the_code_counts_today(counts):
    place = next(n for n, cell in enumerate(counts["unequal"]) if cell["instances"] == 20)
    found = unequal_counts(unequal_cells()[place], counts["simulations"]["unequal"])
    assert list(found.values()) == counts["unequal"][place]["counts"]


def test_the_table_has_a_row_a_kind(counts):
    table = unequal_table(counts["unequal"], 2000)
    assert [row[0] for row in table.rows] == list(UNEQUAL_KINDS)
    assert len(table.columns) == len(table.rows[0])


def test_equal_weights_are_worth_their_pairs():
    unit, difference = np.array([0, 0, 1, 2, 2]), np.array([1, 0, -1, 1, 1])
    plain = Clustered.of(unit, difference, 3)
    weighted = weighted_clusters(unit, difference, np.full(5, 7.0))
    for part in ("gain", "loss", "size"):
        np.testing.assert_allclose(getattr(weighted, part), getattr(plain, part))


def test_a_weight_of_two_is_worth_less_than_two_pairs():
    """Weights 1 and 2 in equal parts are worth 2.25 / 2.5 of the pairs."""
    unit = np.arange(200)
    sums = weighted_clusters(unit, unit % 2, np.where(unit < 100, 1.0, 2.0))
    assert sums.size.sum() == pytest.approx(200 * 2.25 / 2.5)
    found = weighted_delta(unit, unit % 2, np.where(unit < 100, 1.0, 2.0), 200)
    low, high = square_and_add(Clustered.of(unit, unit % 2, 200))
    assert found.estimate == pytest.approx(0.5)
    assert high - low < found.ci_high - found.ci_low < 1.1 * (high - low)


def test_weights_that_leave_few_pairs_have_no_interval_and_the_reason():
    unit = np.arange(200)
    found = weighted_delta(unit, unit % 2, np.where(unit < 10, 100.0, 1.0), 200)
    assert found.ci_low is None
    assert "so unequal" in found.reason


def test_the_difference_of_two_studies_is_simulated_as_compare_makes_it():
    def rows(prefix, caught):
        for n in range(40):
            yield {"unit": f"{prefix}{n}", "run": f"{prefix}{n}c", "parent": "", "flagged": n == 0}
            fault = {"unit": f"{prefix}{n}", "run": f"{prefix}{n}f", "parent": f"{prefix}{n}c"}
            yield fault | {"flagged": n < caught}

    found = compare(
        *(measure_pairs(rows(prefix, caught)) for prefix, caught in (("a", 30), ("b", 10)))
    )
    assert found.cautious.method == "square-and-add of two intervals"
