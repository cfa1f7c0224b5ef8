"""Error rates of the tests, counted in small; the committed counts are in test_coverage."""

import pytest

from faultpair.analysis.simulation.errors import (
    ErrorCell,
    Hypothesis,
    calibration_counts,
    error_cells,
    error_counts,
)


@pytest.mark.parametrize("test", [Hypothesis.MATCHED, Hypothesis.CONTRAST, Hypothesis.EQUIVALENCE])
def test_a_true_null_is_seldom_rejected(test):
    rejected = error_counts(ErrorCell(test, 20, 2, 0.3), 300)
    assert rejected <= 300 * 0.05 + 2 * (300 * 0.05 * 0.95) ** 0.5


def test_a_family_of_blind_judges_is_seldom_called_seeing():
    family = next(cell for cell in error_cells() if cell.test is Hypothesis.FAMILY)
    assert error_counts(family, 5) <= 1


def test_calibrated_judges_miss_as_they_should():
    found = calibration_counts(20, 300)
    assert found["ece"] == pytest.approx(found["bias"], rel=0.05)
