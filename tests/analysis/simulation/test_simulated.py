"""Simulated judges behave as their cell says, also through files."""

import numpy as np
import pytest

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.catalog import compute, numbers_of
from faultpair.analysis.simulation.design import Cell, Dependence
from faultpair.analysis.simulation.simulated import drawn, won

from ..conftest import TYPES, named, small_records


def cell(dependence, base_rate=0.2, delta=0.3, shape="1 to 4", instances=48):
    return Cell(shape, instances, base_rate, delta, dependence)


@pytest.mark.parametrize("dependence", Dependence)
def test_simulated_judges_flag_at_the_rates_of_their_cell(dependence):
    judged = drawn(cell(dependence), 3000, "test")
    assert judged.parent.mean() == pytest.approx(0.2, abs=0.006)
    assert judged.fault.mean() == pytest.approx(judged.rate.mean(), abs=0.015)
    assert judged.difference.mean() == pytest.approx(judged.delta, abs=0.015)
    assert judged.delta == pytest.approx(0.3, abs=0.03)


def test_each_dependence_ties_the_runs_of_an_instance_as_it_says():
    def spread(dependence):
        judged = drawn(cell(dependence, shape="4 each"), 2000, "test")
        return judged.shape.by_instance(judged.fault).var()

    alone = 4 * 0.5 * 0.5
    assert spread(Dependence.NONE) == pytest.approx(alone, rel=0.05)
    assert spread(Dependence.ONE) == pytest.approx(4 * alone, rel=0.05)
    assert 1.3 * alone < spread(Dependence.EFFECT) < 4 * alone
    together = drawn(cell(Dependence.ALL), 200, "test")
    assert (together.difference >= 0).all()
    fixed = drawn(cell(Dependence.TYPE), 200, "test")
    assert (fixed.fault == fixed.fault[0]).all()


def test_a_judge_that_is_mostly_another_differs_in_few_answers():
    one, other = (drawn(cell(Dependence.NONE), 500, name) for name in ("one", "other"))
    alike = one.mostly(other, 0.1, "alike")
    assert 0.02 < (one.fault != alike.fault).mean() < 0.1
    assert alike.rate == pytest.approx(one.rate)


def test_scores_have_the_auc_that_a_delta_stands_for():
    for dependence in Dependence:
        rank = won(cell(dependence), 1500)
        assert (1 + rank.mean()) / 2 == pytest.approx(0.65, abs=0.015)


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
