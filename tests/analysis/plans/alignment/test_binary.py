"""Verdicts collapsed to two values."""

import numpy as np

from faultpair.analysis.plans.alignment.binary import collapsed

from .conftest import numbers_in, row


def test_the_binary_collapse_goes_to_the_side_of_the_reference():
    reference, verdict = np.array([0.49, 0.5, 1, 0, 0.4]), np.array([0.5, 0.5, 0.5, 1, 0])
    assert collapsed(reference, verdict).tolist() == [0, 1, 1, 1, 0]


def test_a_judge_that_hedges_gains_by_the_collapse():
    rows = [row(1, 0.5, judge="hedger"), row(1, (1, 1, 1, 0), judge="bold")]
    numbers = numbers_in(rows)
    place = "condition=with-gt/judge="
    assert numbers[f"binary/gain/{place}hedger"].estimate == 0.5
    assert numbers[f"binary/collapsed/{place}bold"].estimate == 0.75
    assert numbers[f"half-rate/{place}hedger"].estimate == 1.0
    assert numbers["binary/spearman/condition=with-gt"].estimate is None  # two judges only
    assert numbers["floor/binary/condition=with-gt/judge=always 0.5"].estimate == 1.0


def test_under_the_collapse_the_constant_half_is_the_best_constant_judge():
    numbers = numbers_in([row((0.25, 0.5, 1, 0), 0.5)])
    place = "condition=with-gt/judge="
    hedging = numbers[f"floor/binary/{place}always 0.5"].estimate
    assert hedging == numbers[f"binary/collapsed/{place}a"].estimate == (0.75 + 0.5 + 1 + 1) / 4
    for other in ("always 0", "always 1", "random"):
        assert numbers[f"floor/binary/{place}{other}"].estimate < hedging
