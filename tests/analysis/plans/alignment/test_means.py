"""Match scores, means, lift and floors, counted by hand and as laws."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faultpair.analysis.plans.alignment.catalog import Setup, alignment_numbers, compute
from faultpair.analysis.plans.alignment.cells import EQUAL, Weighting, shared, tally
from faultpair.analysis.plans.alignment.constant_judges import (
    CONSTANT_JUDGES,
    constant_judge_cells,
)
from faultpair.analysis.plans.alignment.grid import checked
from faultpair.analysis.plans.alignment.lift import lifts
from faultpair.analysis.plans.alignment.marginals import marginal_means
from faultpair.analysis.plans.alignment.match_score import SCALE, bias, match
from faultpair.analysis.plans.alignment.record_bootstrap import Resample
from faultpair.env.errors import RecordError
from faultpair.judges.plan_metrics.metrics import METRICS

from ...conftest import named
from .conftest import LEVELS, grid_of, row, study_rows

FEW = Setup(n_resamples=20)


def cells_of(grid, n_resamples=0):
    return tally(grid, match(grid.reference, grid.verdict), Resample.of(grid, n_resamples))


def numbers_in(rows, setup=FEW):
    return named(alignment_numbers(compute(grid_of(rows), setup)))


def observed(drawn):
    return {key: float(one.values[0]) for key, one in drawn.items()}


def test_the_paper_s_worked_example_aligns_five_sixths():
    """AgentJudgeBench, appendix I: p = (1, 1, 1/3, 1), all verdicts 1."""
    cells = cells_of(grid_of([row((1, 1, 1 / 3, 1), 1)]))
    by_metric = observed(marginal_means(cells, ("metric",)))
    assert by_metric["sequence",] == pytest.approx(1 / 3)
    assert observed(marginal_means(cells, ()))[()] == pytest.approx(5 / 6)


def test_means_over_cells_over_plans_and_over_topologies_differ_as_they_should():
    rows = [
        row(1, 1, record="r1", generator="g"),
        row(1, 1, record="r2", generator="g", topology="fan_in"),
        row(1, 0, record="r3", generator="g", topology="fan_in"),
        row(1, 0, record="r1", generator="h"),
    ]
    cells = cells_of(grid_of(rows))

    def mean(weighting):
        return observed(marginal_means(cells, ("judge",), weighting=weighting))["a",]

    assert mean(Weighting.CELLS) == pytest.approx((2 / 3 + 0) / 2)
    assert mean(Weighting.COUNTS) == pytest.approx(2 / 4)
    # Linear: cells 1 and 0. Fan-in: one cell, one half.
    assert mean(Weighting.TOPOLOGIES) == pytest.approx((1 / 2 + 1 / 2) / 2)
    by_topology = observed(marginal_means(cells, ("generator", "topology")))
    assert by_topology == {("g", "fan_in"): 0.5, ("g", "linear"): 1.0, ("h", "linear"): 0.0}


def test_weights_of_metrics_are_relative():
    cells = cells_of(grid_of([row(1, (1, 0, 0.5, 1))]))
    weighted = marginal_means(cells, (), weights=(1, 0, 2, 1))
    assert observed(weighted)[()] == pytest.approx((1 + 2 * 0.5 + 1) / 4)
    assert sum(EQUAL) == len(METRICS)


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


def test_accuracy_of_a_generator_is_the_mean_of_its_reference_however_often_it_was_judged():
    rows = [
        row(0.5, 1, record="r1", judge="a"),
        row(0.5, 1, record="r1", judge="b"),
        row(1, 0, record="r2", judge="a"),
    ]
    assert numbers_in(rows)["accuracy/generator=g"].estimate == 0.75


@settings(max_examples=30)
@given(st.lists(st.tuples(*[st.integers(0, 6)] * 4), min_size=1, max_size=8))
def test_constant_judges_reach_the_closed_form(sixths):
    says = {"always 1": 1, "always 0.5": 0.5, "always 0": 0}
    rows = [
        row([x / 6 for x in p], v, record=f"r{number}", judge=judge)
        for number, p in enumerate(sixths)
        for judge, v in says.items()
    ]
    grid = grid_of(rows)
    resample = Resample.of(grid, 5)
    judged = marginal_means(tally(grid, match(grid.reference, grid.verdict), resample), ("judge",))
    floors = marginal_means(constant_judge_cells(grid, resample), ("judge",))
    for judge in says:
        assert judged[judge,].values == pytest.approx(floors[judge,].values, nan_ok=True)
    # Every verdict equally often is what drawing at random gives in expectation.
    mean = np.mean([judged[judge,].values[0] for judge in says])
    assert floors["random",].values[0] == pytest.approx(mean, abs=1e-9)
    assert floors["random",].values[0] >= 0.5
    assert {key for (key,) in floors} == set(CONSTANT_JUDGES)


@settings(max_examples=30)
@given(st.lists(st.tuples(*[st.sampled_from(LEVELS)] * 4), min_size=1, max_size=8))
def test_a_judge_equal_to_the_reference_aligns_fully_and_leans_nowhere(values):
    grid = grid_of([row(p, p, record=f"r{number}") for number, p in enumerate(values)])
    assert observed(marginal_means(cells_of(grid), ("judge",)))["a",] == 1.0
    assert not bias(grid.reference, grid.verdict).any()


@settings(max_examples=4)
@given(st.integers(0, 1000))
def test_the_order_of_rows_does_not_matter(seed):
    rows = study_rows(n_records=6)
    before = numbers_in(rows)
    random.Random(seed).shuffle(rows)
    assert numbers_in(rows) == before


def test_each_resample_is_the_grid_with_its_records_copied_as_often_as_drawn(study):
    first = study.pass_of(0)
    resample = Resample.of(first, 30)
    cells = tally(first, match(first.reference, first.verdict), resample)
    drawn = marginal_means(cells, ("judge", "metric"), weighting=Weighting.COUNTS)
    for b in (0, 7, 29):
        times = np.zeros(len(first.record.names), dtype=np.int64)
        for records, counts in zip(resample.records, resample.times, strict=True):
            assert counts[b].sum() == len(records)
            times[records] = counts[b]
        copied = np.repeat(np.arange(len(first)), times[first.record.codes])
        for (judge, metric), number in drawn.items():
            rows = copied[first.judge.where(judge)[copied]]
            place = METRICS.index(metric)
            mu = 1 - np.abs(first.reference[rows, place] - first.verdict[rows, place])
            assert number.values[1 + b] == pytest.approx(mu.mean())


def test_thirds_add_up_without_rounding():
    third = np.array([[1 / 3, 2 / 3, 1.0, 0.0]])
    assert match(third, np.zeros((1, 4))).sum() == 2 * SCALE


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([row(1, 1), row(1, 0)], "record r1, generator g, .* repeat 0: judged twice"),
        ([row(1, 1.5)], "the verdict is .* in \\[0, 1\\]"),
        ([row(float("nan"), 1)], "the reference is"),
        ([row(1, 1), row(0, 1, judge="b")], "its plan has another reference"),
        (
            [row(1, 1), row(1, 1, judge="b", topology="fan_in")],
            "its record has another topology",
        ),
    ],
)
def test_a_grid_that_does_not_hold_together_is_refused_with_its_row(rows, words):
    with pytest.raises(RecordError, match=words):
        checked(grid_of(rows))


def test_an_empty_grid_is_refused():
    with pytest.raises(RecordError, match="nothing to align"):
        checked(grid_of([row(1, 1)]).take(np.array([], dtype=np.int64)))
