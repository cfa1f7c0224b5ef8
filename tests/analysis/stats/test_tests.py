"""Tests of a difference against statsmodels and exact distributions."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faultpair.analysis.stats.tests import holm, mcnemar, ranks, sign_flip, spearman


@pytest.mark.parametrize(("hits", "reverses"), [(43, 2), (10, 2), (5, 5), (0, 3), (1, 0)])
def test_mcnemar_is_twice_the_binomial_tail(hits, reverses):
    n, least = hits + reverses, min(hits, reverses)
    tail = sum(math.comb(n, k) for k in range(least + 1)) / 2**n
    assert mcnemar(hits, reverses).estimate == pytest.approx(min(1.0, 2 * tail), rel=1e-12)


def test_mcnemar_without_a_discordant_pair_is_undefined():
    assert mcnemar(0, 0).reason == "no discordant pair"


@settings(max_examples=15)
@given(st.lists(st.floats(0, 1) | st.none(), min_size=1, max_size=12))
def test_holm_steps_down_and_leaves_out_what_is_undefined(values):
    """Holm (1979): the j-th smallest of m is multiplied by m − j + 1, and none falls again."""
    known = sorted(p for p in values if p is not None)
    least, expected = 0.0, {}
    for rank, p in enumerate(known):
        least = max(least, min(1.0, (len(known) - rank) * p))
        expected[p] = least
    adjusted = holm(values)
    assert [p is None for p in adjusted] == [p is None for p in values]
    for p, raw in zip(adjusted, values, strict=True):
        assert (
            raw is None
            or p == pytest.approx(expected[raw], abs=1e-12)
            or (known.count(raw) > 1 and p >= expected[raw] - 1e-12)
        )


def test_sign_flips_count_every_assignment_when_few_instances_differ():
    assert sign_flip(np.array([1, 1, 1, 0])).estimate == 2 / 8
    assert sign_flip(np.array([1, -1])).estimate == 1.0
    assert sign_flip(np.zeros(3, np.int64)).estimate == 1.0
    assert sign_flip(np.zeros(0, np.int64)).estimate is None


def test_drawn_sign_flips_are_near_the_exact_binomial():
    total = np.array([1] * 30 + [-1] * 10)
    exact = 0.0022214  # 2·P(X ≥ 30), X binomial(40, 1/2)
    assert sign_flip(total).estimate == pytest.approx(exact, abs=0.0015)


def test_only_a_process_that_makes_a_test_imports_statsmodels():
    code = (
        "import sys\n"
        "import faultpair.analysis.rebuild, faultpair.analysis.validate\n"
        "assert not {'statsmodels', 'pandas', 'scipy.stats', 'matplotlib'} & set(sys.modules)\n"
        "from faultpair.analysis.stats.tests import mcnemar\n"
        "mcnemar(3, 1)\n"
        "assert 'statsmodels' in sys.modules\n"
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
