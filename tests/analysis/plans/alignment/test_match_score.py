"""The match score of a verdict, and bias."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from faultpair.analysis.plans.alignment.marginals import marginal_means
from faultpair.analysis.plans.alignment.match_score import SCALE, bias, match

from .conftest import LEVELS, cells_of, grid_of, observed, row


@settings(max_examples=30)
@given(st.lists(st.tuples(*[st.sampled_from(LEVELS)] * 4), min_size=1, max_size=8))
def test_a_judge_equal_to_the_reference_aligns_fully_and_leans_nowhere(values):
    grid = grid_of([row(p, p, record=f"r{number}") for number, p in enumerate(values)])
    assert observed(marginal_means(cells_of(grid), ("judge",)))["a",] == 1.0
    assert not bias(grid.reference, grid.verdict).any()


def test_thirds_add_up_without_rounding():
    third = np.array([[1 / 3, 2 / 3, 1.0, 0.0]])
    assert match(third, np.zeros((1, 4))).sum() == 2 * SCALE
