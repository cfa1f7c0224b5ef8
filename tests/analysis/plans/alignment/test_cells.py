"""The cells that judges share."""

from faultpair.analysis.plans.alignment.cells import shared

from .conftest import cells_of, grid_of, row


def test_judges_are_ranked_on_the_cells_they_share():
    rows = [
        row(1, 1, judge="a", tier="easy"),
        row(1, 0, judge="a", tier="hard"),
        row(1, 0.5, judge="b", tier="hard"),
    ]
    cells = cells_of(grid_of(rows))
    means = {judge: cells.values(own).mean() for judge, own in shared(cells).items()}
    assert means == {"a": 0.0, "b": 0.5}
    apart = cells_of(grid_of([rows[0], rows[2]]))
    assert shared(apart) == {}
