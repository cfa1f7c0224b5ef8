"""Decline from tier to tier, and its ratio between conditions."""

import numpy as np
import pytest

from faultpair.analysis.plans.alignment.decline import FLAT, loss_a_tier, slope_ratio
from faultpair.analysis.stats.bootstrap import Replicates
from faultpair.analysis.stats.intervals import from_replicates

from .conftest import TIERS, numbers_in, row


def curve(values, **names):
    return [row(1, v, tier=tier, **names) for tier, v in zip(TIERS, values, strict=True)]


def test_slopes_their_ratio_and_strict_decline():
    rows = curve((1, 0.9, 0.8)) + curve((1, 0.7, 0.7), condition="without-gt")
    numbers = numbers_in(rows)
    pair = "judge=a/generator=g"
    assert numbers[f"declines/condition=with-gt/{pair}"].estimate == 1
    assert numbers[f"declines/condition=without-gt/{pair}"].estimate == 0
    assert numbers[f"slope/condition=with-gt/{pair}"].estimate == pytest.approx(0.1)
    assert numbers["slope/condition=without-gt"].estimate == pytest.approx(0.15)
    assert numbers["slope-ratio/judge=a"].estimate == pytest.approx(1.5)
    assert numbers["declines/condition=with-gt"].n == 1


@pytest.mark.parametrize("shown", [(1, 1, 1), (0.7, 0.8, 0.9)])
def test_a_ratio_over_no_loss_is_undefined_with_a_reason(shown):
    rows = curve(shown) + curve((1, 0.5, 0), condition="without-gt")
    ratio = numbers_in(rows)["slope-ratio"]
    assert ratio.estimate is None
    assert ratio.reason == f"the loss a tier with ground truth is below {FLAT}"


def test_pairs_judged_on_other_tiers_have_no_part_in_the_ratio():
    rows = [*curve((1, 0.9, 0.8)), row(1, 0.5, tier="hard", condition="without-gt")]
    assert numbers_in(rows)["slope-ratio"].reason == "nobody judged two tiers there"


def test_a_denominator_that_changes_its_sign_leaves_no_interval():
    steep = Replicates(np.full(101, 0.2), 5, "")
    wavering = Replicates(np.concatenate(([0.1], np.linspace(-0.1, 0.1, 100))), 5, "")
    number = from_replicates(slope_ratio(wavering, steep), "bootstrap")
    assert number.estimate == pytest.approx(2)
    assert (number.ci_low, number.reason) == (None, "no interval: undefined in many resamples")


def test_the_loss_a_tier_is_that_of_least_squares():
    values = np.array([[0.9, 0.85, 0.5, 0.3]])
    slope = np.polyfit(np.arange(4), values[0], 1)[0]
    assert loss_a_tier(np.arange(4), values) == pytest.approx(-slope)
