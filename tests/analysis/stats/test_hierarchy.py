"""Fault types as a sample, against closed forms, brute force and small simulations."""

import numpy as np
import pytest
from scipy.stats import ncx2

from faultpair.analysis.stats.clusters import FEW
from faultpair.analysis.stats.hierarchy import FEW_NEW, FEW_SPREAD, FEW_TYPES, types_as_a_sample
from faultpair.analysis.stats.type_ends import noncentral, shrunken, spread
from faultpair.analysis.stats.type_errors import TypeErrors, TypeSums


def crossed(instances, types, chance, seed=1, base_rate=0.0):
    """One fault of each type in each instance, flagged at the chance of its type."""
    rng = np.random.Generator(np.random.PCG64(seed))
    kind = np.tile(np.arange(types), instances)
    unit = np.repeat(np.arange(instances), types)
    parent = rng.random(instances) < base_rate
    fault = rng.random(len(kind)) < np.asarray(chance)[kind]
    return kind, unit, fault.astype(np.int64) - parent[unit]


def model(instances, types, chance, **options):
    return types_as_a_sample(*crossed(instances, types, chance, **options), types)


def test_the_mean_over_types_gives_each_type_the_same_weight():
    kind = np.repeat(np.arange(6), [60, 10, 10, 10, 10, 10])
    unit = np.arange(len(kind)) % 60
    found = types_as_a_sample(kind, unit, (kind == 0).astype(np.int64), 6)
    assert found.mean.estimate == pytest.approx(1 / 6)
    assert found.new.estimate == found.mean.estimate


def test_the_spread_is_that_of_types_without_their_errors():
    chance = np.tile([0.2, 0.8], 8)
    found = model(400, 16, chance)
    assert found.spread.estimate == pytest.approx(chance.std(ddof=1), abs=0.03)
    assert found.spread.ci_low < chance.std(ddof=1) < found.spread.ci_high


def test_types_alike_have_a_spread_that_may_be_none():
    found = model(200, 16, np.full(16, 0.4))
    assert found.spread.ci_low == 0
    assert found.spread.ci_high < 0.08


def test_the_variance_of_types_is_that_of_sums_over_instances():
    """One type alone: Σ (dᵢ − Δ)² / n² with the correction of n − 1, as few are drawn to others."""
    kind, unit, difference = crossed(200, 6, [0.5] * 6)
    errors = TypeErrors.of(TypeSums.of(kind, unit, difference))
    table = difference.reshape(200, 6)
    covariance = np.cov(table.T) / 200
    centre = np.eye(6) - 1 / 6
    assert errors.noise == pytest.approx(np.trace(centre @ covariance @ centre) / 5)
    assert errors.apart == pytest.approx(np.diag(covariance), rel=0.1)


def test_a_shrunken_delta_lies_between_its_own_and_the_mean_and_moves_more_if_it_is_uncertain():
    kind = np.concatenate([np.repeat(np.arange(5), 80), np.full(8, 5)])
    unit = np.concatenate([np.tile(np.arange(80), 5), np.arange(8)])
    hits = [8, 16, 24, 32, 64]
    difference = np.concatenate([np.arange(80) < h for h in hits] + [np.arange(8) < 7])
    found = types_as_a_sample(kind, unit, difference.astype(np.int64), 6)
    often, seldom = found.shrunken[4], found.shrunken[5]
    assert found.mean.estimate < often.estimate < 0.8
    assert found.mean.estimate < seldom.estimate < 7 / 8
    assert 7 / 8 - seldom.estimate > 3 * (0.8 - often.estimate)
    assert seldom.ci_high - seldom.ci_low > often.ci_high - often.ci_low


def test_on_average_over_types_shrunken_errors_are_smaller_than_plain_ones():
    chance = np.linspace(0.3, 0.5, 20)
    plain = drawn = 0.0
    for seed in range(20):
        kind, unit, difference = crossed(15, 20, chance, seed=seed)
        errors = TypeErrors.of(TypeSums.of(kind, unit, difference))
        plain += float(((errors.delta - chance) ** 2).sum())
        drawn += float(((shrunken(errors).value - chance) ** 2).sum())
    assert drawn < 0.6 * plain


