"""The bias of the expected calibration error."""

import numpy as np
import pytest

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.calibration import bins_of, ece_bias
from faultpair.analysis.metrics.catalog import compute, numbers_of

from ..conftest import named, sees_steps, small_records, verdict


def test_ece_bias_of_equal_coins():
    assert ece_bias(np.array([0.5])) == pytest.approx(0.5)
    assert ece_bias(np.array([0.5, 0.5])) == pytest.approx(0.25)
    assert ece_bias(np.zeros(0)) is None


def test_ece_bias_is_the_mean_over_simulated_calibrated_judges():
    confidence = np.array([0.55, 0.62, 0.68, 0.7, 0.7, 0.81, 0.95, 0.95, 0.99])
    rng = np.random.default_rng(3)
    right = rng.random((40_000, len(confidence))) < confidence
    place = bins_of(confidence)
    gaps = [np.abs((right - confidence)[:, place == b].sum(axis=1)) for b in range(10)]
    simulated = np.sum(gaps, axis=0).mean() / len(confidence)
    assert ece_bias(confidence) == pytest.approx(simulated, abs=0.003)


def sure_judge(records, name, sure, skipped=()):
    for place, run in enumerate(records.trajectories):
        if place not in skipped:
            records.verdicts.append(verdict(run, name, sees_steps(run), confidence=sure(place)))
    return records


def test_brier_scores_are_compared_on_the_verdicts_in_which_both_state_a_confidence(tmp_path):
    records = small_records(tmp_path / "study", 24)
    sure_judge(records, "one", lambda place: (place % 5) / 5)
    sure_judge(records, "other", lambda place: (place % 3) / 3, skipped=range(40))
    numbers = named(numbers_of(compute(load_study(records.write()), n_resamples=50)))
    found = numbers["difference/one/other/brier"]
    rows = [
        (place, sees_steps(run) == run["label"]["faulty"])
        for place, run in enumerate(records.trajectories)
        if place >= 40 and run["label"]["control"] is None
    ]
    gap = [((p % 5) / 5 - right) ** 2 - ((p % 3) / 3 - right) ** 2 for p, right in rows]
    assert found.n == len(rows)
    assert found.estimate == pytest.approx(np.mean(gap), abs=1e-6)
    assert found.ci_low < found.estimate < found.ci_high


def test_the_ece_has_no_interval_and_the_brier_score_that_of_clustered_runs(tmp_path):
    records = sure_judge(small_records(tmp_path / "study", 24), "one", lambda place: place % 5 / 5)
    numbers = named(numbers_of(compute(load_study(records.write()), n_resamples=50)))
    assert (numbers["one/ece"].ci_low, numbers["one/ece"].method) == (None, "mean over bins")
    brier = numbers["one/brier"]
    assert brier.ci_low < brier.estimate < brier.ci_high
