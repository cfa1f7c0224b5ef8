"""What judges cost: calls really made, answers that are shared, votes without a call."""

import pytest

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.catalog import compute, numbers_of
from faultpair.analysis.output.files import files_of
from faultpair.env.errors import RecordError

from ..conftest import named, sees_reply, small_records

VOTE = '[[votes]]\nid = "any"\nof = "asks"\nrule = "any"\nk = 2\n'


@pytest.fixture
def shared(tmp_path):
    """Two passes of a judge of the reply; a fault that keeps its reply shares the answer."""
    records = small_records(tmp_path / "results" / "small", n_instances=4)
    for sample in range(2):
        cost = {"prompt_tokens": 100, "completion_tokens": 7, "latency_s": 2.0}
        records.judged("asks", sees_reply, view="goal-and-reply", sample=sample, **cost)
    for row in records.verdicts:
        if row["trajectory_id"].endswith(("skipped", "wrong_amount")):
            row |= {"prompt_tokens": 0, "completion_tokens": 0, "latency_s": 0.0}
            row["shared_from"] = f"{row['trajectory_id'][:4]}-clean"
    return records


def numbers_in(records):
    return named(numbers_of(compute(load_study(records.write()), n_resamples=50)))


def test_a_shared_answer_costs_nothing_and_thins_no_mean(shared):
    numbers = numbers_in(shared)
    n, n_shared = len(shared.trajectories), 6
    assert numbers["asks/runs/judged"].estimate == n
    assert numbers["asks/cost/prompt-tokens"].estimate == 100
    assert numbers["asks/cost/seconds"].estimate == 2.0
    assert numbers["asks/cost/seconds"].n == n - n_shared
    assert numbers["asks/calls/made"].estimate == 2 * (n - n_shared)
    assert numbers["asks/calls/shared"].estimate == 2 * n_shared
    assert numbers["asks/calls/prompt-tokens"].estimate == 2 * (n - n_shared) * 100
    assert numbers["asks/calls/completion-tokens"].estimate == 2 * (n - n_shared) * 7
    assert numbers["asks/calls/seconds"].estimate == 2 * (n - n_shared) * 2.0


def test_failed_calls_and_requests_that_were_not_sent_are_distinguished(shared):
    first, second = (row for row in shared.verdicts if row["trajectory_id"] == "T000-clean")
    nothing = {"faulty": None, "failure_step": None, "failure_type": None, "confidence": None}
    free = {"prompt_tokens": 0, "completion_tokens": 0, "latency_s": 0.0}
    first |= nothing | free | {"error": "timeout", "unscored": "no answer came"}
    second |= nothing | free | {"unscored": "the prompt is too long for the model"}
    numbers = numbers_in(shared)
    assert numbers["asks/calls/errors"].estimate == 1
    assert numbers["asks/calls/not-sent"].estimate == 1
    assert numbers["asks/calls/made"].estimate == 2 * (len(shared.trajectories) - 6) - 1
    assert numbers["asks/runs/errors"].estimate == 1


def test_a_vote_makes_no_call_and_costs_what_its_passes_cost(shared):
    shared.study_file = VOTE
    shared.judged("any", sees_reply, view="goal-and-reply", prompt_tokens=200, latency_s=4.0)
    for row in shared.verdicts:
        if row["judge_id"] == "any" and row["trajectory_id"].endswith(("skipped", "wrong_amount")):
            row |= {"prompt_tokens": 0, "latency_s": 0.0}
    numbers = numbers_in(shared)
    assert "any/calls/made" not in numbers
    assert numbers["any/cost/prompt-tokens"].estimate == 200
    assert numbers["any/cost/seconds"].estimate == 4.0


@pytest.mark.parametrize(("reasons", "distinct"), [(["same"], 1), (["one", "two", "three"], 3)])
def test_the_reasons_of_grades_are_counted_as_its_rationale(tmp_path, reasons, distinct):
    records = small_records(tmp_path / "results" / "small", n_instances=4)
    records.judged("grades", sees_reply, rationale="")
    for number, row in enumerate(records.verdicts):
        row["scores"] = {"order": {"value": 1, "reason": reasons[number % len(reasons)]}}
    assert numbers_in(records)["grades/rationales/distinct"].estimate == distinct


def test_the_conduct_table_counts_calls_only_of_model_judges(shared):
    files = files_of(load_study(shared.write()), figures=False, n_resamples=50)
    assert "Answers shared" in files["tables/conduct.md"].decode()
    shared.verdicts = []
    shared.judged("stepper", sees_reply, view="full-steps")
    files = files_of(load_study(shared.write()), figures=False, n_resamples=50)
    assert "Answers shared" not in files["tables/conduct.md"].decode()


@pytest.mark.parametrize("other", ["nobody", "T000-skipped"])
def test_an_answer_shared_with_no_other_run_is_refused(shared, other):
    row = next(row for row in shared.verdicts if row["trajectory_id"] == "T000-skipped")
    row["shared_from"] = other
    with pytest.raises(RecordError, match=f"field shared_from: '{other}' is no other trajectory"):
        load_study(shared.write())
