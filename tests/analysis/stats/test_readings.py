"""The three readings of Δ where a judge says nothing of a run."""

import numpy as np
import pytest

from faultpair.analysis.stats.readings import NOT_ASKED, UNSCORED, Reading, differences

SIDES = [(f, p) for f in (1, 0, UNSCORED, NOT_ASKED) for p in (1, 0, UNSCORED, NOT_ASKED)]
FAULT, PARENT = (np.array(side) for side in zip(*SIDES, strict=True))


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        (Reading.JUDGED, [0, 1, None, None, -1, 0, None, None, *[None] * 8]),
        (Reading.CAUTIOUS, [0, 1, 0, None, -1, 0, -1, None, -1, 0, -1, *[None] * 5]),
        (Reading.GATE, [0, 1, 1, None, -1, 0, 0, None, -1, 0, 0, *[None] * 5]),
    ],
)
def test_a_silent_side_counts_as_its_reading_says(reading, expected):
    difference, rows = differences(FAULT, PARENT, reading)
    counted = [int(d) if r else None for d, r in zip(difference, rows, strict=True)]
    assert counted == expected
    assert not difference[~rows].any()


def test_silence_never_raises_the_cautious_delta():
    scored = np.array([1, 0])
    for fault, parent in [(f, p) for f in scored for p in scored]:
        before = differences(np.array([fault]), np.array([parent]), Reading.CAUTIOUS)[0]
        for pair in ((UNSCORED, parent), (fault, UNSCORED), (UNSCORED, UNSCORED)):
            after = differences(*(np.array([side]) for side in pair), Reading.CAUTIOUS)[0]
            assert after <= before


def test_of_equal_pages_that_are_both_unscored_the_difference_is_nothing():
    every = np.ones(len(SIDES), np.bool_)
    difference, rows = differences(FAULT, PARENT, Reading.CAUTIOUS, is_alike=every)
    apart, counted = differences(FAULT, PARENT, Reading.CAUTIOUS)
    place = SIDES.index((UNSCORED, UNSCORED))
    assert np.flatnonzero(difference != apart).tolist() == [place]
    assert difference[place] == 0
    assert rows.tolist() == counted.tolist()
