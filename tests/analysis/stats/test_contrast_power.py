"""Power of contrasts, against the sign flips that are published."""

import numpy as np
import pytest

from faultpair.analysis.stats.bootstrap import uniform
from faultpair.analysis.stats.contrast_power import (
    is_rejected,
    least_alarm_difference,
    least_difference,
)
from faultpair.analysis.stats.planned_judge import PlannedJudge
from faultpair.analysis.stats.tests import sign_flip

JUDGE = PlannedJudge(0.05)
SIZE = np.arange(60) % 3 + 1


def totals(studies, n, shift):
    number = uniform(studies * n, "test", "totals").reshape(studies, n)
    return np.floor(number * 5 - 2 + shift).astype(np.int64)


@pytest.mark.parametrize(("level", "shift"), [(0.05, 0.8), (0.01, 1.3)])
def test_with_few_instances_the_decision_is_that_of_all_signs(level, shift):
    total = totals(200, 9, shift)
    published = [sign_flip(row).estimate <= level for row in total]
    assert 20 < sum(published) < 180
    assert is_rejected(total, level).tolist() == published


def test_with_many_instances_the_decision_is_nearly_that_of_drawn_signs():
    total = totals(200, 60, 0.5)
    published = np.array([sign_flip(row).estimate <= 0.05 for row in total])
    assert 20 < published.sum() < 180
    assert (is_rejected(total, 0.05) != published).sum() <= 4


def test_no_instance_that_differs_is_no_rejection():
    assert not is_rejected(np.zeros((3, 20), np.int64), 0.05).any()


def test_a_difference_is_harder_to_find_in_fewer_instances_and_in_a_larger_family():
    least = least_difference(SIZE, JUDGE, 0.05)
    assert least < least_difference(SIZE[:30], JUDGE, 0.05)
    assert least < least_difference(SIZE, JUDGE, 0.01)


def test_what_can_never_be_significant_is_never_found():
    assert least_difference(np.ones(5, np.int64), JUDGE, 0.05) is None  # its least p is 1/16
    assert least_difference(np.zeros(0, np.int64), JUDGE, 0.05) is None
    assert least_alarm_difference(0, 0.05, 0.05) is None


def test_a_difference_of_false_alarms_is_found_in_four_of_five_studies():
    least = least_alarm_difference(80, 0.05, 0.05)
    one, other = (uniform(300 * 80, "test", side).reshape(300, 80) for side in ("one", "other"))
    total = (one < 0.05 + least).astype(np.int64) - (other < 0.05)
    found = np.mean([sign_flip(row).estimate <= 0.05 for row in total])
    assert found == pytest.approx(0.8, abs=0.07)
