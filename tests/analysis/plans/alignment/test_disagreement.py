"""How often a judge differs from itself."""

from .conftest import numbers_in, row


def test_flips_count_the_plans_that_were_judged_twice():
    rows = [
        row(1, (1, 1, 0, 1), record="r1"),
        row(1, (1, 1, 0.5, 1), 1, record="r1"),
        row(1, 1, record="r2"),
        row(1, 1, 1, record="r2"),
        row(1, 1, record="r3"),
    ]
    numbers = numbers_in(rows)
    place = "flips/condition=with-gt/judge=a/metric="
    assert numbers[f"{place}sequence"].estimate == 0.5
    assert numbers[f"{place}tool_selection"].estimate == 0.0
    assert (numbers[f"{place}any"].estimate, numbers[f"{place}any"].n) == (0.5, 2)
    assert numbers["alignment/condition=with-gt/judge=a"].n == 3  # first passes
