"""Means over cells, plans and topologies, counted by hand."""

import pytest

from faultpair.analysis.plans.alignment.cells import Weighting
from faultpair.analysis.plans.alignment.marginals import marginal_means

from .conftest import cells_of, grid_of, observed, row


def test_the_paper_s_worked_example_aligns_five_sixths():
    """AgentJudgeBench, appendix I: p = (1, 1, 1/3, 1), all verdicts 1."""
    cells = cells_of(grid_of([row((1, 1, 1 / 3, 1), 1)]))
    by_metric = observed(marginal_means(cells, ("metric",)))
    assert by_metric["sequence",] == pytest.approx(1 / 3)
    assert observed(marginal_means(cells, ()))[()] == pytest.approx(5 / 6)


def test_means_over_cells_over_plans_and_over_topologies_differ_as_they_should():
    rows = [
        row(1, 1, record="r1", generator="g"),
        row(1, 1, record="r2", generator="g", topology="fan_in"),
        row(1, 0, record="r3", generator="g", topology="fan_in"),
        row(1, 0, record="r1", generator="h"),
    ]
    cells = cells_of(grid_of(rows))

    def mean(weighting):
        return observed(marginal_means(cells, ("judge",), weighting=weighting))["a",]

    assert mean(Weighting.CELLS) == pytest.approx((2 / 3 + 0) / 2)
    assert mean(Weighting.COUNTS) == pytest.approx(2 / 4)
    # Linear: cells 1 and 0. Fan-in: one cell, one half.
    assert mean(Weighting.TOPOLOGIES) == pytest.approx((1 / 2 + 1 / 2) / 2)
    by_topology = observed(marginal_means(cells, ("generator", "topology")))
    assert by_topology == {("g", "fan_in"): 0.5, ("g", "linear"): 1.0, ("h", "linear"): 0.0}


def test_without_metric_the_four_count_alike():
    cells = cells_of(grid_of([row(1, (1, 0, 0.5, 1))]))
    assert observed(marginal_means(cells, ()))[()] == pytest.approx((1 + 0 + 0.5 + 1) / 4)
