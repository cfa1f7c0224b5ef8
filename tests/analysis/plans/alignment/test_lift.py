"""Lift: the difference between two conditions."""

from faultpair.analysis.plans.alignment.lift import lifts

from .conftest import cells_of, grid_of, numbers_in, row


def test_lift_runs_over_the_cells_judged_under_both_conditions_only():
    rows = [
        row(1, 1, tier="easy"),
        row(1, 0, tier="hard"),
        row(1, 0.5, tier="hard", condition="without-gt"),
        row(1, 0.25, tier="hard", condition="corrupted-gt"),
    ]
    numbers = numbers_in(rows)
    assert numbers["lift/judge=a"].estimate == -0.5
    assert numbers["corrupted-minus-with/judge=a/tier=hard"].estimate == 0.25
    assert numbers["corrupted-minus-without/judge=a/tier=hard"].estimate == -0.25
    assert "lift/judge=a/tier=easy" not in numbers


def test_no_condition_in_common_gives_no_lift():
    assert lifts(cells_of(grid_of([row(1, 1)])), "with-gt", "without-gt") == {}
