"""The interval of Δ: its laws, its corners, and the cells in which others fail.

The cells are those that an independent check named; its counts stand in the docstrings.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln, xlogy

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.catalog import compute, numbers_of
from faultpair.analysis.stats.clusters import FEW
from faultpair.analysis.stats.intervals import delta_estimate
from faultpair.analysis.stats.paired_difference import (
    EXACT,
    SQUARES,
    Clustered,
    exact_interval,
    interval,
    square_and_add,
)

from ..conftest import named

STUDIES = 1_000
BALANCED = np.repeat(
    [*range(1, 20), 21],
    [85, 57, 34, 41, 40, 38, 27, 16, 8, 10, 7, 8, 10, 10, 6, 6, 5, 2, 3, 1],
)
PAPER = np.repeat([1, 2, 3, 4, 5], [75, 35, 28, 9, 7])
ABLATION = np.repeat([1, 2, 4, 5], [29, 3, 15, 5])


def alone(gains, losses, n):
    """Pairs that share nothing: one an instance."""
    return Clustered.of(
        np.arange(n), np.array([1] * gains + [-1] * losses + [0] * (n - gains - losses)), n
    )


def blind(size, rate, seed=1, fault_rate=None):
    """Studies of a judge that flags each run afresh."""
    rng = np.random.Generator(np.random.PCG64(seed))
    parent = rng.random((STUDIES, len(size))) < rate
    flags = rng.binomial(size, rate if fault_rate is None else fault_rate, (STUDIES, len(size)))
    return Clustered(np.where(parent, 0, flags), np.where(parent, size - flags, 0), size)


def missed(pairs, truth):
    low, high = square_and_add(pairs)
    return float(np.mean(low > truth)), float(np.mean(high < truth))


@pytest.mark.parametrize(
    ("size", "rate"),
    [
        (BALANCED, 0.02),
        (PAPER, 0.02),
        (ABLATION, 0.1),
        (np.full(20, 20), 0.02),
        (np.full(10, 10), 0.1),
    ],
)
def test_a_coin_of_rare_flags_is_seldom_credited_with_a_difference(size, rate):
    """Tango's interval is wholly above 0 in .074, .049, .061, .103 of the first four."""
    above, below = missed(blind(size, rate), 0.0)
    assert above <= 0.04
    assert below <= 0.04


def test_a_judge_that_answers_once_an_instance_is_covered():
    rng = np.random.Generator(np.random.PCG64(5))
    size = BALANCED
    parent = rng.random((STUDIES, len(size))) < 0.1
    flags = (rng.random((STUDIES, len(size))) < 0.4) * size
    pairs = Clustered(np.where(parent, 0, flags), np.where(parent, size - flags, 0), size)
    assert sum(missed(pairs, 0.3)) <= 0.07


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), min_size=1))
def test_intervals_hold_the_estimate_and_turn_with_the_sign(instances):
    gain, loss, size = (
        np.array(part) for part in zip(*[(g, r, g + r + s) for g, r, s in instances], strict=True)
    )
    if not size.any():
        return
    low, high = square_and_add(Clustered(gain, loss, size))
    delta = (gain - loss).sum() / size.sum()
    assert -1 - 1e-9 <= low <= delta + 1e-12
    assert delta - 1e-12 <= high <= 1 + 1e-9
    assert square_and_add(Clustered(loss, gain, size)) == pytest.approx((-high, -low))


def test_many_independent_pairs_have_the_ends_of_the_normal_interval():
    pairs = alone(4_000, 2_000, 10_000)
    error = np.sqrt((0.6 - 0.2**2) / 10_000)
    assert square_and_add(pairs) == pytest.approx(
        (0.2 - 1.96 * error, 0.2 + 1.96 * error), abs=3e-4
    )


def test_few_pairs_that_share_nothing_have_an_exact_interval():
    found = interval(alone(4, 0, 9))
    assert found == (*exact_interval(4, 0, 9, 0.025), EXACT)
    assert interval(alone(4, 0, 10))[2] == SQUARES


def test_an_all_or_nothing_result_has_the_closed_form_of_the_exact_interval():
    """Nine gains of nine: ((1 + Δ)/2)⁹ = 0.025 at the low end."""
    low, high = exact_interval(9, 0, 9, 0.025)
    assert ((1 + low) / 2) ** 9 == pytest.approx(0.025, rel=1e-3)
    assert high == 1.0


