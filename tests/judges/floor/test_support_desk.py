"""What the digits of ids tell of a run: the scenario in world 1, nothing in world 2."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.rng import stream
from faultpair.judges.floor.support_desk import (
    by_digits,
    digits_in,
    flags,
    shows_the_other_prefix,
)
from faultpair.sets.build import build
from faultpair.studies.folder import open_study

ROOT = Path(__file__).resolve().parents[3]
DESK = DOMAINS["support_desk"]
REFUNDED = ("happy", "restocking")


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    """The runs of the balanced study by their ids, in both worlds."""
    opened = open_study(ROOT / "results" / "balanced")
    made = {}
    for world in (1, 2):
        study = opened.study.model_copy(update={"world": world})
        folder = replace(opened, study=study, out=tmp_path_factory.mktemp(f"world-{world}"))
        build(folder)
        lines = folder.trajectories.read_text(encoding="utf-8").splitlines()
        made[world] = {run["trajectory_id"]: run for run in map(json.loads, lines)}
    return made


def pairs(runs):
    faults = (run for run in runs.values() if run["label"]["faulty"])
    return [(run, runs[run["label"]["parent_id"]]) for run in faults]


def delta(runs, judge):
    return np.mean([judge(fault) - judge(parent) for fault, parent in pairs(runs)])


def permuted_deltas(runs, n):
    """Return Δ of the judge with the digits of the instances permuted, n times."""
    digits = {
        run["instance_id"]: digits_in(run) for run in runs.values() if not run["label"]["faulty"]
    }
    names = list(digits)
    rows = [
        (names.index(run["instance_id"]), *(flags(run, is_escalated) for is_escalated in (0, 2)))
        for pair in pairs(runs)
        for run in pair
    ]
    place, if_refund, if_escalated = np.array(rows).T
    refunds = np.array([digits[name] % 6 < 2 for name in names])
    for seed in range(n):
        rng = stream(seed, "permuted")
        order = sorted(range(len(names)), key=lambda _: rng.random())
        flagged = np.where(refunds[order][place], if_refund, if_escalated)
        yield np.mean(flagged[::2] - flagged[1::2])


def test_in_world_1_digits_tell_a_third_of_the_faults(sets):
    assert delta(sets[1], lambda run: by_digits(run)["faulty"]) == pytest.approx(0.313, abs=0.005)


def test_in_world_2_digits_tell_no_more_than_those_of_another_instance(sets):
    own = delta(sets[2], lambda run: by_digits(run)["faulty"])
    low, high = np.quantile(list(permuted_deltas(sets[2], 200)), [0.025, 0.975])
    assert low <= own <= high


def test_in_world_1_digits_tell_more_than_those_of_another_instance(sets):
    own = delta(sets[1], lambda run: by_digits(run)["faulty"])
    assert own > max(permuted_deltas(sets[1], 200)) + 0.1


def test_the_prefix_of_the_second_customer_marks_a_type_in_world_1_alone(sets):
    marked = {
        world: {
            run["label"]["failure_type"] for run in runs.values() if shows_the_other_prefix(run)
        }
        for world, runs in sets.items()
    }
    assert marked == {1: {"verified_someone_else"}, 2: set()}


def test_no_id_of_world_2_begins_as_that_of_the_second_customer_of_world_1(sets):
    assert "CUS-9" in json.dumps(list(sets[1].values()))
    assert "CUS-9" not in json.dumps(list(sets[2].values()))


def test_over_many_seeds_of_world_2_digits_guess_the_outcome_as_often_as_chance_does():
    made = [DESK.generate_in(2, seed, index) for seed in range(200) for index in range(120)]
    agreed = [
        (int(one.customer.customer_id[-5:]) % 6 < 2) == (one.difficulty in REFUNDED) for one in made
    ]
    assert np.mean(agreed) == pytest.approx(5 / 9, abs=0.01)


def test_a_run_without_an_id_is_judged_by_its_outcome():
    assert by_digits({"steps": []}) == {"faulty": True}
