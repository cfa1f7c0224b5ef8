"""Intervals against statsmodels and NumPy."""

import numpy as np
import pytest

from faultpair.analysis.stats.clusters import FEW
from faultpair.analysis.stats.intervals import (
    CLUSTERED,
    clopper_pearson,
    percentile,
    quantiles,
    share,
)


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


def test_percentile_is_none_when_most_resamples_are_undefined():
    values = np.array([0.5, np.nan, np.nan, 0.4, 0.6])
    assert percentile(values) is None


def test_a_share_with_one_run_an_instance_is_exact_at_any_size():
    found = share(np.array([1, 0, 0, 1, 0]), np.array([1, 1, 0, 1, 1]), "none")
    assert (found.ci_low, found.ci_high) == clopper_pearson(2, 4)
    assert (found.method, found.n) == ("Clopper-Pearson", 4)


def test_a_share_of_one_answer_for_four_faults_is_worth_its_instances_at_most():
    """A share that counts one answer four times is as wide as that of the answers."""
    answers = np.array([1] * 18 + [0] * 34)
    found = share(4 * answers, np.full(52, 4), "none")
    low, high = clopper_pearson(18, 52)
    assert found.method == CLUSTERED
    assert found.ci_low <= low + 0.005
    assert found.ci_high >= high - 0.005
    alone = clopper_pearson(72, 208)
    assert found.ci_high - found.ci_low > 1.7 * (alone[1] - alone[0])


def test_a_share_of_few_unequal_instances_has_a_reason_in_place_of_an_interval():
    found = share(np.array([2, 0, 1]), np.array([4, 3, 2]), "none")
    assert (found.estimate, found.ci_low, found.reason) == (3 / 9, None, FEW)


def test_a_share_of_nothing_is_undefined():
    assert share(np.array([0]), np.array([0]), "no such fault").reason == "no such fault"
