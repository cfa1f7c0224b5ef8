"""Δ over passes: its interval, the parts of its variance, and what more would buy."""

import numpy as np
import pytest

from faultpair.analysis.stats.clusters import FEW
from faultpair.analysis.stats.intervals import delta_estimate
from faultpair.analysis.stats.paired_difference import Clustered
from faultpair.analysis.stats.passes import NO_PASS, NO_SPLIT, delta_over_passes, more_of_either


def asked(passes, instances=20, faults=1, own=0.3, steady=False, seed=1):
    """Flags on faults at a chance, parents never; an instance is easy or hard."""
    rng = np.random.Generator(np.random.PCG64(seed))
    unit = np.repeat(np.arange(instances), faults)
    rows = 1 if steady else passes
    flags = (rng.random((rows, len(unit))) < own).astype(np.int64)
    return unit, np.repeat(flags, passes // rows, axis=0), instances


def test_one_pass_has_the_interval_of_one_pass_and_no_split():
    unit, difference, n = asked(1, faults=3)
    found = delta_over_passes(unit, difference, n)
    alone = delta_estimate(Clustered.of(unit, difference[0], n), "none")
    assert found.delta == alone
    assert (found.judge_sd.estimate, found.judge_sd.reason) == (None, NO_PASS)


def test_delta_over_passes_is_their_mean_and_counts_pairs():
    unit, difference, n = asked(4, faults=2)
    found = delta_over_passes(unit, difference, n).delta
    assert found.estimate == pytest.approx(difference.mean())
    assert found.n == 40


def test_further_passes_of_a_judge_that_tosses_narrow_the_interval_and_those_of_a_steady_do_not():
    ends = {}
    for steady in (False, True):
        for passes in (1, 9):
            found = delta_over_passes(*asked(passes, instances=60, steady=steady)).delta
            ends[steady, passes] = found.ci_high - found.ci_low
    assert ends[False, 9] < 0.6 * ends[False, 1]
    assert ends[True, 9] > 0.95 * ends[True, 1]


def test_the_parts_of_the_variance_are_those_of_a_judge_that_is_known():
    """Instances are easy (.9) or hard (.1): of one pass, .09/n by the judge and .16/n by them."""
    rng = np.random.Generator(np.random.PCG64(3))
    judge = instance = 0.0
    for _ in range(300):
        chance = np.where(rng.random(50) < 0.5, 0.9, 0.1)
        flags = (rng.random((4, 50)) < chance).astype(np.int64)
        found = delta_over_passes(np.arange(50), flags, 50)
        judge += found.judge_sd.estimate**2 / 300
        instance += found.instance_sd.estimate**2 / 300
    assert judge == pytest.approx(0.09 / 50, rel=0.05)
    assert instance == pytest.approx(0.16 / 50, rel=0.05)


def test_the_expected_standard_error_is_the_spread_of_further_studies():
    """With a pass more, over many studies of five passes, and with all of one instance more."""
    rng = np.random.Generator(np.random.PCG64(4))

    def study(passes, instances):
        chance = np.where(rng.random(instances) < 0.5, 0.7, 0.3)
        return (rng.random((passes, instances)) < chance).astype(np.int64)

    expected = np.array(
        [
            [one.error.estimate, one.one_more_pass.estimate, one.one_more_instance.estimate]
            for one in (delta_over_passes(np.arange(20), study(2, 20), 20) for _ in range(400))
        ]
    )
    for place, shape in enumerate([(2, 20), (3, 20), (2, 21)]):
        spread = np.std([study(*shape).mean() for _ in range(4000)])
        assert np.sqrt((expected[:, place] ** 2).mean()) == pytest.approx(spread, rel=0.06)


def test_for_as_many_calls_instances_buy_at_least_as_much_as_passes():
    for judge, instance in ((0.04, 0.0), (0.04, 0.01), (0.0, 0.01)):
        now, one_pass, _ = more_of_either(judge, instance, 4, 100)
        same_calls = now * 100 / 125  # a pass of 100 instances asks as much as 25 do in 4 passes
        assert same_calls <= one_pass + 1e-12


def test_few_instances_have_neither_interval_nor_below_five_a_split():
    found = delta_over_passes(*asked(3, instances=9))
    assert (found.delta.ci_low, found.delta.reason) == (None, FEW)
    assert found.judge_sd.estimate is not None
    assert delta_over_passes(*asked(3, instances=4)).error.reason == NO_SPLIT


def test_no_pair_has_no_number():
    nothing = np.zeros((2, 0), np.int64)
    assert delta_over_passes(np.zeros(0, np.int64), nothing, 3).delta.estimate is None
