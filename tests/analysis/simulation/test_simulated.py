"""Simulated judges behave as their model says, also through files."""

import numpy as np
import pytest

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.catalog import compute, numbers_of
from faultpair.analysis.metrics.pairs import outcomes_of
from faultpair.analysis.simulation.simulated import (
    Behaviour,
    Model,
    flags_of,
    judged_study,
    runs_of,
)

from ..conftest import TYPES, named, small_records


@pytest.mark.parametrize("behaviour", Behaviour)
def test_simulated_judges_flag_at_the_rates_of_their_model(behaviour):
    runs = runs_of(48)
    flagged = flags_of(Model(0.3, 0.2, behaviour), runs, 3000, "test")
    clean, faulty = flagged[:, runs.clean], flagged[:, runs.faulty]
    assert clean.mean() == pytest.approx(0.2, abs=0.005)
    assert faulty.mean() - flagged[:, runs.parent[runs.faulty]].mean() == pytest.approx(
        0.3, abs=0.008
    )
    by_type = [faulty[:, runs.failure_type.codes[runs.faulty] == kind].mean() for kind in range(4)]
    assert by_type == sorted(by_type)
    assert by_type[3] > by_type[0] + 0.2
    by_scenario = [
        flagged[:, runs.clean & runs.scenario.where(s)].mean() for s in ("calm", "rough")
    ]
    assert by_scenario[1] > by_scenario[0] + 0.1


def test_a_judge_that_keeps_its_flags_never_reverses_a_pair():
    runs = runs_of(40)
    study = judged_study(runs, flags_of(Model(0.1, 0.33, Behaviour.KEEPS), runs, 200, "test"))
    outcomes = [outcomes_of(study, judge) for judge in range(200)]
    assert not any(own.reversed.any() for own in outcomes)
    assert any(own.both.any() for own in outcomes)


def test_a_simulated_judge_goes_through_files_and_comes_out(tmp_path):
    """Detection by type and base rate by scenario, written as records and read again."""
    detection = {"skipped": 0.9, "wrong_amount": 0.6, "promise": 0.3, "stop": 0.0}
    base_rate = {"happy": 0.1, "expired": 0.2, "fee": 0.3}
    rng = np.random.Generator(np.random.PCG64(5))
    records = small_records(tmp_path / "study", n_instances=900)
    scenario = {one["instance_id"]: one["difficulty"] for one in records.instances}

    def decide(run):
        chance = base_rate[scenario[run["instance_id"]]]
        found = detection.get(run["label"]["failure_type"], 0.0)
        return bool(rng.random() < chance + (1 - chance) * found)

    records.judged("simulated", decide, view="full-steps")
    numbers = named(numbers_of(compute(load_study(records.write()), n_resamples=200)))
    for kind in TYPES:
        delta = numbers[f"simulated/delta/type={kind}"]
        truth = np.mean([(1 - chance) * detection[kind] for chance in base_rate.values()])
        assert delta.ci_low <= truth <= delta.ci_high
    for name, chance in base_rate.items():
        rate = numbers[f"simulated/false-alarms/scenario={name}"]
        assert abs(rate.estimate - chance) <= 3 * (chance * (1 - chance) / rate.n) ** 0.5
