"""The flags of a judge that is planned for."""

import numpy as np
import pytest

from faultpair.analysis.stats.planned_judge import Answers, Draws, PlannedJudge
from faultpair.analysis.stats.readings import Reading

SIZE = np.array([2, 1, 4, 3] * 10)


def drawn(delta=0.4, studies=2000, **judge):
    return Draws.of(SIZE, PlannedJudge(0.2, **judge), studies).pairs(delta)


@pytest.mark.parametrize("answers", Answers)
def test_its_mean_difference_is_the_delta_planned_for(answers):
    pairs = drawn(answers=answers)
    assert pairs.total.sum() / pairs.size.sum() / 2000 == pytest.approx(0.4, abs=0.01)


def test_one_answer_flags_all_faults_of_an_instance_or_none():
    pairs = drawn(answers=Answers.ONE)
    assert set(np.unique(pairs.gain[:, pairs.size == 4])) == {0, 4}
    assert len(np.unique(drawn(answers=Answers.FRESH).gain[:, pairs.size == 4])) == 5


def test_a_higher_delta_flags_the_same_faults_and_more():
    draws = Draws.of(SIZE, PlannedJudge(0.2), 200)
    assert (draws.pairs(0.5).total >= draws.pairs(0.3).total).all()
    assert (draws.first(20).pairs(0.3).gain == draws.pairs(0.3).gain[:20]).all()


def test_silence_misses_faults_and_flags_parents_in_the_cautious_reading():
    pairs = drawn(abstains=0.3)
    expected = 0.6 * 0.7 - (0.2 * 0.7 + 0.3)
    assert pairs.total.sum() / pairs.size.sum() / 2000 == pytest.approx(expected, abs=0.01)


def test_silence_flags_nothing_in_the_reading_of_a_gate():
    pairs = drawn(abstains=0.3, reading=Reading.GATE)
    assert pairs.total.sum() / pairs.size.sum() / 2000 == pytest.approx(0.4 * 0.7, abs=0.01)


def test_silence_takes_pairs_out_of_the_judged():
    pairs = drawn(abstains=0.3, reading=Reading.JUDGED)
    assert pairs.total.sum() / pairs.size.sum() == pytest.approx(0.4, abs=0.01)
    assert pairs.size.sum() / 2000 / SIZE.sum() == pytest.approx(0.7**2, abs=0.01)
    assert (pairs.gain + pairs.loss <= pairs.size).all()