def test_a_new_type_is_expected_where_types_are_and_beyond():
    chance = np.linspace(0.1, 0.9, 20)
    found = model(100, 20, chance)
    assert found.new.ci_low < 0.1
    assert found.new.ci_high > 0.9
    assert found.new.ci_low >= -1
    assert found.new.ci_high <= 1
    narrow = model(400, 20, np.full(20, 0.5))
    assert narrow.new.ci_high - narrow.new.ci_low < 0.25


def test_errors_that_types_share_move_the_mean_but_not_the_spread():
    apart, shared = (model(60, 12, np.full(12, 0.9), base_rate=rate) for rate in (0.0, 0.3))
    assert shared.spread.ci_low == 0
    assert shared.mean.ci_high - shared.mean.ci_low > apart.mean.ci_high - apart.mean.ci_low


def test_few_types_and_few_instances_are_refused_with_the_reason():
    few = model(50, 4, [0.5] * 4)
    assert (few.mean.estimate, few.mean.reason) == (None, FEW_TYPES)
    assert len(few.shrunken) == 4
    six = model(50, 6, [0.5] * 6)
    assert (six.new.ci_low, six.new.reason) == (None, FEW_NEW)
    assert six.mean.ci_low is not None
    ten = model(10, 12, [0.5] * 12)
    assert (ten.spread.ci_low, ten.spread.reason) == (None, FEW_SPREAD)
    assert ten.new.ci_low is not None
    small = model(9, 12, [0.5] * 12)
    assert {small.mean.reason, small.new.reason, small.spread.reason} == {FEW}
    assert {one.reason for one in small.shrunken} == {FEW}


def test_a_type_that_was_not_judged_has_no_number():
    found = types_as_a_sample(*crossed(50, 6, [0.5] * 6), 8)
    assert found.n_types == 6
    assert [one.estimate is None for one in found.shrunken] == [False] * 6 + [True] * 2


def test_the_order_of_pairs_and_the_names_of_instances_do_not_matter():
    kind, unit, difference = crossed(40, 12, np.linspace(0, 1, 12), base_rate=0.1)
    order = np.random.Generator(np.random.PCG64(2)).permutation(len(kind))
    other = types_as_a_sample(kind[order], 7 * unit[order] + 3, difference[order], 12)
    one = types_as_a_sample(kind, unit, difference, 12)
    for name in ("mean", "spread", "new"):
        found, again = getattr(one, name), getattr(other, name)
        ends = (again.estimate, again.ci_low, again.ci_high)
        assert (found.estimate, found.ci_low, found.ci_high) == pytest.approx(ends)


@pytest.mark.parametrize("free", [1.0, 5.0, 36.0])
@pytest.mark.parametrize("away", [0.0, 2.0, 30.0])
def test_the_noncentral_chance_is_that_of_scipy(free, away):
    for value in (0.5 * (free + away), free + away, 1.6 * (free + away)):
        found = float(noncentral(np.array(value), np.array(free), np.array(away)))
        assert found == pytest.approx(ncx2.cdf(value, free, away + 1e-12), abs=0.01)


def test_many_studies_at_once_are_each_as_it_is_alone():
    sums = [TypeSums.of(*crossed(30, 8, [0.1, 0.9] * 4, seed=s, base_rate=0.1)) for s in (1, 2)]
    gain, loss = (np.stack([getattr(one, side) for one in sums]) for side in ("gain", "loss"))
    both = TypeErrors.of(TypeSums(gain, loss, sums[0].size))
    for row, one in enumerate(sums):
        alone = TypeErrors.of(one)
        assert shrunken(both).low[row] == pytest.approx(shrunken(alone).low)
        assert spread(both).high[row] == pytest.approx(spread(alone).high)
