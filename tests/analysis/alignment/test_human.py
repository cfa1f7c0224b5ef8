"""The human study: what is drawn, how a filled file is read, and what follows from it."""

import csv
import io

import pytest

from analysis.alignment.grid import METRICS
from analysis.alignment.human import HEADING, read_human, sampled
from analysis.alignment.human_reference import second_reference
from analysis.alignment.numbers import Setup, alignment_numbers, compute
from env.errors import RecordError

from .conftest import grid_of, row


@pytest.fixture
def grid():
    """Thirty imperfect and four perfect plans of one topology, two imperfect of another."""
    kinds = [("linear", 0.5)] * 30 + [("linear", 1)] * 4 + [("fan_in", 2 / 3)] * 2
    return grid_of(
        [
            row((p, 1, 1, 1), 1, record=f"r{number:02d}", topology=topology, tier=tier, judge=judge)
            for number, (topology, p) in enumerate(kinds)
            for tier in ("easy", "hard")
            for judge in ("a", "b")
        ]
    )


def filled(grid, change=None):
    """The sample as lines of CSV, all agreed to; ``change`` edits the first row."""
    rows = [dict(one) for one in sampled(grid, 7).rows]
    for one in rows:
        one |= {f"{metric}_agrees": "yes" for metric in METRICS}
    rows[0] |= change or {}
    text = io.StringIO()
    writer = csv.DictWriter(text, HEADING)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().splitlines()


def test_the_sample_is_of_the_hard_tier_and_a_short_stratum_is_told(grid):
    sample = sampled(grid, 7)
    assert [one["tier"] for one in sample.rows] == ["hard"] * 20
    linear = [one for one in sample.rows if one["topology"] == "linear"]
    imperfect = [one for one in linear if one["tool_selection"] != "1"]
    assert (len(imperfect), len(linear)) == (14, 18)
    assert sample.shortfalls == (
        "fan_in: 2 imperfect plans, 14 wanted",
        "fan_in: 0 perfect plans, 6 wanted",
        "linear: 4 perfect plans, 6 wanted",
    )
    assert len({one["record"] for one in sample.rows}) == 20


def test_another_seed_draws_other_plans_and_the_same_seed_the_same(grid):
    assert sampled(grid, 7) == sampled(grid, 7)
    assert sampled(grid, 7) != sampled(grid, 8)


def test_people_s_values_become_a_second_reference(grid):
    change = {"tool_selection_agrees": "No", "tool_selection_value": "1"}
    rows = read_human(filled(grid, change), "human.csv")
    after = second_reference(grid, rows)
    assert len(after) == 40  # two judges
    first = after.record.names.index(rows[0].record)
    assert after.reference[after.record.codes == first].tolist() == [[1.0] * 4] * 2
    third = after.topology.where("fan_in") & (after.record.codes != first)
    assert (after.reference[third][:, 0] == 2 / 3).all()  # not the rounded value of the file
    numbers = alignment_numbers(compute(grid, Setup(n_resamples=20), human=rows))
    assert numbers["human/agrees/metric=tool_selection"].estimate == 19 / 20
    assert numbers["human/agrees"].estimate == 79 / 80
    assert numbers["human/agrees/topology=linear"].n == 72
    gained = numbers["human/difference/condition=with-gt/judge=a"].estimate
    assert gained == pytest.approx((1 - 2 / 3) / 80)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sequence_agrees": ""}, "human.csv, line 2: sequence_agrees is empty; write yes or no"),
        ({"sequence_agrees": "maybe"}, "line 2: sequence_agrees is 'maybe'"),
        ({"sequence_agrees": "no"}, "line 2: sequence_value is empty; write a number from 0 to 1"),
        (
            {"sequence_agrees": "no", "sequence_value": "7"},
            "line 2: sequence_value is '7'; write a number",
        ),
    ],
)
def test_errors_name_the_line(grid, change, words):
    with pytest.raises(RecordError, match=words):
        read_human(filled(grid, change), "human.csv")


def test_a_missing_column_and_a_plan_that_stands_twice_are_refused(grid):
    lines = filled(grid)
    with pytest.raises(RecordError, match="line 1: no column why"):
        read_human([lines[0].removesuffix(",why"), *lines[1:]], "human.csv")
    with pytest.raises(RecordError, match=r"line 22: this plan of .* stands twice"):
        read_human([*lines, lines[1]], "human.csv")


def test_a_plan_that_nobody_judged_is_refused(grid):
    rows = read_human(filled(grid, {"record": "r99"}), "human.csv")
    with pytest.raises(RecordError, match="names the record 'r99'"):
        second_reference(grid, rows)
    rows = read_human(filled(grid, {"tier": "medium"}), "human.csv")
    with pytest.raises(RecordError, match="at tier medium, which nobody judged"):
        second_reference(grid, rows)