@pytest.mark.parametrize("n", [3, 6])
def test_the_exact_interval_misses_each_side_with_a_chance_of_at_most_one_in_forty(n):
    from scipy.stats import multinomial

    outcomes = [(g, r) for g in range(n + 1) for r in range(n + 1 - g)]
    ends = [exact_interval(*one, n, 0.025) for one in outcomes]
    for delta in np.linspace(-0.9, 0.9, 13):
        for loss in np.linspace(max(0.0, -delta), (1 - delta) / 2, 5):
            shares = np.maximum([loss + delta, loss, 1 - 2 * loss - delta], 0)
            chance = [
                multinomial.pmf([g, r, n - g - r], n, shares / shares.sum()) for g, r in outcomes
            ]
            above = sum(p for p, (low, _) in zip(chance, ends, strict=True) if low > delta + 1e-7)
            below = sum(p for p, (_, high) in zip(chance, ends, strict=True) if high < delta - 1e-7)
            assert max(above, below) <= 0.0255


def test_few_instances_of_several_pairs_have_a_reason_in_place_of_an_interval():
    pairs = Clustered(np.array([2, 1, 0]), np.array([0, 1, 0]), np.array([3, 3, 1]))
    found = delta_estimate(pairs, "none")
    assert (found.estimate, found.ci_low, found.reason) == (2 / 7, None, FEW)


def test_differences_of_two_judges_are_in_steps_of_half():
    """Two judges on the same pairs: each difference is from −2 to 2."""
    rng = np.random.Generator(np.random.PCG64(9))
    unit = np.repeat(np.arange(60), 2)
    difference = rng.integers(-2, 3, 120)
    found = delta_estimate(Clustered.of(unit, difference, 60, steps=2), "none", steps=2)
    assert found.estimate == pytest.approx(difference.mean())
    assert found.n == 120
    assert found.ci_low < difference.mean() < found.ci_high


def test_every_delta_has_its_interval_and_the_bootstrap_beside_it(records):
    numbers = named(numbers_of(compute(load_study(records.write()), n_resamples=300)))
    for group in ("all", "silent", "type=skipped"):
        assert numbers[f"stepper/delta/{group}"].method in (SQUARES, EXACT, "too few instances")
        method = numbers[f"stepper/delta/{group}/percentile"].method
        assert method == "percentile bootstrap over instances"
    zero = numbers["reader/delta/cell=unchanged-lost"]
    assert (zero.method, zero.ci_low) == ("structural zero", None)


def outcomes(n):
    """Every result of n single pairs, and the function of their chances."""
    found = np.array([(g, r) for g in range(n + 1) for r in range(n + 1 - g)])
    gain, loss = found.T
    ways = gammaln(n + 1) - gammaln(gain + 1) - gammaln(loss + 1) - gammaln(n - gain - loss + 1)

    def chances(p, q):
        return np.exp(ways + xlogy(gain, p) + xlogy(loss, q) + xlogy(n - gain - loss, 1 - p - q))

    return gain, loss, chances


@pytest.mark.parametrize("n", [10, 20, 40])
def test_single_pairs_miss_neither_side_in_four_per_cent_whatever_their_chances(n):
    """Counted over every result, not simulated; one of the two chances may be 0."""
    gain, loss, chances = outcomes(n)
    sides = (np.arange(n) < gain[:, None], np.arange(n)[::-1] < loss[:, None])
    low, high = square_and_add(Clustered(*(side.astype(int) for side in sides), np.ones(n, int)))
    for p in np.linspace(0.005, 0.6, 40):
        for q in (0.0, 0.01, 0.05, 0.1, 0.2, 0.4):
            chance = chances(p, q)
            assert chance[low > p - q + 1e-12].sum() <= 0.04
            assert chance[high < p - q - 1e-12].sum() <= 0.04


def test_ends_are_nearer_where_pairs_are_single_and_both_shares_vary():
    single = square_and_add(alone(8, 4, 40))
    size = np.ones(41, int)
    size[-1] = 0  # an instance without a pair: they are no longer all single
    padded = Clustered(np.arange(41) < 8, (np.arange(41) >= 8) & (np.arange(41) < 12), size)
    apart = square_and_add(padded)
    assert apart[0] < single[0] < single[1] < apart[1]
    assert square_and_add(alone(8, 0, 40)) == pytest.approx(
        square_and_add(Clustered(np.arange(41) < 8, np.zeros(41, bool), size))
    )


@pytest.mark.parametrize("size", [np.full(40, 4), PAPER, np.full(60, 2)])
def test_a_difference_in_steps_covers_even_where_every_pair_moves_through_all_of_them(size):
    pairs = blind(size, 0.1, fault_rate=0.3)
    full = Clustered(2 * pairs.gain, 2 * pairs.loss, 2 * pairs.size, 0.5)
    assert max(missed(full, 0.2)) <= 0.04
    narrow, wide = (np.mean(np.subtract(*square_and_add(one)[::-1])) for one in (full, pairs))
    assert narrow < wide
