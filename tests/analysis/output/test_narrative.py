"""What is said of a judge, in one sentence, and what is not claimed."""

import pytest

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.catalog import compute, numbers_of
from faultpair.analysis.output.narrative import report_tables, sentences


@pytest.fixture
def said(records):
    def say():
        study = load_study(records.write())
        numbers = numbers_of(compute(study, n_resamples=300))
        return {said.partition(" ")[0]: said for said in sentences(study, numbers)}

    return say


def test_a_judge_that_discriminates_is_reported_with_interval_and_pairs(said):
    sentence = said()["stepper"]
    assert "stepper flags faults 0.833 more often than the clean runs they came from [" in sentence
    assert "36 pairs" in sentence
    assert "with 2 of 12 clean runs flagged, it raises a false alarm on 16.7%" in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


def test_what_a_judge_is_not_shown_it_cannot_see(said):
    sentence = said()["reader"]
    assert "it cannot see 18 of the 36 paired faults" in sentence
    assert "on the others" in sentence
    assert "cannot see" not in said()["stepper"]


def test_a_judge_without_a_false_alarm_gets_the_rate_that_is_not_excluded(records, said):
    records.judged("calm", lambda run: run["label"]["failure_type"] == "stop", view="full-steps")
    sentence = said()["calm"]
    assert "0 of 12 clean runs flagged, a false-alarm rate up to 26.5% is not excluded" in sentence
    assert "it flagged no fault of promise, skipped, wrong_amount" in sentence


def test_a_judge_that_flags_everything_is_not_praised_for_its_recall(records, said):
    records.judged("mule", lambda _: True, view="full-steps")
    sentence = said()["mule"]
    assert "cannot be said to tell faults from the clean runs they came from (Δ +0.000" in sentence
    assert "although it flags 100.0% of the faults" in sentence


def test_a_judge_with_a_negative_delta_is_reported_as_such(records, said):
    records.judged("wrong", lambda run: not run["label"]["faulty"], view="full-steps")
    assert "flags faults less often than the clean runs they came from" in said()["wrong"]


def test_missing_verdicts_and_missing_pairs_are_reported(records, said):
    for verdict in records.verdicts[:4]:
        verdict["error"] = "timeout"
    assert f"4 of its {len(records.trajectories)} verdicts are missing" in said()["stepper"]
    for run in records.trajectories:
        run["label"]["parent_id"] = None
    assert "has no paired discrimination (no such pair was judged)" in said()["stepper"]


def test_a_silent_judge_is_reported_with_its_silence_and_with_what_it_scored(records, said):
    for row in records.verdicts:
        if row["judge_id"] == "stepper" and row["trajectory_id"] in ("T001-clean", "T004-clean"):
            row |= {"faulty": None, "unscored": "it abstained"}
    sentence = said()["stepper"]
    assert "stepper flags faults 0.833 more often than the clean runs they came from [" in sentence
    assert "36 pairs, its silence counted against it; on the 30 pairs of which it" in sentence
    assert "it scored both sides, its Δ is +1.000;" in sentence


def test_the_report_shows_summary_cells_and_types(records):
    study = load_study(records.write())
    numbers = numbers_of(compute(study, n_resamples=200))
    tables = report_tables(study, numbers)
    assert [table.name for table in tables] == ["summary", "cells", "types", "controls"]
    assert len(tables[0].columns) <= 8


def test_the_report_shows_contrasts_where_some_are_declared(records):
    records.study_file = '[[contrasts]]\nname = "c"\njudge = "stepper"\nagainst = "reader"\n'
    study = load_study(records.write())
    numbers = numbers_of(compute(study, n_resamples=200))
    assert report_tables(study, numbers)[-1].name == "contrasts"


def test_the_state_check_appears_once_where_a_judge_has_that_name(records):
    records.judged("state-check", lambda run: not run["label"]["outcome_correct"])
    study = load_study(records.write())
    numbers = numbers_of(compute(study, n_resamples=200))
    names = [row[0] for row in report_tables(study, numbers)[0].rows]
    assert names == ["stepper", "state-check", "reader", "flag all", "flag none"]
