"""Constant judges: the floors of alignment."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faultpair.analysis.plans.alignment.cells import tally
from faultpair.analysis.plans.alignment.constant_judges import constant_judge_cells
from faultpair.analysis.plans.alignment.marginals import marginal_means
from faultpair.analysis.plans.alignment.match_score import match
from faultpair.analysis.plans.alignment.record_bootstrap import Resample
from faultpair.judges.baselines import CONSTANT_GRADES

from .conftest import grid_of, row


@settings(max_examples=30)
@given(st.lists(st.tuples(*[st.integers(0, 6)] * 4), min_size=1, max_size=8))
def test_constant_judges_reach_the_closed_form(sixths):
    says = {"always 1": 1, "always 0.5": 0.5, "always 0": 0}
    rows = [
        row([x / 6 for x in p], v, record=f"r{number}", judge=judge)
        for number, p in enumerate(sixths)
        for judge, v in says.items()
    ]
    grid = grid_of(rows)
    resample = Resample.of(grid, 5)
    judged = marginal_means(tally(grid, match(grid.reference, grid.verdict), resample), ("judge",))
    floors = marginal_means(constant_judge_cells(grid, resample), ("judge",))
    for judge in says:
        assert judged[judge,].values == pytest.approx(floors[judge,].values, nan_ok=True)
    # Every verdict equally often is what drawing at random gives in expectation.
    mean = np.mean([judged[judge,].values[0] for judge in says])
    assert floors["random",].values[0] == pytest.approx(mean, abs=1e-9)
    assert floors["random",].values[0] >= 0.5
    assert {key for (key,) in floors} == set(CONSTANT_GRADES)
