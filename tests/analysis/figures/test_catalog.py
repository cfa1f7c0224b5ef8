"""The figures of a study of plans."""

import importlib.util

import pytest

from faultpair.analysis.figures.catalog import plan_figures
from faultpair.analysis.plans.alignment.catalog import Setup, alignment_numbers, compute
from faultpair.analysis.plans.catalog import PlanResults

from ..plans.alignment.conftest import grid_of, study_rows

SETUP = Setup(n_resamples=50, own={"a": "g"})


@pytest.fixture
def made():
    alignment = compute(grid_of(study_rows()), SETUP)
    return alignment, alignment_numbers(alignment)


@pytest.mark.skipif(not importlib.util.find_spec("matplotlib"), reason="needs the extra 'figures'")
@pytest.mark.slow
def test_figures_draw_the_floor_and_are_the_same_bytes_each_time(made):
    alignment, numbers = made
    results = PlanResults((), (), (), alignment, numbers)
    figures = plan_figures(results)
    assert set(figures) == {"alignment-tiers", "alignment-metrics"}
    assert "floor: always 1" in figures["alignment-tiers"]
    assert figures == plan_figures(results)
