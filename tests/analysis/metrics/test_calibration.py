"""The bias of the expected calibration error."""

import numpy as np
import pytest

from faultpair.analysis.metrics.calibration import bins_of, ece_bias


def test_ece_bias_of_equal_coins():
    assert ece_bias(np.array([0.5])) == pytest.approx(0.5)
    assert ece_bias(np.array([0.5, 0.5])) == pytest.approx(0.25)
    assert ece_bias(np.zeros(0)) is None


def test_ece_bias_is_the_mean_over_simulated_calibrated_judges():
    confidence = np.array([0.55, 0.62, 0.68, 0.7, 0.7, 0.81, 0.95, 0.95, 0.99])
    rng = np.random.default_rng(3)
    right = rng.random((40_000, len(confidence))) < confidence
    place = bins_of(confidence)
    gaps = [np.abs((right - confidence)[:, place == b].sum(axis=1)) for b in range(10)]
    simulated = np.sum(gaps, axis=0).mean() / len(confidence)
    assert ece_bias(confidence) == pytest.approx(simulated, abs=0.003)
