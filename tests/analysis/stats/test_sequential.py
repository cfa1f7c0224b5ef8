"""The always-valid interval: whole laws, exact chances, and what a floor makes of it."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultpair.analysis.stats.sequential import (
    FRACTIONS,
    SHARES,
    TAIL,
    Region,
    Watched,
    always_valid,
    is_beyond,
)

LARGEST = 6
INSTANCES = st.lists(
    st.integers(1, LARGEST).flatmap(lambda k: st.tuples(st.integers(-k, k), st.just(k))),
    min_size=1,
    max_size=30,
)


def columns(instances):
    return tuple(np.array(part) for part in zip(*instances, strict=True))


def capital(instances, value, sign):
    """The capital, by its definition: one product a fraction."""
    grown = 0.0
    for fraction, share in zip(FRACTIONS, SHARES, strict=True):
        bets = (
            1 + fraction * sign * (total - value * size) / (LARGEST * (1 + sign * value))
            for total, size in instances
        )
        grown += share * math.prod(bets)
    return grown


@given(INSTANCES)
def test_the_capital_has_not_grown_forty_times_against_a_value_inside_and_has_outside(instances):
    low, high = always_valid(*columns(instances), largest=LARGEST)
    assert -1 <= low <= high <= 1
    for end, sign in ((low, 1), (high, -1)):
        inside, outside = end + sign * 1e-6, end - sign * 1e-6
        assert capital(instances, inside, sign) < 1 / TAIL
        if -1 < outside < 1:
            assert capital(instances, outside, sign) > (1 - 1e-3) / TAIL


@given(INSTANCES)
def test_the_interval_turns_with_the_sign(instances):
    total, size = columns(instances)
    low, high = always_valid(total, size, largest=LARGEST)
    turned = always_valid(-total, size, largest=LARGEST)
    assert turned == pytest.approx((-high, -low))


@given(INSTANCES, st.randoms())
def test_the_interval_ignores_the_order_of_what_came(instances, random):
    other = random.sample(instances, len(instances))
    one, two = (always_valid(*columns(some), largest=LARGEST) for some in (instances, other))
    assert one == pytest.approx(two, abs=1e-9)


def test_the_shares_are_a_whole_capital_and_no_bet_can_lose_it():
    assert SHARES.sum() == pytest.approx(1)
    assert FRACTIONS.min() > 0
    assert FRACTIONS.max() < 1


def test_before_the_first_instance_everything_is_possible():
    assert always_valid(np.zeros(0), np.zeros(0), largest=3) == (-1.0, 1.0)


@pytest.mark.parametrize("hit", [0.2, 0.5])
def test_the_exact_chance_of_a_capital_above_a_bound_is_at_most_one_in_the_bound(hit):
    """All sequences of eight instances of one pair with Δ = hit: Ville's bound at a tail of .4."""
    paths = np.array(list(product((0, 1), repeat=8)))
    chance = hit ** paths.sum(axis=1) * (1 - hit) ** (8 - paths.sum(axis=1))
    for sign in (1, -1):
        beyond = is_beyond(paths, np.ones_like(paths), hit, sign, largest=1, tail=0.4).any(axis=1)
        assert 0 < chance[beyond].sum() <= 0.4


@pytest.mark.parametrize("by_instance", [False, True])
@pytest.mark.parametrize("floor", [0.1, 0.3])
def test_a_watched_sequence_is_clear_where_the_interval_leaves_the_floor(by_instance, floor):
    draws = np.random.default_rng(5)
    sizes = draws.integers(1, LARGEST, 200, endpoint=True)
    for rate in (0.0, 0.7):
        totals = draws.binomial(sizes, rate)
        watched = Watched(region=Region(floor), largest=LARGEST, by_instance=by_instance)
        steps = map(watched.add, totals.tolist(), sizes.tolist())
        place, reached = next((n, one) for n, one in enumerate(steps, 1) if one is not None)
        k = sizes if by_instance else 1
        some = (totals / k)[:place], (sizes / k)[:place]
        ends = always_valid(*some, largest=1 if by_instance else LARGEST)
        assert (reached.low, reached.high) == ends
        assert reached.instances == place
        assert reached.estimate == pytest.approx(some[0].sum() / some[1].sum())
        assert reached.passed == (ends[0] > floor) != (ends[1] < floor)
        before = always_valid(*(part[:-1] for part in some), largest=1 if by_instance else LARGEST)
        assert before[0] <= floor <= before[1]


def test_two_judges_that_agree_are_equivalent_and_one_that_is_blind_is_inferior():
    alike = Watched(region=Region(-0.2, 0.2), largest=3, steps=2)
    found = next(one for one in (alike.add(0, 3) for _ in range(500)) if one)
    assert found.passed
    assert -0.2 < found.low < 0 < found.high < 0.2
    worse = Watched(region=Region(least=-0.2), largest=3, steps=2)
    found = next(one for one in (worse.add(-3, 3) for _ in range(500)) if one)
    assert not found.passed
    assert found.high < -0.2
    assert found.estimate == -1


def test_a_difference_of_two_judges_may_be_two():
    watched = Watched(region=Region(least=0.5), largest=1, steps=2)
    found = next(one for one in (watched.add(2, 1) for _ in range(100)) if one)
    assert found.estimate == 2
    assert 0.5 < found.low < 2 == found.high


@pytest.mark.parametrize("by_instance", [False, True])
def test_a_delta_that_depends_on_the_size_of_an_instance_is_seldom_missed(by_instance):
    """The sizes are those of one set, in drawn orders; large instances are judged worse."""
    draws = np.random.default_rng(11)
    shape = np.repeat([1, 2, 4, 12], [60, 40, 20, 10])
    chance = 0.6 / np.sqrt(shape)
    size = np.stack([draws.permutation(shape) for _ in range(4_000)])
    total = draws.binomial(size, 0.6 / np.sqrt(size))
    weight = np.ones(len(shape)) if by_instance else shape
    true = float((weight * chance).sum() / weight.sum())
    watched = (total / size, np.ones_like(size)) if by_instance else (total, size)
    for sign in (1, -1):
        missed = is_beyond(*watched, true, sign, largest=int(watched[1].max())).any(axis=1)
        assert missed.mean() <= TAIL + 2.5 * math.sqrt(TAIL * (1 - TAIL) / len(missed))
