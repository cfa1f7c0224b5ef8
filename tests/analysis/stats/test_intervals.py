"""Intervals against statsmodels and NumPy."""

import numpy as np
import pytest

from faultpair.analysis.stats.bootstrap import Replicates
from faultpair.analysis.stats.clusters import FEW
from faultpair.analysis.stats.intervals import (
    CLUSTERED,
    NO_METHOD,
    clopper_pearson,
    mean_of_parts,
    mean_of_units,
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


def test_a_mean_over_units_is_as_wide_as_a_share_of_as_many_that_vary_so():
    """Twenty records that are right or wrong as a whole: the exact interval, with t for z."""
    right = np.arange(20) < 8
    draws = np.random.Generator(np.random.PCG64(3)).integers(0, 20, (40_000, 20))
    values = np.concatenate(([right.mean()], right[draws].mean(axis=1)))
    found = mean_of_units(Replicates(values, 80, "none", 20))
    low, high = clopper_pearson(8, 20)
    assert found.ci_low == pytest.approx(low, abs=0.02)
    assert found.ci_high == pytest.approx(high, abs=0.02)
    assert found.ci_low < low < high < found.ci_high


@pytest.mark.parametrize(("units", "reason"), [(0, NO_METHOD), (9, "fewer than 10 records")])
def test_a_number_that_is_no_mean_over_enough_units_has_a_reason_in_place_of_an_interval(
    units, reason
):
    found = mean_of_units(Replicates(np.array([0.5, 0.4, 0.6]), 9, "none", units))
    assert (found.estimate, found.ci_low) == (0.5, None)
    assert reason in found.reason


def test_a_mean_of_parts_is_narrower_than_a_share_of_the_same_value():
    size = np.full(30, 4)
    total = np.linspace(0.8, 1.2, 30)
    parts = mean_of_parts(total, size, "none")
    whole = share((np.arange(30) < 30 // 4).astype(np.int64), np.ones(30, np.int64), "none")
    assert parts.estimate == pytest.approx(0.25)
    assert whole.ci_low < parts.ci_low < 0.25 < parts.ci_high < whole.ci_high
    assert mean_of_parts(total[:9], size[:9], "none").reason == FEW
    assert mean_of_parts(total[:0], size[:0], "none").reason == "none"
