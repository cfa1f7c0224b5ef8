"""Intervals and tests against statsmodels, SciPy and published examples."""

import numpy as np
import pytest

from faultpair.analysis.metrics.calibration import bins_of, ece_bias
from faultpair.analysis.stats.bootstrap import UnitColumns, draws, raw_words
from faultpair.analysis.stats.intervals import bca, clopper_pearson, percentile, quantiles


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(("k", "n"), [(0, 100), (100, 100), (1, 7), (3, 10), (217, 257), (1, 1)])
def test_clopper_pearson_is_that_of_statsmodels(k, n):
    from statsmodels.stats.proportion import proportion_confint

    assert clopper_pearson(k, n) == pytest.approx(
        proportion_confint(k, n, method="beta"), abs=1e-12
    )


def test_quantiles_are_those_of_numpy():
    values = np.array([3.0, 1.0, 2.0, 8.0, 5.0])
    levels = (0.025, 0.5, 0.975)
    assert quantiles(values, levels) == pytest.approx(list(np.quantile(values, levels)))


@pytest.mark.filterwarnings("default")
def test_bca_is_that_of_scipy_on_the_same_resamples():
    from scipy.stats import bootstrap

    data = np.array([2.0, 5, 1, 9, 4, 4, 7, 0, 3, 12, 6, 2, 8, 1, 15])
    reference = bootstrap((data,), np.mean, method="BCa", n_resamples=4000, rng=1, vectorized=True)
    values = np.concatenate([[data.mean()], reference.bootstrap_distribution])
    jackknife = (data.sum() - data) / (len(data) - 1)
    found = bca(values, jackknife)
    assert found == pytest.approx(tuple(reference.confidence_interval), abs=0.02)


def test_percentile_is_none_when_most_resamples_are_undefined():
    values = np.array([0.5, np.nan, np.nan, 0.4, 0.6])
    assert percentile(values) is None


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


def test_every_resample_draws_as_many_units_as_there_are():
    kind = np.array([0, 1, 2, 2, 1, 0, 0])
    counts = np.vstack([block for _, block in draws(raw_words("test"), kind, 50)])
    assert counts.shape == (50, 3)
    assert (counts.sum(axis=1) == len(kind)).all()


def test_a_ledger_sums_exactly_what_it_resamples():
    ledger = UnitColumns(6)
    ledger.add("ones", np.ones(6, np.int64))
    ledger.add("odd", np.array([1, 0, 1, 0, 1, 0]))
    sums = ledger.sums(np.array([0, 0, 0, 1, 1, 1]), purpose="test", n_resamples=500)
    assert (sums["ones"] == 6).all()
    assert sums["odd"][0] == 3
    assert abs(sums["odd"][1:].mean() - 3) < 0.2


def test_a_column_too_large_to_be_exact_is_refused():
    with pytest.raises(OverflowError):
        UnitColumns(10).add("big", np.full(10, 2**50))
