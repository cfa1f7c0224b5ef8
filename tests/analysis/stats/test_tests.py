"""Tests of a difference against statsmodels and exact distributions."""

import math
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faultpair.analysis.stats.tests import holm, matched_sets, ranks, sign_flip, spearman


@pytest.mark.parametrize(("hits", "reverses"), [(43, 2), (10, 2), (5, 5), (0, 3), (1, 0)])
def test_matched_sets_of_one_fault_are_the_exact_test_of_mcnemar(hits, reverses):
    """McNemar (1947): twice the binomial tail of the pairs that differ."""
    n, least = hits + reverses, min(hits, reverses)
    tail = sum(math.comb(n, k) for k in range(least + 1)) / 2**n
    both = np.array([1, 1, 0, 0])  # sets that agree tell nothing
    flagged = np.concatenate([both, [1] * hits, [0] * reverses])
    parent = np.concatenate([both, [0] * hits, [1] * reverses]).astype(bool)
    found = matched_sets(flagged, np.ones(n + 4, np.int64), parent)
    assert found.estimate == pytest.approx(min(1.0, 2 * tail), rel=1e-12)
    assert found.n == n


def test_matched_sets_are_counted_over_every_place_of_the_parent():
    """Against all assignments of the flags of each set to its runs."""
    flagged, size = np.array([2, 1, 0, 3]), np.array([3, 4, 2, 5])
    parent = np.array([False, False, True, False])
    flags = flagged + parent
    observed = (flagged - size * parent).sum()
    below = above = 0.0
    for places in product((False, True), repeat=4):
        chances = [
            s / (1 + k) if here else 1 - s / (1 + k)
            for s, k, here in zip(flags, size, places, strict=True)
        ]
        value = (flags - np.array(places) * (1 + size)).sum()
        below += math.prod(chances) * (value <= observed)
        above += math.prod(chances) * (value >= observed)
    found = matched_sets(flagged, size, parent).estimate
    assert found == pytest.approx(min(1.0, 2 * min(below, above)))


def test_a_blind_judge_of_ten_faults_a_parent_is_seldom_called_seeing():
    """McNemar's test rejects .369 of such coins (chance 0.3, ten faults a parent)."""
    rng = np.random.Generator(np.random.PCG64(1))
    size = np.full(40, 10)
    p = [
        matched_sets(rng.binomial(size, 0.3), size, rng.random(40) < 0.3).estimate
        for _ in range(400)
    ]
    assert np.mean(np.array(p) <= 0.05) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 400)


def test_matched_sets_that_are_flagged_as_one_tell_nothing():
    found = matched_sets(np.array([2, 0]), np.array([2, 3]), np.array([True, False]))
    assert found.reason == "no instance has both a flagged and an unflagged run"


@pytest.mark.filterwarnings("default")
@settings(max_examples=15)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_that_of_statsmodels(values):
    from statsmodels.stats.multitest import multipletests

    assert holm(values) == pytest.approx(multipletests(values, method="holm")[1].tolist())


def test_a_test_without_an_answer_is_one_of_the_family():
    """ablation: p = .0156 of one contrast; adjusted over five, two of them open, it is .078."""
    family = [0.015625, 0.25, None, None, 0.5]
    assert holm(family)[0] == pytest.approx(5 * 0.015625)
    assert holm(family)[2:4] == [None, None]
    assert holm(family)[0] == holm([0.015625, 0.25, 1.0, 1.0, 0.5])[0]


def test_sign_flips_count_every_assignment_when_few_instances_differ():
    assert sign_flip(np.array([1, 1, 1, 0])).estimate == 2 / 8
    assert sign_flip(np.array([1, -1])).estimate == 1.0
    assert sign_flip(np.zeros(3, np.int64)).estimate == 1.0
    assert sign_flip(np.zeros(0, np.int64)).estimate is None


def test_drawn_sign_flips_are_near_the_exact_binomial():
    total = np.array([1] * 30 + [-1] * 10)
    exact = 0.0022214  # 2·P(X ≥ 30), X binomial(40, 1/2)
    assert sign_flip(total).estimate == pytest.approx(exact, abs=0.0015)


def test_no_process_of_ours_imports_statsmodels_or_the_slow_parts_of_scipy():
    code = (
        "import sys\n"
        "import faultpair.analysis.rebuild, faultpair.analysis.validate\n"
        "assert not {'statsmodels', 'pandas', 'scipy.stats', 'matplotlib'} & set(sys.modules)\n"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    subprocess.run(command, check=True, cwd=Path(__file__).parents[3])


@pytest.mark.filterwarnings("default")
@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=9))
def test_spearman_is_that_of_scipy(pairs):
    from scipy.stats import rankdata, spearmanr

    one, other = np.array(pairs, dtype=np.float64).T
    assert ranks(one) == pytest.approx(rankdata(one))
    if len(set(one)) == 1 or len(set(other)) == 1:
        assert np.isnan(spearman(one, other))
    else:
        assert spearman(one, other) == pytest.approx(spearmanr(one, other).statistic)


def test_two_sums_that_differ_in_their_last_bit_are_a_tie():
    assert ranks(np.array([0.1 + 0.2, 0.3, 1.0])).tolist() == [1.5, 1.5, 3.0]
