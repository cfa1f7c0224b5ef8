"""Passes of one judge, votes on them, and pairs that look alike: counted by hand."""

import statistics

import pytest

from faultpair.analysis.data.release import load_release
from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.catalog import compute, numbers_of
from faultpair.analysis.metrics.repeatability import identical_pairs
from faultpair.analysis.output.files import files_of

from ..conftest import named, sees_steps, small_records, verdict

VOTES = """
[[model_judges]]
id = "again"
engine = "local:small"
[[votes]]
id = "again-any"
of = "again"
rule = "any"
[[votes]]
id = "again-majority"
of = "again"
"""


@pytest.fixture
def bare(tmp_path):
    return small_records(tmp_path / "results" / "small", n_instances=4)


def asked(records, decide, **fields):
    """Add a pass of the judge ``again``, which costs something."""
    return records.judged("again", decide, prompt_tokens=10, latency_s=0.5, **fields)


def numbers_in(records):
    return named(numbers_of(compute(load_study(records.write()), n_resamples=200)))


def tables_in(records):
    files = files_of(load_study(records.write()), figures=False, n_resamples=50)
    return {name: text.decode() for name, text in files.items()}


def three_passes(records):
    """The second pass turns one run of 18, the third that run and another."""
    for place in range(3):
        turned = [run["trajectory_id"] for run in records.trajectories[:2]][2 - place :]

        def decide(run, turned=tuple(turned)):
            return sees_steps(run) != (run["trajectory_id"] in turned)

        asked(records, decide, sample=place, view="full-steps")
    return records


def test_agreement_and_flips_of_three_passes(bare):
    n = len(bare.trajectories)
    numbers = numbers_in(three_passes(bare))
    # Run 0 is turned in pass 2 alone, run 1 in passes 1 and 2.
    assert numbers["again/noise/same"].estimate == pytest.approx((n - 2) / n)
    assert numbers["again/noise/agreement"].estimate == pytest.approx((n - 2 + 1 / 3 + 1 / 3) / n)
    assert numbers["again/noise/flips"].estimate == pytest.approx((1 + 2) / (2 * n))
    assert numbers["again/noise/same"].n == n


def test_delta_of_each_pass_and_its_spread(bare):
    numbers = numbers_in(three_passes(bare))
    assert bare.trajectories[0]["trajectory_id"] == "T000-clean"
    assert bare.trajectories[1]["trajectory_id"] == "T000-skipped"
    # 12 pairs, two of them of T000. T001-clean is flagged, so its four faults are no hits.
    found = [numbers[f"again/noise/delta/{p}.0"].estimate for p in range(3)]
    assert found == pytest.approx([8 / 12, 7 / 12, (8 - 2 - 1) / 12])
    assert numbers["again/noise/delta/0.0"] == numbers["again/delta/all"]
    assert numbers["again/noise/delta-mean"].estimate == pytest.approx(statistics.mean(found))
    assert numbers["again/noise/delta-least"].estimate == pytest.approx(min(found))
    assert numbers["again/noise/delta-largest"].estimate == pytest.approx(max(found))
    assert numbers["again/noise/delta-sd"].estimate == pytest.approx(statistics.stdev(found))


def test_only_what_every_pass_scored_is_compared(bare):
    three_passes(bare)
    n = len(bare.trajectories)
    lost = bare.verdicts[-1]
    lost |= {"faulty": None, "unscored": "cut off", "failure_step": None, "failure_type": None}
    numbers = numbers_in(bare)
    assert numbers["again/noise/same"].n == n - 1
    assert numbers["again/noise/delta/0.0"].n == 12  # the last run is a control


def test_passes_that_share_no_run_have_no_number_but_a_reason(bare):
    asked(bare, sees_steps)
    for run in bare.trajectories:
        one = verdict(run, "again", None, unscored="cut off", sample=1)
        bare.verdicts.append(one)
    numbers = numbers_in(bare)
    for name in ("same", "agreement", "flips"):
        assert numbers[f"again/noise/{name}"].reason == "no run was scored in every pass"
    assert numbers["again/noise/delta-sd"].reason == "no such pair was judged"


