"""Control-Δ, Δ less it, and how many controls a study needs."""

import numpy as np
import pytest

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.catalog import compute, numbers_of
from faultpair.analysis.metrics.controls import HALF_WIDTH, least_controls
from faultpair.analysis.stats.paired_difference import Clustered, interval
from faultpair.analysis.tables.catalog import tables_of

from ..conftest import named, sees_steps, small_records


def tables_and_numbers(records):
    study = load_study(records.write())
    numbers = numbers_of(compute(study, n_resamples=50))
    return tables_of(study, numbers), named(numbers)


@pytest.fixture
def any_edit(tmp_path):
    """A judge of any edit and one of faults; 24 instances with a control each."""
    records = small_records(tmp_path / "results" / "small", n_instances=24)
    records.judged("edits", lambda run: run["label"]["parent_id"] is not None, view="full-steps")
    return records.judged("faults", lambda run: run["label"]["faulty"], view="full-steps")


def test_what_is_left_of_a_judge_of_any_edit_is_about_0(any_edit):
    _, numbers = tables_and_numbers(any_edit)
    assert numbers["edits/delta/all"].estimate == 1
    assert numbers["edits/control-delta/all"].ci_low > 0.5
    adjusted = numbers["edits/adjusted-delta/all"]
    assert adjusted.estimate == 0
    assert adjusted.ci_low < 0 < adjusted.ci_high
    assert numbers["faults/adjusted-delta/all"].estimate == 1
    assert numbers["faults/adjusted-delta/all"].ci_low > 0.5


def test_false_alarms_are_given_over_clean_runs_and_controls(any_edit):
    _, numbers = tables_and_numbers(any_edit)
    assert numbers["edits/false-alarms"].estimate == 0
    both = numbers["edits/false-alarms/with-controls"]
    assert (both.estimate, both.n) == (0.5, 48)


def test_silence_on_controls_makes_the_adjusted_delta_no_higher(any_edit):
    def adjusted():
        numbers = tables_and_numbers(any_edit)[1]
        return [numbers[f"{judge}/adjusted-delta/all"].estimate for judge in ("edits", "faults")]

    before = adjusted()
    for row in any_edit.verdicts:
        if row["trajectory_id"].endswith("reworded") and row["trajectory_id"] < "T010":
            row |= {"faulty": None, "unscored": "it abstained"}
    after = adjusted()
    assert after[0] == before[0] == 0
    assert after[1] == pytest.approx(1 - 10 / 24)


def test_controls_that_reach_no_view_leave_delta_as_it_is(records):
    _, numbers = tables_and_numbers(records)
    assert numbers["reader/cautious-control-delta/all"].method == "structural zero"
    delta, adjusted = (numbers[f"reader/{s}/all"] for s in ("delta", "adjusted-delta"))
    assert (adjusted.estimate, adjusted.ci_low) == pytest.approx((delta.estimate, delta.ci_low))


def test_a_control_that_reaches_no_view_and_yet_flips_is_no_structural_zero(any_edit):
    flips = tables_and_numbers(any_edit)[1]["edits/cautious-control-delta/all"]
    assert flips.estimate == 1
    assert flips.ci_low > 0.5


def test_a_judge_that_was_asked_about_no_control_has_no_adjusted_delta(records):
    records.verdicts = [v for v in records.verdicts if not v["trajectory_id"].endswith("reworded")]
    adjusted = tables_and_numbers(records)[1]["stepper/adjusted-delta/all"]
    assert (adjusted.estimate, adjusted.reason) == (None, "no such control was judged")


def test_a_study_without_controls_says_how_many_to_add(records):
    records.trajectories = [r for r in records.trajectories if r["label"]["control"] is None]
    records.verdicts = []
    records.judged("stepper", sees_steps, view="full-steps")
    tables, numbers = tables_and_numbers(records)
    assert not any("adjusted-delta" in name for name in numbers)
    (note,) = (note for note in tables["summary"].notes if note.startswith("No controls"))
    assert "72 controls, each on a clean run of its own; there are 12, would bound" in note
    titles = [column.title for column in tables["summary"].columns]
    assert "Control-Δ" not in titles


@pytest.mark.parametrize(("more", "is_enough"), [(0, True), (-1, False)])
def test_the_controls_that_a_study_is_told_to_add_are_just_enough(more, is_enough):
    none = np.zeros(least_controls() + more, np.int64)
    low, high, _ = interval(Clustered(none, none, none + 1))
    assert (max(-low, high) <= HALF_WIDTH) is is_enough
