"""Paired discrimination of every metric, on plans and grades that are written by hand."""

import numpy as np
import pytest

from faultpair.analysis.data.columns import Coded
from faultpair.analysis.plans.data import Plans
from faultpair.analysis.plans.graders import GraderPass
from faultpair.analysis.plans.metric_drops import (
    MetricDrops,
    PlanPairs,
    drop_numbers,
    resampled_drops,
)
from faultpair.analysis.plans.settings import PlanSettings
from faultpair.analysis.plans.specificity import specificity_numbers
from faultpair.judges.plan_metrics.metrics import METRICS

from ..conftest import named

NAN = [np.nan] * 4
ONES = [1.0, 1.0, 1.0, 1.0]

# Runs 0 to 3 are the clean plans of four records, run 4 + k has a fault or a control in run k.
PRINTED = [*[ONES] * 4, [1, 1, 0.5, 1], [1, 1, 0.5, 1], [1, 1, 1, 1], [1, 1, 0.75, 1]]
CORRECTED = [*[ONES] * 4, [1, 1, 0.5, 1], [1, 1, 0.5, 1], [1, 1, 1, 1], [1, 1, 1, 1]]
KINDS = ("swapped", "unseen", "harmless")


@pytest.fixture
def planted():
    kind = Coded(KINDS, np.array([0, 0, 1, 2]))
    rows, is_control = np.arange(4, 8), np.array([False, False, False, True])
    return PlanPairs(
        planted=rows,
        parent=np.arange(4),
        kind=kind,
        is_control=is_control,
        record=np.arange(4),
        n_records=4,
    )


@pytest.fixture
def plans():
    names = Coded(("n",), np.zeros(8, np.int64))
    record = Coded(("r0", "r1", "r2", "r3"), np.array([0, 1, 2, 3] * 2))
    references = {"printed": np.array(PRINTED, float), "corrected": np.array(CORRECTED, float)}
    return Plans(
        record=record,
        tier=names,
        topology=names,
        origin=names,
        references=references,
        values=np.zeros((0, 8, 4)),
        settings=PlanSettings(),
    )


FEW_RECORDS = "no interval: several runs for each record, and fewer than 10 records in effect"


def grader(values, *, meant=None, repeat=0):
    everywhere = np.ones(8, np.bool_)
    meant = everywhere if meant is None else np.array(meant)
    return GraderPass(
        judge="j",
        condition="with-gt",
        repeat=repeat,
        ids=("id",),
        meant=meant,
        judged=everywhere,
        values=np.array(values, float),
    )


def numbers_of(planted, plans, *graders):
    return named(drop_numbers(planted, plans, graders, 200))


def shown(numbers, kind, name, metric="sequence"):
    return numbers[f"pairs/{kind}/{name}/condition=with-gt/judge=j/metric={metric}"]


def test_delta_is_the_mean_drop_from_parent_to_planted_plan(planted, plans):
    grades = [
        *[[1, 1, 1, 0.5], [1, 0, 0.5, 1], ONES, ONES],
        *[[1, 0.5, 0, 1], [1, 1, 0.5, 0], [1, 1, 1, 0.5], [1, 1, 0.5, 1]],
    ]
    numbers = numbers_of(planted, plans, grader(grades))
    expected = {
        "swapped": (0.0, -0.25, 0.5, 0.25),  # means of (0, .5, 1, −.5) and (0, −1, 0, 1)
        "unseen": (0.0, 0.0, 0.0, 0.5),
        "harmless": (0.0, 0.0, 0.5, 0.0),
    }
    for kind, falls in expected.items():
        found = [shown(numbers, kind, "delta", metric).estimate for metric in METRICS]
        assert found == pytest.approx(falls)
        overall = shown(numbers, kind, "delta", "overall")
        assert overall.estimate == pytest.approx(sum(falls) / 4)
    delta = shown(numbers, "swapped", "delta")
    assert (delta.n, shown(numbers, "swapped", "n").estimate) == (2, 2)
    assert (delta.ci_low, delta.reason) == (None, FEW_RECORDS)


