"""Tables of alignment, of a small study."""

import pytest

from faultpair.analysis.plans.alignment.catalog import Setup, alignment_numbers, compute
from faultpair.analysis.tables.catalog import OF_ALIGNMENT, alignment_tables
from faultpair.analysis.tables.table import as_csv, as_markdown

from ..plans.alignment.conftest import grid_of, row, study_rows

SETUP = Setup(n_resamples=50, own={"a": "g"})


@pytest.fixture
def made():
    alignment = compute(grid_of(study_rows()), SETUP)
    return alignment, alignment_numbers(alignment)


def test_a_full_study_has_every_table_but_those_of_people(made):
    tables = alignment_tables(*made)
    assert len(tables) == len(OF_ALIGNMENT) - 2
    for table in tables.values():
        assert as_markdown(table).startswith(f"**{table.title}**")
        assert len({len(line.split("|")) for line in as_markdown(table).split("\n")[2:4]}) == 1
        assert as_csv(table).count("\n") >= len(table.rows) + 1


def test_floors_stand_below_the_judges_of_every_table_of_alignment(made):
    tables = alignment_tables(*made)
    for name in ("alignment", "alignment-cells", "alignment-by-metric", "alignment-by-topology"):
        rows = [cell for row in tables[name].rows for cell in row if isinstance(cell, str)]
        labels = [label for label in rows if label in "abc" or label.startswith("floor")]
        seven = ["a", "b", "c", *(f"floor: {f}" for f in ("always 1", "always 0.5", "always 0"))]
        assert labels[:7] == [*seven, "floor: random"]


def test_a_judge_of_one_tier_is_compared_with_the_floors_of_that_tier():
    rows = [row(1, 1, judge="a", tier=tier, record=tier) for tier in ("easy", "medium")]
    rows += [row(0, 1, judge=judge, tier="hard", record="hard") for judge in "ab"]
    alignment = compute(grid_of(rows), SETUP)
    table = alignment_tables(alignment, alignment_numbers(alignment))["alignment"]
    place = [column.title for column in table.columns].index("hard")
    hard = {cells[1]: cells[place].estimate for cells in table.rows}
    assert hard["b"] == hard["floor: always 1"] == 0
    assert hard["floor: always 0"] == 1
    assert table.rows[1][place - 1] is None


def test_one_judge_and_one_condition_leave_out_undefined_tables():
    alignment = compute(grid_of([row(1, 1)]), SETUP)
    tables = alignment_tables(alignment, alignment_numbers(alignment))
    assert {"alignment", "accuracy", "decision"} <= set(tables)
    assert not {"lift", "judge-agreement", "jury", "flips", "anchoring"} & set(tables)
    for table in tables.values():
        as_markdown(table)


def test_cases_that_are_not_shown_are_counted(made):
    table = alignment_tables(*made)["anchoring-cases"]
    total = int(made[0].anchors.found.sum())
    assert len(table.rows) == min(total, 50)
    assert table.notes == (f"{len(table.rows)} of {total} cases.",)
