"""How often the intervals of silent judges and of adjusted Δ cover, in the committed counts."""

import json
from pathlib import Path
from statistics import median

import pytest

from faultpair.analysis.simulation.design import study_cells
from faultpair.analysis.simulation.sections import TIMES
from faultpair.analysis.simulation.silence import KINDS, silence_counts

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def counts():
    text = (ROOT / "results" / "validity" / "counts.json").read_text(encoding="utf-8")
    return json.loads(text)


def of_kind(counts, kind):
    place = list(KINDS).index(kind)
    cells = ((cell, cell["counts"][place]) for cell in counts["silence"])
    return [(cell, tally) for cell, tally in cells if tally is not None]


@pytest.mark.parametrize("kind", KINDS)
def test_every_interval_covers_on_both_sides_in_every_committed_cell(counts, kind):
    cells = of_kind(counts, kind)
    assert len(cells) > 400
    for cell, (n, above, below, *_) in cells:
        assert n >= 2000
        assert 1 - (above + below) / n >= 0.93, cell
        assert max(above, below) / n <= 0.04, cell


@pytest.mark.parametrize("kind", KINDS)
def test_no_interval_is_much_wider_than_it_need_be(counts, kind):
    wide = [width / own for _, (*_, width, own, _) in of_kind(counts, kind) if own]
    assert median(wide) <= 1.25


def test_no_interval_is_simulated_where_none_is_published():
    noise = next(cell for cell in study_cells() if cell.shape == "noise")
    assert silence_counts(noise, 20) == [None] * len(KINDS)


def test_a_committed_cell_is_what_the_code_counts_today(counts):
    assert silence_counts(study_cells()[0], TIMES * 2_000) == counts["silence"][0]["counts"]