def test_the_references_stand_beside_it(planted, plans):
    numbers = numbers_of(planted, plans)
    for variant, falls in {"printed": (0.5, 0, 0.25), "corrected": (0.5, 0, 0)}.items():
        names = (f"pairs/{kind}/reference={variant}/metric=sequence" for kind in KINDS)
        assert [numbers[name].estimate for name in names] == pytest.approx(falls)


def test_a_pair_without_grades_on_a_side_is_dropped_and_bounds_what_could_be(planted, plans):
    grades = [ONES] * 4 + [[1, 1, 0.5, 1], NAN, ONES, NAN]
    numbers = numbers_of(planted, plans, grader(grades))
    assert shown(numbers, "swapped", "delta").estimate == 0.5
    assert shown(numbers, "swapped", "dropped").estimate == 1
    bounds = shown(numbers, "swapped", "bounds")
    # The lost grade is one of a planted plan whose parent has 1: its fall is from 0 to 1.
    assert (bounds.ci_low, bounds.estimate, bounds.ci_high) == (0.25, 0.5, 0.75)
    lost = shown(numbers, "harmless", "bounds")
    assert (lost.ci_low, lost.estimate, lost.ci_high) == (0.0, None, 1.0)
    assert shown(numbers, "harmless", "delta").reason == "no such pair was judged"


def test_plans_that_a_judge_was_not_to_grade_are_not_dropped(planted, plans):
    grades = [ONES] * 5 + [NAN] * 3
    meant = [True, False, False, False] * 2
    numbers = numbers_of(planted, plans, grader(grades, meant=meant))
    assert shown(numbers, "swapped", "dropped").estimate == 0
    assert (shown(numbers, "swapped", "dropped").n, shown(numbers, "swapped", "n").n) == (1, 1)
    assert shown(numbers, "unseen", "bounds").estimate is None


def test_only_the_first_pass_counts(planted, plans):
    first, second = grader([ONES] * 8), grader([ONES] * 4 + [[0, 0, 0, 0]] * 4, repeat=1)
    numbers = numbers_of(planted, plans, first, second)
    assert shown(numbers, "swapped", "delta").estimate == 0


def test_a_constant_drop_has_an_interval():
    drops = MetricDrops.of(np.zeros(30), np.arange(30), 30)
    found = drops.estimates(resampled_drops({("k",): drops}, 200)["k",])
    assert found["delta"].ci_low == pytest.approx(-found["delta"].ci_high)
    assert 0.05 < found["delta"].ci_high < 0.2
    assert found["p"].estimate == 1.0
    assert found["delta/percentile"].ci_low is None


def test_the_p_is_of_sign_flips_over_records():
    drops = MetricDrops.of(np.array([0.5] * 6), np.array([0, 0, 1, 1, 2, 2]), 3)
    found = drops.estimates(resampled_drops({("k",): drops}, 200)["k",])
    assert found["p"].estimate == 0.25  # two of the eight signs of three records are as extreme
    assert "records" in found["p"].method


def test_grades_between_the_steps_are_taken_to_thousandths():
    drops = MetricDrops.of(np.array([0.85 - 0.1, 0.3 - 0.2]), np.arange(2), 2)
    assert (drops.gain.tolist(), drops.size.tolist()) == ([750, 100], [1000, 1000])
    assert resampled_drops({("k",): drops}, 10)["k",].values[0] == pytest.approx(0.425)


def test_specificity_separates_harmed_metrics_from_the_others(planted, plans):
    lowers_all = [ONES] * 4 + [[0.5] * 4, [0.5] * 4, [0, 1, 1, 1], [1, 1, 0.5, 1]]
    numbers = named(specificity_numbers(planted, plans, [grader(lowers_all)], 200))

    def of(name, end="condition=with-gt/judge=j"):
        return numbers[f"aim/{name}/{end}"].estimate

    assert (of("harmed"), of("unharmed"), of("difference")) == (0.5, 0.5, 0.0)
    assert (of("beyond"), of("controls")) == (0.25, 0.125)
    assert of("harmed", "reference=corrected") == 0.5
    assert of("unharmed", "reference=corrected") == 0
    assert of("controls", "reference=printed") == 0.0625
