"""Equivalence and non-inferiority: the inverse of the interval, at the declared margin."""

import numpy as np
import pytest

from faultpair.analysis.stats.clusters import FEW
from faultpair.analysis.stats.margins import equivalence, non_inferiority
from faultpair.analysis.stats.paired_difference import Clustered, interval

SIZE = np.arange(80) % 3 + 1


def studies(n, delta, seed):
    rng = np.random.Generator(np.random.PCG64(seed))
    for _ in range(n):
        gain = rng.binomial(SIZE, 0.2 + delta / 2)
        yield Clustered(
            gain, rng.binomial(SIZE - gain, (0.2 - delta / 2) / (0.8 - delta / 2)), SIZE
        )


def test_the_test_holds_exactly_where_the_interval_of_its_level_is_inside():
    for pairs in studies(20, 0.0, 1):
        found = equivalence(pairs, 0.12)
        low, high, _ = interval(pairs, 0.05)
        assert found.is_held == (low > -0.12 and high < 0.12)
        assert (found.ci_low, found.ci_high) == (low, high)


def test_a_difference_at_the_margin_is_seldom_called_equivalent():
    held = [equivalence(pairs, 0.15).is_held for pairs in studies(300, 0.15, 2)]
    assert np.mean(held) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 300)


def test_a_difference_of_nothing_is_called_equivalent_at_a_wide_margin():
    held = [equivalence(pairs, 0.25).is_held for pairs in studies(50, 0.0, 3)]
    assert np.mean(held) >= 0.9


def test_a_floor_is_a_margin_of_its_own_and_p_falls_with_it():
    pairs = next(iter(studies(1, 0.3, 4)))
    above, far_below = (non_inferiority(pairs, -floor) for floor in (pairs.delta, 0.0))
    assert not above.is_held
    assert far_below.is_held
    assert far_below.p < above.p


def test_too_few_instances_hold_nothing_and_say_why():
    pairs = Clustered(np.array([2, 2]), np.array([0, 0]), np.array([2, 2]))
    found = non_inferiority(pairs, 0.5)
    assert (found.is_held, found.p, found.reason) == (False, None, FEW)


def test_a_margin_of_equivalence_is_above_nothing():
    pairs = Clustered(np.array([1]), np.array([0]), np.array([1]))
    with pytest.raises(ValueError, match="A margin of equivalence is above 0, and 0 is not"):
        equivalence(pairs, 0)
