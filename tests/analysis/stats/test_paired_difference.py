"""Intervals of Δ: against a test inverted by brute force, and in the corners where others fail."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize_scalar

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.catalog import compute, numbers_of
from faultpair.analysis.stats.bootstrap import Replicates
from faultpair.analysis.stats.intervals import METHODS, SCORE, delta_estimates, leave_one_out
from faultpair.analysis.stats.paired_difference import (
    Clustered,
    effective_pairs,
    score_interval,
    t_interval,
    union_interval,
)

from ..conftest import named


def alone(hits, reverses, n):
    """Pairs that share nothing: one an instance."""
    total = np.array([1] * hits + [-1] * reverses + [0] * (n - hits - reverses))
    return Clustered(total, np.ones(n, np.int64), hits, reverses)


def shared(totals, size):
    """Instances whose pairs are all hits (1), all reversed (-1) or all alike (0)."""
    total = np.array(totals) * size
    hits, reverses = int(total[total > 0].sum()), -int(total[total < 0].sum())
    return Clustered(total, np.full(len(totals), size), hits, reverses)


def inverted(hits, reverses, n):
    """Tango's interval from its definition: maximise the likelihood, find where |T| = z."""

    def score(delta):
        def unlikely(chance):
            shares = (chance + delta, chance, 1 - 2 * chance - delta)
            counts = (hits, reverses, n - hits - reverses)
            pairs = zip(counts, shares, strict=True)
            return -sum(k * math.log(max(share, 1e-300)) for k, share in pairs if k)

        ends = (max(0.0, -delta), (1 - delta) / 2)
        q = minimize_scalar(unlikely, bounds=ends, method="bounded", options={"xatol": 1e-12}).x
        return (hits - reverses - n * delta) / math.sqrt(n * (2 * q + delta - delta**2))

    middle = (hits - reverses) / n
    z = 1.959963984540054
    return (
        brentq(lambda delta: score(delta) - z, -1 + 1e-9, middle - 1e-9),
        brentq(lambda delta: score(delta) + z, middle + 1e-9, 1 - 1e-9),
    )


@pytest.mark.parametrize(
    ("hits", "reverses", "n"), [(12, 2, 50), (5, 5, 30), (1, 0, 50), (40, 20, 160), (0, 0, 20)]
)
def test_the_score_interval_is_the_inverted_test_of_tango(hits, reverses, n):
    found = score_interval(alone(hits, reverses, n))
    assert found == pytest.approx(inverted(hits, reverses, n), abs=1e-7)


def test_nothing_seen_and_everything_seen_have_the_closed_forms():
    z2 = 1.959963984540054**2
    assert score_interval(alone(0, 0, 20)) == pytest.approx((-z2 / (20 + z2), z2 / (20 + z2)))
    assert score_interval(alone(20, 0, 20)) == pytest.approx(((20 - z2) / (20 + z2), 1.0))


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), min_size=1))
def test_intervals_hold_the_estimate_and_turn_with_the_sign(instances):
    size = np.array([sum(one) for one in instances])
    kept = size > 0
    hits, reverses = (sum(one[place] for one in instances) for place in (0, 1))
    total = np.array([one[0] - one[1] for one in instances])[kept]
    if not kept.any():
        return
    pairs = Clustered(total, size[kept], hits, reverses)
    turned = Clustered(-total, size[kept], reverses, hits)
    assert 1 <= effective_pairs(pairs) <= pairs.n
    for interval in (score_interval, union_interval):
        low, high = interval(pairs)
        assert -1 <= low <= pairs.delta + 1e-12
        assert pairs.delta - 1e-12 <= high <= 1
        assert interval(turned) == pytest.approx((-high, -low))


def test_pairs_that_share_nothing_are_worth_themselves():
    assert effective_pairs(alone(12, 2, 50)) == pytest.approx(50)


def test_pairs_that_share_everything_are_worth_their_instances_at_most():
    pairs = shared([1] * 12 + [-1] * 2 + [0] * 36, 4)
    assert pairs.n == 200
    assert 40 < effective_pairs(pairs) <= 50


def test_pairs_that_do_not_vary_are_worth_their_instances_at_most():
    assert effective_pairs(shared([1] * 30, 3)) <= 30
    assert effective_pairs(shared([0] * 30, 3)) <= 30


def test_one_instance_is_worth_one_pair_and_has_no_t_interval():
    pairs = shared([1], 5)
    assert effective_pairs(pairs) == 1
    assert t_interval(pairs) is None


def test_the_t_interval_of_equal_instances_is_that_of_their_means():
    from scipy.stats import t

    pairs = shared([1, 1, 0, -1, 1, 0], 2)
    means = pairs.total / pairs.size
    expected = t.interval(0.95, 5, means.mean(), means.std(ddof=1) / math.sqrt(6))
    assert t_interval(pairs) == pytest.approx(expected)


def test_leaving_one_instance_out_is_a_ratio_of_what_is_left():
    pairs = Clustered(np.array([2, 0, -1]), np.array([2, 1, 3]), 2, 1)
    assert leave_one_out(pairs) == pytest.approx([-1 / 4, 1 / 5, 2 / 3])


def test_bca_is_null_with_a_reason_where_it_degenerates():
    pairs = alone(3, 0, 3)
    constant = delta_estimates(pairs, Replicates(np.ones(11), 3, "nothing"))
    assert constant[""].method == SCORE
    assert constant[""].ci_high == 1.0
    assert constant["bca"].reason == "no interval: the value is the same in every resample"
    one_side = delta_estimates(
        alone(1, 0, 3), Replicates(np.array([1 / 3, *[0.5] * 10]), 3, "nothing")
    )
    assert "every resample on one side" in one_side["bca"].reason
    none = delta_estimates(alone(0, 0, 0), Replicates(np.full(3, np.nan), 0, "no such pair"))
    assert {delta.reason for delta in none.values()} == {"no such pair"}


def test_every_delta_has_the_default_interval_and_both_bootstraps_beside_it(records):
    numbers = named(numbers_of(compute(load_study(records.write()), n_resamples=300)))
    for group in ("all", "silent", "type=skipped"):
        methods = [numbers[f"stepper/delta/{group}{kind}"].method for kind in ("", "/percentile")]
        assert methods == [SCORE, "percentile bootstrap over instances"]
        assert f"stepper/delta/{group}/bca" in numbers
    zero = numbers["reader/delta/cell=unchanged-lost"]
    assert (zero.method, zero.ci_low) == ("structural zero", None)


def test_every_method_of_the_table_gives_an_interval():
    pairs = shared([1, 1, 0, -1, 1, 0], 2)
    values = np.random.Generator(np.random.PCG64(1)).normal(pairs.delta, 0.2, 500)
    drawn = Replicates(np.concatenate([[pairs.delta], values]), pairs.n, "")
    for method in METHODS.values():
        low, high = method(pairs, drawn)
        assert low < high
