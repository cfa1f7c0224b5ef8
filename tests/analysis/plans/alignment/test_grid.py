"""A grid that does not hold together is refused."""

import numpy as np
import pytest

from faultpair.analysis.plans.alignment.grid import checked
from faultpair.env.errors import RecordError

from .conftest import grid_of, row


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([row(1, 1), row(1, 0)], "record r1, generator g, .* repeat 0: judged twice"),
        ([row(1, 1.5)], "the verdict is .* in \\[0, 1\\]"),
        ([row(float("nan"), 1)], "the reference is"),
        ([row(1, 1), row(0, 1, judge="b")], "its plan has another reference"),
        (
            [row(1, 1), row(1, 1, judge="b", topology="fan_in")],
            "its record has another topology",
        ),
    ],
)
def test_a_grid_that_does_not_hold_together_is_refused_with_its_row(rows, words):
    with pytest.raises(RecordError, match=words):
        checked(grid_of(rows))


def test_an_empty_grid_is_refused():
    with pytest.raises(RecordError, match="nothing to align"):
        checked(grid_of([row(1, 1)]).take(np.array([], dtype=np.int64)))
