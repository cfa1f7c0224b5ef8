"""How often the intervals over types and over passes cover, counted now and as committed."""

import json
from dataclasses import asdict
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.simulation.pass_effects import pass_cells, pass_counts
from faultpair.analysis.simulation.tables import LEAST_STEPS
from faultpair.analysis.simulation.type_effects import (
    TYPE_KINDS,
    TYPES_OF,
    TypeEffects,
    type_cells,
    type_counts,
)

RESULTS = Path(__file__).resolve().parents[3] / "results"


@pytest.fixture(scope="module")
def counts():
    return json.loads((RESULTS / "validity" / "counts.json").read_text(encoding="utf-8"))


def cells_of(counts, kind):
    place = TYPE_KINDS.index(kind)
    return [(cell, cell["counts"][place]) for cell in counts["types"] if cell["counts"][place]]


def test_types_are_drawn_with_the_mean_and_the_spread_of_their_cell():
    level = (np.arange(100_000) + 0.5) / 100_000
    for cell in type_cells():
        delta = cell.delta_at(level)
        assert -cell.base_rate <= delta.min() <= delta.max() <= 1 - cell.base_rate
        is_cut = abs(cell.mean) + 3 * cell.sd > 1 - cell.base_rate
        if cell.effects is TypeEffects.FIXED:
            assert set(np.round(delta + cell.base_rate, 9)) <= {0.0, 1.0}
            assert delta.mean() == pytest.approx(cell.mean, abs=0.001)
        elif not is_cut and cell.effects is TypeEffects.GROUPS:
            assert (delta.mean(), delta.std()) == pytest.approx((cell.mean, cell.sd), abs=0.001)


@pytest.mark.parametrize("name", TYPES_OF)
def test_the_shapes_of_committed_studies_have_their_number_of_types(name):
    runs = load_study(RESULTS / name).runs
    planted = set(runs.failure_type.codes[runs.faulty].tolist())
    assert len(planted) == TYPES_OF[name]


def test_every_shape_meets_all_effects_and_all_ways_to_be_steady():
    types, passes = type_cells(), pass_cells()
    assert len({(c.shape, c.instances, c.types, c.effects) for c in types}) * 2 == len(types)
    assert len(set(passes)) == len(passes)
    assert {c.types for c in types} >= {5, 10, 20, 40}
    assert {c.passes for c in passes} == {2, 3, 5, 10}


def test_the_committed_counts_are_of_the_cells_there_are(counts):
    assert counts["simulations"]["types"] >= 2000
    assert counts["simulations"]["passes"] >= 2000
    for section, cells in (("types", type_cells()), ("passes", pass_cells())):
        places = [{k: v for k, v in one.items() if k != "counts"} for one in counts[section]]
        assert places == [asdict(cell) for cell in cells]


@pytest.mark.parametrize("kind", TYPE_KINDS)
def test_every_interval_over_types_covers_on_both_sides_in_every_committed_cell(counts, kind):
    found = cells_of(counts, kind)
    assert len(found) >= 40
    for cell, (n, above, below, *_) in found:
        assert 1 - (above + below) / n >= 0.93, cell
        assert max(above, below) / n <= 0.04, cell


def test_delta_over_passes_covers_on_both_sides_in_every_committed_cell(counts):
    found = [(cell, cell["counts"]) for cell in counts["passes"] if cell["counts"]]
    for cell, (n, above, below, *_) in found:
        assert 1 - (above + below) / n >= 0.93, cell
        assert max(above, below) / n <= 0.04, cell


def test_shrunken_delta_and_that_over_passes_are_as_wide_as_they_need_be(counts):
    """Not counted: where the estimates vary by a few steps, in which no interval can be near."""
    shrunken = [tally for _, tally in cells_of(counts, "shrunken Δ of types")]
    for tallies in (shrunken, [cell["counts"] for cell in counts["passes"] if cell["counts"]]):
        wide = [t[4] / t[5] for t in tallies if t[5] and t[6] >= LEAST_STEPS]
        assert len(wide) >= 15
        assert median(wide) <= 1.25


def test_shapes_of_too_few_instances_or_types_are_refused(counts):
    for cell in counts["types"]:
        shrunken, spread, _, new = cell["counts"]
        assert (shrunken is None) == (cell["shape"] == "noise")
        assert (spread is None) == (cell["instances"] < 20)
        assert (new is None) == (cell["types"] < 12)


def test_a_committed_cell_of_each_is_what_the_code_counts_today(counts):
    place = next(i for i, cell in enumerate(type_cells()) if cell.shape == "4 each")
    found = type_counts(type_cells()[place], counts["simulations"]["types"])
    assert found == counts["types"][place]["counts"]
    found = pass_counts(pass_cells()[0], counts["simulations"]["passes"])
    assert found == counts["passes"][0]["counts"]
