"""Plans against the exact distribution of few pairs, and against what must hold of any plan."""

from itertools import product
from math import comb

import numpy as np
import pytest

from faultpair.analysis.stats.paired_difference import Clustered, interval
from faultpair.analysis.stats.planned_judge import Answers, PlannedJudge
from faultpair.analysis.stats.power import (
    false_alarm_bound,
    half_width,
    instances_needed,
    least_above_floor,
    least_delta,
    power_at,
)
from faultpair.analysis.stats.readings import Reading

JUDGE = PlannedJudge(0.05)
FRESH = PlannedJudge(0.05, Answers.FRESH)
UNEVEN = np.arange(60) % 4 + 1


def exact_power(n, delta, base_rate):
    """Return the chance of a low end above 0, over all numbers of gains and losses of n pairs."""
    gain, loss = (base_rate + delta) * (1 - base_rate), base_rate * (1 - base_rate - delta)
    power = 0.0
    for gains, losses in product(range(n + 1), repeat=2):
        rest = n - gains - losses
        if rest < 0:
            continue
        parts = (np.repeat([1, 0], [k, n - k]) for k in (gains, losses))
        pairs = Clustered(next(parts), next(parts)[::-1], np.ones(n, np.int64))
        if interval(pairs)[0] > 0:
            ways = comb(n, gains) * comb(n - gains, losses)
            power += ways * gain**gains * loss**losses * (1 - gain - loss) ** rest
    return power


@pytest.mark.parametrize(("n", "delta"), [(7, 0.85), (9, 0.7), (14, 0.5), (25, 0.35)])
def test_the_power_of_single_pairs_is_that_of_all_their_results(n, delta):
    expected = exact_power(n, delta, 0.05)
    assert 0.3 < expected < 0.95
    assert power_at(np.ones(n, np.int64), JUDGE, delta) == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize("answers", Answers)
def test_the_least_delta_has_four_fifths_power(answers):
    judge = PlannedJudge(0.2, answers)
    least = least_delta(UNEVEN, judge)
    assert power_at(UNEVEN, judge, least) == pytest.approx(0.8, abs=0.005)


def test_nothing_is_found_where_no_interval_is_published():
    sharing = np.full(8, 3)
    assert least_delta(sharing, JUDGE) is None
    assert half_width(sharing, JUDGE, 0.5) is None
    assert power_at(sharing, JUDGE, 0.95) == 0.0


def test_too_few_pairs_find_nothing():
    assert least_delta(np.ones(3, np.int64), JUDGE) is None
    assert least_delta(np.zeros(0, np.int64), JUDGE) is None


def test_a_shared_answer_costs_power_only_where_there_is_a_second_fault():
    assert least_delta(UNEVEN, JUDGE) > 1.1 * least_delta(UNEVEN, FRESH)
    alone = np.ones(50, np.int64)
    assert least_delta(alone, JUDGE) == least_delta(alone, FRESH)


def test_silence_costs_power_and_the_cautious_reading_costs_more():
    judged = PlannedJudge(0.05, abstains=0.2, reading=Reading.JUDGED)
    cautious = PlannedJudge(0.05, abstains=0.2)
    speaks, drops, fears = (least_delta(UNEVEN, judge) for judge in (JUDGE, judged, cautious))
    assert speaks < drops < fears


def test_a_judge_that_hardly_ever_speaks_is_never_found():
    for reading in (Reading.JUDGED, Reading.CAUTIOUS):
        assert least_delta(UNEVEN, PlannedJudge(0.05, abstains=0.99, reading=reading)) is None


def test_a_floor_is_found_above_itself_and_at_the_level_of_non_inferiority():
    low, high = (least_above_floor(UNEVEN, JUDGE, floor) for floor in (0.0, 0.3))
    assert high > 0.3 + low / 2
    assert low < least_delta(UNEVEN, JUDGE)  # 5 % on one side against 2.5 %
    assert least_above_floor(UNEVEN, PlannedJudge(0.5), 0.6) is None


def test_so_many_instances_have_the_half_width_that_was_wanted():
    size = instances_needed(UNEVEN, JUDGE, 0.08, 0.5)
    assert half_width(size, JUDGE, 0.5) == pytest.approx(0.08, rel=0.02)
    assert size.mean() == pytest.approx(UNEVEN.mean(), rel=0.05)


def test_many_instances_are_extrapolated_and_few_have_an_interval():
    narrow, wide = (instances_needed(UNEVEN, JUDGE, w, 0.5) for w in (0.01, 0.02))
    assert len(narrow) == pytest.approx(4 * len(wide), rel=0.02)
    assert half_width(instances_needed(np.full(3, 5), JUDGE, 0.9, 0.5), JUDGE, 0.5) is not None


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("n", [1, 20, 156])
def test_the_bound_of_clean_runs_without_a_flag_is_that_of_statsmodels(n):
    from statsmodels.stats.proportion import proportion_confint

    assert false_alarm_bound(n) == pytest.approx(proportion_confint(0, n, method="beta")[1])
    assert false_alarm_bound(0) == 1.0
