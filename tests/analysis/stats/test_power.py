"""Plans against simulation, and against the closed forms that they reduce to."""

import numpy as np
import pytest

from faultpair.analysis.simulation.design import Cell, Dependence, sizes_of
from faultpair.analysis.simulation.simulated import drawn
from faultpair.analysis.stats.power import (
    design_effect,
    detectable_delta,
    false_alarm_bound,
    half_width,
    pairs_needed,
)

ALONE = np.ones(100, np.int64)


def simulated_differences(n_instances, delta, base_rate):
    """Return flag(fault) − flag(parent) of 1,500 studies, and the pairs of every instance."""
    cell = Cell("1 to 4", n_instances, base_rate, delta, Dependence.NONE)
    return drawn(cell, 1500, "power").difference, sizes_of(cell)


def test_the_detectable_delta_is_found_in_four_of_five_simulations():
    size = np.arange(60) % 4 + 1
    delta = detectable_delta(size, 0.2)
    difference, _ = simulated_differences(60, delta, 0.2)
    effect = design_effect(size, delta, 0.2)
    score = difference.sum(axis=1) / np.sqrt((difference != 0).sum(axis=1) * effect)
    assert np.mean(score > 1.96) == pytest.approx(0.8, abs=0.03)


def test_the_expected_half_width_is_that_of_simulated_judges():
    difference, size = simulated_differences(80, 0.4, 0.2)
    spread = difference.mean(axis=1).std()
    assert half_width(size, 0.4, 0.2) == pytest.approx(1.96 * spread, rel=0.06)


def test_without_false_alarms_and_sharing_the_sample_size_is_that_of_connor():
    delta = detectable_delta(ALONE, 0.0)
    z = (1.959964, 0.841621)
    needed = (z[0] * delta**0.5 + z[1] * (delta - delta**2) ** 0.5) ** 2 / delta**2
    assert needed == pytest.approx(100, rel=1e-5)


def test_sharing_a_parent_costs_power_only_if_parents_are_flagged():
    sharing = np.full(50, 4)
    assert design_effect(sharing, 0.3, 0.0) == 1.0
    assert 1 < design_effect(sharing, 0.3, 0.2) < 4
    assert detectable_delta(sharing, 0.2) > detectable_delta(np.ones(200, np.int64), 0.2)


def test_so_many_pairs_have_the_half_width_that_was_wanted():
    n = pairs_needed(ALONE, 0.05, 0.5, 0.05)
    assert half_width(np.ones(n, np.int64), 0.5, 0.05) <= 0.05
    assert half_width(np.ones(n - 1, np.int64), 0.5, 0.05) > 0.05


def test_too_few_pairs_find_nothing():
    assert detectable_delta(np.ones(2, np.int64), 0.33) is None
    assert detectable_delta(np.zeros(0, np.int64), 0.05) is None


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("n", [1, 20, 156])
def test_the_bound_of_clean_runs_without_a_flag_is_that_of_statsmodels(n):
    from statsmodels.stats.proportion import proportion_confint

    assert false_alarm_bound(n) == pytest.approx(proportion_confint(0, n, method="beta")[1])
    assert false_alarm_bound(0) == 1.0
