"""Δ of judges that say nothing of some runs: readings, coverage, order, differences."""

import pytest

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.catalog import compute, main_numbers, numbers_of
from faultpair.analysis.metrics.silence import ranked
from faultpair.analysis.tables.catalog import tables_of

from ..conftest import named, sees_steps

UNSCORED = {"faulty": None, "failure_step": None, "failure_type": None, "confidence": None}


def silence(records, judge, is_silent, **why):
    """Leave some verdicts of a judge without a finding."""
    for row in records.verdicts:
        if row["judge_id"] == judge and is_silent(row["trajectory_id"]):
            row |= UNSCORED | (why or {"unscored": "it abstained"})


def numbers_in(records):
    return numbers_of(compute(load_study(records.write()), n_resamples=50))


def of(numbers, name):
    return named(numbers)[name]


def test_readings_are_one_number_where_all_is_scored(records):
    numbers = named(numbers_in(records))
    for group in ("all", "silent", "loud", "unchanged", "changed"):
        judged = numbers[f"stepper/delta/{group}"]
        assert judged.n > 0
        assert numbers[f"stepper/cautious-delta/{group}"] == judged
        assert numbers[f"stepper/gate-delta/{group}"] == judged
    assert numbers["stepper/coverage/pairs"].estimate == 1
    assert numbers["stepper/coverage/runs"].estimate == 1


def test_an_unscored_fault_is_missed_and_an_unscored_parent_flagged_but_not_by_a_gate(records):
    # T001 has four faults and a flagged parent, T002 two faults and a parent that is not.
    silence(records, "stepper", lambda run: run in ("T002-skipped", "T001-clean"))
    numbers = named(numbers_in(records))
    judged, cautious, gate = (
        numbers[f"stepper/{stat}/all"] for stat in ("delta", "cautious-delta", "gate-delta")
    )
    hits = 36 - 2 - 4  # of 36 pairs, those of T001 and T004 have a flagged parent
    assert (judged.n, round(judged.estimate * 31)) == (31, hits - 1)
    assert (cautious.n, round(cautious.estimate * 36)) == (36, hits - 1)
    assert (gate.n, round(gate.estimate * 36)) == (36, hits - 1 + 4)
    assert numbers["stepper/coverage/pairs"].estimate == pytest.approx(31 / 36)
    assert numbers["stepper/coverage/runs"].estimate == pytest.approx(1 - 2 / 60)


def test_the_cautious_delta_is_the_least_that_dropped_pairs_leave_possible(records):
    silence(records, "stepper", lambda run: run.startswith(("T00", "T010")), error="timeout")
    numbers = named(numbers_in(records))
    cautious, bounds = numbers["stepper/cautious-delta/all"], numbers["stepper/bounds/all"]
    assert cautious.estimate == pytest.approx(bounds.ci_low)
    assert cautious.estimate < -0.5


def test_a_failed_call_counts_as_silence(records):
    silence(records, "stepper", lambda run: run == "T002-skipped", error="timeout")
    numbers = named(numbers_in(records))
    assert numbers["stepper/runs/errors"].estimate == 1
    assert numbers["stepper/coverage/pairs"].estimate == pytest.approx(35 / 36)


def test_a_run_that_was_never_asked_about_is_in_no_reading(records):
    records.verdicts = [v for v in records.verdicts if not v["trajectory_id"].startswith("T00")]
    numbers = named(numbers_in(records))
    cautious = numbers["stepper/cautious-delta/all"]
    assert cautious.n == 6
    assert cautious == numbers["stepper/delta/all"]
    assert numbers["stepper/coverage/pairs"].estimate == 1


def blind(run):
    """Whether a run of the small study has the reply of its parent, or is a parent."""
    return run.endswith(("skipped", "wrong_amount", "clean"))


def test_equal_pages_of_which_neither_is_scored_count_as_0(records):
    silence(records, "reader", lambda run: run.startswith("T00") and blind(run))
    cautious = of(numbers_in(records), "reader/cautious-delta/unchanged")
    assert (cautious.estimate, cautious.method) == (0, "structural zero")


def test_equal_pages_of_which_one_is_scored_count_against_the_judge(records):
    silence(records, "reader", lambda run: run.startswith("T00") and run.endswith("clean"))
    numbers = named(numbers_in(records))
    cautious, gate = (numbers[f"reader/{s}-delta/unchanged"] for s in ("cautious", "gate"))
    assert cautious.estimate < 0
    assert cautious.ci_high is not None
    assert gate.method == "structural zero"


def test_silence_takes_a_judge_no_higher_and_behind_its_like(records):
    records.judged("a-silent", sees_steps, view="full-steps")
    silence(records, "a-silent", lambda run: run in ("T001-clean", "T004-clean"))
    numbers = numbers_in(records)
    judged = [of(numbers, f"{judge}/delta/all").estimate for judge in ("a-silent", "stepper")]
    assert judged[0] > judged[1]
    assert ranked(["reader", "a-silent", "stepper"], numbers) == ["stepper", "a-silent", "reader"]


def test_a_judge_without_an_interval_or_a_delta_comes_last(records):
    records.judged("few", lambda run: run["label"]["faulty"], view="full-steps")
    records.verdicts = [
        v for v in records.verdicts if v["judge_id"] != "few" or v["trajectory_id"] < "T004"
    ]
    for row in records.verdicts:
        if row["judge_id"] == "reader" and row["trajectory_id"].endswith("clean"):
            row["trajectory_id"] = "gone"
    records.verdicts = [v for v in records.verdicts if v["trajectory_id"] != "gone"]
    numbers = numbers_in(records)
    assert of(numbers, "few/cautious-delta/all").estimate == 1
    assert ranked(["few", "reader", "stepper"], numbers) == ["stepper", "few", "reader"]


def test_the_difference_of_cautious_deltas_is_given_where_it_is_another_one(records):
    assert "difference/reader/stepper/cautious-delta/all" not in named(numbers_in(records))
    silence(records, "stepper", lambda run: run == "T002-skipped")
    numbers = named(numbers_in(records))
    difference = numbers["difference/reader/stepper/cautious-delta/all"]
    one, other = (numbers[f"{judge}/cautious-delta/all"] for judge in ("reader", "stepper"))
    assert difference.n == 36
    assert difference.estimate == pytest.approx(one.estimate - other.estimate)


def test_a_summary_shows_the_readings_only_where_something_is_unscored(records):
    def summary():
        study = load_study(records.write())
        return tables_of(study, numbers_of(compute(study, n_resamples=50)))["summary"]

    whole = summary()
    assert [c.title for c in whole.columns][3] == "Δ"
    assert any(note.startswith("Nothing that was asked about is unscored") for note in whole.notes)
    silence(records, "stepper", lambda run: run == "T002-skipped")
    silent = summary()
    assert [c.title for c in silent.columns][3:6] == ["Cautious Δ", "Judged Δ", "Coverage"]
    assert any(note.startswith("Cautious Δ: an unscored fault counts") for note in silent.notes)
    baseline = next(row for row in silent.rows if row[0] == "flag all")
    assert baseline[3].estimate == 0


def test_the_numbers_of_a_main_table_have_the_readings_of_all_numbers(records):
    silence(records, "stepper", lambda run: run == "T002-skipped")
    every = numbers_in(records)
    main = main_numbers(load_study(records.write()))
    readings = [key for key in main if key.stat in ("cautious-delta", "gate-delta", "coverage")]
    assert len(readings) >= 2 * 8
    assert all(main[key] == every[key] for key in readings)
