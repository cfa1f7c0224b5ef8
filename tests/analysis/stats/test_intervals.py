"""Intervals against statsmodels, SciPy and NumPy."""

import numpy as np
import pytest

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
