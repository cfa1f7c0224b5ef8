"""The cells that are simulated: the committed studies as they are, and a design that covers."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.simulation.design import (
    COMMITTED,
    INSTANCES,
    RATES,
    SHAPES,
    Dependence,
    covering_cells,
    sizes_of,
    study_cells,
)

RESULTS = Path(__file__).resolve().parents[3] / "results"


@pytest.mark.parametrize("name", COMMITTED)
def test_the_shapes_of_committed_studies_are_those_of_their_pairs(name):
    study = load_study(RESULTS / name)
    size = np.bincount(study.runs.instance.codes[study.fault])
    if not len(study.fault):
        size = np.ones(int(study.runs.clean.sum()), int)
    assert Counter(size[size > 0].tolist()) == COMMITTED[name]


def test_about_three_hundred_cells_cover_every_pair_of_factors():
    cells = covering_cells()
    assert 300 <= len(cells) == len(set(cells)) <= 350
    shapes = {(cell.shape, cell.instances, cell.dependence) for cell in cells}
    rates = {(cell.base_rate, cell.delta, cell.dependence) for cell in cells}
    assert len(shapes) == len(SHAPES) * len(INSTANCES) * len(Dependence)
    assert len(rates) == len(RATES) * len(Dependence)
    assert all(0 <= cell.base_rate + cell.delta <= 1 for cell in cells)


def test_sizes_are_those_that_a_shape_names():
    for cell in (*covering_cells(), *study_cells()):
        size = sizes_of(cell)
        assert len(size) == cell.instances
        assert 1 <= size.min() <= size.max() <= 21