def test_a_run_that_shares_an_answer_counts_with_the_run_that_was_asked_about(bare):
    three_passes(bare)
    for row in bare.verdicts:
        if row["trajectory_id"] == "T000-clean":
            row["shared_from"] = "T000-skipped"
    numbers = numbers_in(bare)
    n = len(bare.trajectories) - 1
    assert numbers["again/noise/same"].n == n
    assert numbers["again/noise/same"].estimate == pytest.approx((n - 1) / n)
    assert numbers["again/agreement/0.0/1.0/decision"].n == n


def test_one_pass_has_no_noise_and_a_study_without_models_no_such_table(bare):
    bare.judged("stepper", sees_steps, view="goal-and-reply")
    tables = tables_in(bare)
    assert not [name for name in tables if "noise" in name or "votes" in name]
    assert "noise/" not in tables["numbers.json"]
    assert "identical" not in tables["numbers.json"]


def test_the_noise_table_has_a_row_for_all_passes_and_one_for_each(bare):
    three_passes(bare)
    rows = [line for line in tables_in(bare)["tables/noise.md"].splitlines() if "| again |" in line]
    assert [row.split("|")[3].strip() for row in rows] == ["all 3", "0.0", "1.0", "2.0"]


def reply_judge(records, **fields):
    for run in records.trajectories:
        one = verdict(run, "reader", True, view="goal-and-reply", prompt_tokens=9, **fields)
        one |= {"failure_step": None, "failure_type": None, "confidence": 0.7}
        records.verdicts.append(one)
    return {row["trajectory_id"]: row for row in records.verdicts}


def test_identical_pairs_are_those_that_look_alike_and_got_the_same_words(bare):
    by_run = reply_judge(bare)
    # Pairs whose reply is unchanged: one skipped in each instance, wrong_amount in T001 and T003.
    assert numbers_in(bare)["reader/identical-pairs"].n == 6
    by_run["T000-skipped"]["rationale"] = "another"
    by_run["T001-wrong_amount"]["confidence"] = 0.8
    by_run["T002-skipped"]["failure_type"] = "stop"
    by_run["T003-promise"]["rationale"] = "of a changed reply"
    found = numbers_in(bare)["reader/identical-pairs"]
    assert (found.estimate, found.n) == (0.5, 6)


def test_pairs_that_share_one_answer_are_no_proof_of_steadiness(bare):
    by_run = reply_judge(bare)
    for name in ("T000-skipped", "T001-skipped"):
        by_run[name]["shared_from"] = name.replace("skipped", "clean")
    assert numbers_in(bare)["reader/identical-pairs"].n == 4
    for name, row in by_run.items():
        if name.endswith(("skipped", "wrong_amount")):
            row["shared_from"] = f"{name[:4]}-clean"
    found = numbers_in(bare)["reader/identical-pairs"]
    assert (found.estimate, found.reason) == (
        None,
        "no pair that looks alike was asked about twice",
    )
    assert "tables/noise.md" not in tables_in(bare)


def test_votes_stand_below_the_single_pass_of_the_judge_they_are_on(bare):
    three_passes(bare)
    bare.study_file = VOTES
    bare.judged("again-any", lambda _: True, score=1.0, prompt_tokens=30, latency_s=1.5)
    bare.judged("again-majority", sees_steps, score=2 / 3, prompt_tokens=30, latency_s=1.5)
    tables = tables_in(bare)
    rows = [row.split("|")[1:4] for row in tables["tables/votes.md"].splitlines()[4:] if "|" in row]
    assert [[cell.strip() for cell in row][:2] for row in rows] == [
        ["again", "single pass"],
        ["again-any", "any of 3"],
        ["again-majority", "majority of 3"],
    ]
    assert rows[1][2].strip().startswith("1.000")


def test_the_release_has_the_identical_pairs_that_the_paper_counts(release_dir):
    study = load_release(release_dir / "raw", release_dir / "instances.jsonl")
    (found,) = identical_pairs(study, study.judges.index("outcome:qwen2.5:14b")).values()
    assert (found.estimate, found.n) == (1.0, 151)
