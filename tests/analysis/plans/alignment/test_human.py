"""The human study: what is drawn, how a filled file is read, and what follows from it."""

import csv
import io

import pytest

from faultpair.analysis.plans.alignment.catalog import Setup, alignment_numbers, compute
from faultpair.analysis.plans.alignment.human import HEADING, PlanName, read_human, sampled
from faultpair.analysis.plans.alignment.human_reference import plans_read, second_reference
from faultpair.env.errors import RecordError
from faultpair.judges.plan_metrics.metrics import METRICS

from ...conftest import named
from .conftest import grid_of, row

KINDS = [("fan_in", 2 / 3)] * 2 + [("linear", 0.5)] * 30 + [("linear", 1)] * 4
"""Thirty imperfect and four perfect plans of one topology, two imperfect of another."""


@pytest.fixture
def plans():
    return {
        PlanName(f"r{number:02d}", "g", tier, topology): (p, 1, 1, 1)
        for number, (topology, p) in enumerate(KINDS)
        for tier in ("easy", "hard")
    }


@pytest.fixture
def grid(plans):
    """The verdicts of two judges on them."""
    return grid_of(
        [
            row(
                values,
                1,
                record=plan.record,
                generator="g",
                topology=plan.topology,
                tier=plan.tier,
                judge=judge,
            )
            for plan, values in plans.items()
            for judge in ("a", "b")
        ]
    )


def numbers_in(grid, rows):
    return named(alignment_numbers(compute(grid, Setup(n_resamples=20), human=rows)))


def filled(plans, change=None):
    """The sample as lines of CSV, all agreed to; ``change`` edits the first row."""
    rows = [dict(one) for one in sampled(plans, 7, "hard").rows.values()]
    for one in rows:
        one |= {f"{metric}_agrees": "yes" for metric in METRICS}
    rows[0] |= change or {}
    text = io.StringIO()
    writer = csv.DictWriter(text, HEADING)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().splitlines()


def test_the_sample_is_of_one_tier_and_a_short_stratum_is_reported(plans):
    sample = sampled(plans, 7, "hard")
    rows = list(sample.rows.values())
    assert [one["tier"] for one in rows] == ["hard"] * 20
    linear = [one for one in rows if one["topology"] == "linear"]
    imperfect = [one for one in linear if one["tool_selection"] != "1"]
    assert (len(imperfect), len(linear)) == (14, 18)
    assert sample.shortfalls == (
        "fan_in: 2 imperfect plans, 14 wanted",
        "fan_in: 0 perfect plans, 6 wanted",
        "linear: 4 perfect plans, 6 wanted",
    )
    assert len({one["record"] for one in rows}) == 20


def test_another_seed_draws_other_plans_and_the_same_seed_the_same(plans):
    assert sampled(plans, 7, "hard") == sampled(plans, 7, "hard")
    assert sampled(plans, 7, "hard") != sampled(plans, 8, "hard")


def test_people_s_values_become_a_second_reference(plans, grid):
    change = {"tool_selection_agrees": "No", "tool_selection_value": "1"}
    rows = read_human(filled(plans, change), "human.csv", plans)
    after = second_reference(grid, rows)
    assert len(after) == 40  # two judges
    first = after.record.names.index(rows[0].plan.record)
    assert after.reference[after.record.codes == first].tolist() == [[1.0] * 4] * 2
    third = after.topology.where("fan_in") & (after.record.codes != first)
    assert (after.reference[third][:, 0] == 2 / 3).all()  # not the rounded value of the file
    numbers = numbers_in(grid, rows)
    assert numbers["human/agrees/metric=tool_selection"].estimate == 19 / 20
    assert numbers["human/agrees"].estimate == 79 / 80
    assert numbers["human/agrees/topology=linear"].n == 72
    gained = numbers["human/difference/condition=with-gt/judge=a"].estimate
    assert gained == pytest.approx((1 - 2 / 3) / 80)


def test_plans_without_verdicts_count_only_for_agreement(plans, grid):
    rows = read_human(filled(plans), "human.csv", plans)
    judged = grid.take(grid.topology.where("fan_in"))
    assert len(plans_read(judged, rows)) == 4
    numbers = numbers_in(judged, rows)
    assert numbers["human/agrees"].n == 80
    assert numbers["human/people/condition=with-gt/judge=a"].n == 2
    easy = grid.take(grid.tier.where("easy"))
    numbers = numbers_in(easy, rows)
    assert [name for name in numbers if name.startswith("human/")][-1].startswith("human/agrees/")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sequence_agrees": ""}, "sequence_agrees is empty; write yes or no"),
        ({"sequence_agrees": "Maybe"}, "sequence_agrees is 'Maybe'"),
        ({"sequence_agrees": "no"}, "sequence_value is empty; write a number from 0 to 1"),
        ({"sequence_agrees": "no", "sequence_value": "7"}, "sequence_value is '7'; write a number"),
        ({"sequence": "0.5"}, "sequence is 0.5 here, but the plan of this study has 1"),
        ({"record": "r99"}, "r99 by g at tier hard, fan_in, is no plan of this study"),
        ({"topology": "linear"}, "at tier hard, linear, is no plan of this study"),
    ],
)
def test_errors_name_the_line(plans, change, words):
    with pytest.raises(RecordError) as raised:
        read_human(filled(plans, change), "human.csv", plans)
    assert str(raised.value).startswith("human.csv, line 2 (row 2): ")
    assert words in str(raised.value)


def test_a_missing_column_and_a_duplicate_plan_are_refused(plans):
    lines = filled(plans)
    with pytest.raises(RecordError, match=r"line 1 \(row 1\): no column why"):
        read_human([lines[0].removesuffix(",why"), *lines[1:]], "human.csv", plans)
    with pytest.raises(RecordError, match="save it with commas between them"):
        read_human([line.replace(",", ";") for line in lines], "human.csv", plans)
    with pytest.raises(RecordError, match=r"line 1 .* no column record"):
        read_human([], "human.csv", plans)
    with pytest.raises(RecordError, match=r"line 22 \(row 22\): .* occurs twice; keep one row"):
        read_human([*lines, lines[1]], "human.csv", plans)


def test_columns_of_ones_own_rows_without_a_word_and_cells_of_several_lines_do_no_harm(plans):
    lines = filled(plans)
    more = [f"{lines[0]},note\r\n", f'{lines[1]},"one\n', 'two"\r\n', f"{',' * 17}\r\n", "\n"]
    rest = [f"{line}\n" for line in lines[2:]]
    assert len(read_human([*more, *rest], "human.csv", plans)) == 20
    with pytest.raises(RecordError, match=r"line 25 \(row 24\)"):
        read_human([*more, *rest, f"{lines[1]}\n"], "human.csv", plans)
