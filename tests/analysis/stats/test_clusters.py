"""Shares of clustered runs: what they are worth, and their correlation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultpair.analysis.stats.clusters import (
    Share,
    correlation,
    effective_instances,
    exact_ends,
    is_borne,
)
from faultpair.analysis.stats.intervals import clopper_pearson

SIZES = st.lists(st.integers(1, 6), min_size=2, max_size=30)


def test_independent_runs_are_worth_themselves_whatever_was_seen():
    for k in (0, 1, 7, 40):
        count = np.array([1] * k + [0] * (40 - k))
        assert Share.of(count, np.ones(40, np.int64)).worth() == pytest.approx(40)


def test_runs_that_answer_as_one_are_worth_their_instances_at_most():
    assert Share.of(np.repeat([5, 0], 20), np.full(40, 5)).worth() <= 40
    assert Share.of(np.zeros(40, np.int64), np.full(40, 5)).worth() <= 40


@given(SIZES, st.randoms(use_true_random=False))
def test_a_share_is_inside_its_ends_and_turns_with_what_is_counted(sizes, random):
    size = np.array(sizes)
    count = np.array([random.randint(0, k) for k in sizes])
    low, high = Share.of(count, size).ends()
    other_low, other_high = Share.of(size - count, size).ends()
    assert 0 <= low <= count.sum() / size.sum() <= high <= 1
    assert (other_low, other_high) == pytest.approx((1 - high, 1 - low))


def test_all_studies_at_once_are_each_of_them_alone():
    rng = np.random.Generator(np.random.PCG64(3))
    size = rng.integers(1, 5, 30)
    count = rng.binomial(size, 0.3, (4, 30))
    at_once = Share.of(count, size).ends()
    for place, row in enumerate(count):
        alone = Share.of(row, size).ends()
        assert (at_once[0][place], at_once[1][place]) == alone


def test_ends_of_whole_counts_are_those_of_clopper_and_pearson():
    for k, n in ((0, 20), (3, 20), (20, 20)):
        found = exact_ends(np.float64(k), np.float64(n), 0.025)
        assert [float(end) for end in found] == pytest.approx(clopper_pearson(k, n))


def test_one_big_instance_makes_few_of_many():
    assert effective_instances(np.full(12, 7)) == 12
    assert is_borne(np.full(10, 10))
    assert not is_borne(np.array([50] + [1] * 49))


def test_shares_that_exclude_each_other_correlate_negatively_and_no_share_beyond_one():
    size = np.full(200, 4)
    count = np.repeat([4, 0], 100)
    assert correlation((count, size), (size - count, size)) == pytest.approx(-1, abs=0.01)
    assert correlation((count, size), (count, size)) == pytest.approx(1, abs=0.01)
    assert abs(correlation((count[:2], size[:2]), (count[:2], size[:2]))) <= 1


def test_a_number_that_is_no_share_is_as_wide_as_what_its_instances_add():
    """The share itself, from what each instance adds to it: hits − share · runs."""
    size = np.arange(60) % 4 + 1
    count = np.where(np.arange(60) % 3 == 0, size, 0)
    share = count.sum() / size.sum()
    found = Share.of_influence(np.array(share), count - share * size, size, size)
    expected = [float(end) for end in Share.of(count, size).ends()]
    assert [float(end) for end in found.ends()] == pytest.approx(expected, abs=0.02)


def test_sizes_in_millionths_of_many_runs_are_summed_without_overflow():
    size = np.full(400, 20 * 10**6)
    assert effective_instances(size) == 400
