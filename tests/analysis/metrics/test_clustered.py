"""Published numbers whose runs share instances: recall, precision, tests of types, contrasts.

The values are of `results/paper`; those of an independent check stand in the docstrings.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.catalog import compute, main_numbers, numbers_of
from faultpair.analysis.metrics.contrasts import _difference
from faultpair.analysis.stats.estimate import point
from faultpair.analysis.stats.intervals import clopper_pearson
from faultpair.analysis.stats.paired_difference import Clustered

from ..conftest import named, small_records, verdict

RESULTS = Path(__file__).resolve().parents[3] / "results"


@pytest.fixture(scope="module")
def paper():
    return named(main_numbers(load_study(RESULTS / "paper")))


def committed(study):
    text = (RESULTS / study / "numbers.json").read_text(encoding="utf-8")
    return json.loads(text)["numbers"]


def small(tmp_path, decide, n_instances=24, judges=("model",)):
    records = small_records(tmp_path / "study", n_instances)
    for run in records.trajectories:
        for judge in judges:
            records.verdicts.append(verdict(run, judge, decide(judge, run)))
    return named(numbers_of(compute(load_study(records.write()), n_resamples=50)))


def test_recall_of_answers_that_faults_share_is_as_wide_as_its_instances(paper):
    """Resampled by instance it is [.431, .595]; by faults it was [.473, .550]."""
    recall = paper["outcome-1.5b/recall/all"]
    assert recall.ci_low == pytest.approx(0.431, abs=0.01)
    assert recall.ci_high == pytest.approx(0.595, abs=0.01)


def test_false_alarms_have_the_exact_interval_at_every_rate(paper):
    """The percentile interval covers .859 at 156 runs and a rate of .02."""
    for judge in ("step-1.5b", "outcome-1.5b", "step-0.5b"):
        alarms = paper[f"{judge}/false-alarms"]
        ends = clopper_pearson(round(alarms.estimate * alarms.n), alarms.n)
        assert (alarms.ci_low, alarms.ci_high) == ends


def test_the_floor_of_precision_is_below_that_at_a_known_recall(paper):
    numbers = committed("paper")
    floor = numbers["step-1.5b/precision/0.05/floor"]["estimate"]
    recall, alarms = paper["step-1.5b/recall/all"], paper["step-1.5b/false-alarms"]
    right, wrong = recall.estimate * 0.05, alarms.ci_high * 0.95
    assert floor < right / (right + wrong)
    assert floor == numbers["step-1.5b/precision/0.05"]["ci_low"]


def test_the_effective_number_of_judges_leaves_out_one_that_never_errs():
    """With the perfect judge among the k it was 2.84; 2.79 is consistent."""
    found = committed("paper")["effective-judges"]["estimate"]
    assert found == pytest.approx(2.79, abs=0.01)


def test_types_are_tested_by_matched_sets_and_adjusted_over_all_judges(tmp_path):
    def decide(judge, run):
        return bool(run["label"]["faulty"]) and judge == "sees"

    numbers = small(tmp_path, decide, judges=("sees", "blind"))
    tests = {name: n for name, n in numbers.items() if "/matched-sets/" in name}
    plain = {name: n for name, n in tests.items() if not name.endswith("p-holm")}
    assert len(tests) == 2 * len(plain)
    least = min(n.estimate for n in plain.values() if n.estimate is not None)
    adjusted = min(tests[f"{name}/p-holm"].estimate or 1.0 for name in plain)
    assert adjusted == pytest.approx(min(1.0, len(plain) * least))
    seen = next(name for name in plain if name.startswith("sees/"))
    assert tests[f"{seen}/p-holm"].method == f"Holm over {len(plain)} tests, of each type and judge"


def test_a_judge_that_flags_any_edit_shows_it_in_control_delta(tmp_path):
    """It has false alarms .000 and Δ +1.000: clean runs alone do not show it."""
    numbers = small(
        tmp_path, lambda _, run: bool(run["label"]["faulty"] or run["label"].get("control"))
    )
    assert numbers["model/delta/all"].estimate == 1.0
    assert numbers["model/false-alarms"].estimate == 0.0
    control = numbers["model/control-delta/all"]
    assert control.estimate == 1.0
    assert control.ci_low > 0.5


def test_the_interval_of_a_contrast_never_decides_against_its_p():
    pairs = Clustered.of(np.arange(40), np.array([1] * 8 + [-1] * 1 + [0] * 31), 40)
    rejected, kept = (_difference(pairs, 1, point(p, 40, "sign flips")) for p in (0.04, 0.058))
    assert rejected.ci_low > 0
    assert kept.ci_low == 0.0
    assert "up to 0 as p > 0.05" in kept.method


def test_no_contrast_of_a_committed_study_reads_otherwise_than_its_p():
    """paper had [+.010, +.270] beside p .058."""
    for study in ("paper", "ablation", "balanced"):
        numbers = committed(study)
        for name, difference in numbers.items():
            p = numbers.get(name.removesuffix("difference") + "p")
            if name.startswith("contrast/") and p and p["estimate"] and p["estimate"] > 0.05:
                assert difference["ci_low"] is None or (
                    difference["ci_low"] <= 0 <= difference["ci_high"]
                )


def test_the_difference_of_two_judges_is_on_the_runs_that_both_judged(tmp_path):
    records = small_records(tmp_path / "study", 24)
    for run in records.trajectories:
        faulty = bool(run["label"]["faulty"])
        records.verdicts.append(verdict(run, "whole", faulty))
        if int(run["instance_id"][1:]) % 2:
            records.verdicts.append(verdict(run, "half", False))
    numbers = named(numbers_of(compute(load_study(records.write()), n_resamples=50)))
    found = numbers["difference/half/whole/delta/all"]
    assert found.n == numbers["half/delta/all"].n < numbers["whole/delta/all"].n
    assert found.estimate == -1.0


def test_a_difference_that_is_never_seen_has_a_width(tmp_path):
    """The percentile interval of nearly alike judges covers .39 at ten instances."""
    numbers = small(tmp_path, lambda _, run: bool(run["label"]["faulty"]), judges=("one", "other"))
    found = numbers["difference/one/other/delta/all"]
    assert found.ci_low < 0 < found.ci_high
