"""Judges that read the digits of ids: what they flag, and what chance makes of them."""

import json
from pathlib import Path

from faultpair.analysis.tells.floor import (
    by_digits_alone,
    digit_judge,
    gains_by_digits_alone,
    mean_delta,
)
from faultpair.analysis.tells.pages import Pair
from faultpair.analysis.tells.seeds import small_sets, smaller
from faultpair.env.rng import stream
from faultpair.judges.floor.workflow import by_digits, digits_in, flags
from faultpair.studies.folder import open_study

RESULTS = Path(__file__).resolve().parents[3] / "results"


def plan(number, n_calls):
    call = {"tool": "look", "args": {"room": f"ROM-{number}"}}
    return {"steps": [{"call": call}] * n_calls, "reply": ""}


def pairs(is_told):
    """Return pairs whose fault adds a call, so that digits tell it, or draws to add one."""
    for number in range(100):
        rng = stream("floor", number)
        digits = int(rng.random() * 1000)
        n_calls = 2 + digits % 2
        added = 1 if is_told else int(rng.random() * 2)
        pages = (plan(digits, n_calls + added), plan(digits, n_calls if is_told else 3))
        yield Pair("added", f"i{number}", (f"{number}", f"{number}-clean"), pages)


def test_the_judge_of_plans_takes_the_parity_of_digits_for_that_of_calls():
    assert digits_in(plan(931, 2)) == 931
    assert digits_in({"steps": []}) is None
    assert by_digits(plan(931, 2)) == {"faulty": True}
    assert by_digits(plan(931, 3)) == {"faulty": False}
    assert not flags({"steps": []}, None)


def test_digits_that_tell_are_outside_the_range_of_permuted_digits():
    row = digit_judge("workflow", list(pairs(is_told=True)))
    assert row["delta"] == 1.0
    assert row["delta"] > row["high"]


def test_digits_that_tell_nothing_are_inside_it():
    row = digit_judge("workflow", list(pairs(is_told=False)))
    assert row["low"] <= row["delta"] <= row["high"]


def test_the_judge_of_digits_alone_reads_nothing_else():
    assert by_digits_alone(plan(931, 2)) == by_digits_alone(plan(931, 5)) is True
    assert by_digits_alone(plan(930, 2)) is False
    assert gains_by_digits_alone([(plan(931, 2), plan(930, 2))] * 3) == (3, 3)


def test_a_page_without_ids_is_not_judged_by_digits():
    """Else a fault that leaves a call out would be told by the number of ids."""
    empty = {"steps": [], "reply": ""}
    assert by_digits_alone(empty) is None
    assert gains_by_digits_alone([(empty, plan(931, 2)), (plan(931, 2), empty)]) == (0, 0)


def test_a_mean_delta_has_its_range():
    row = mean_delta([0.1, -0.1, 0.3], 30)
    assert (row["repeats"], row["pairs"], row["delta"]) == (3, 30, 0.1)
    assert (row["low"], row["high"]) == (-0.01, 0.01)


def test_a_smaller_study_has_each_fault_and_its_own_seed():
    study = open_study(RESULTS / "balanced-2").study
    few = smaller(study, 9, 1 / 50)
    assert (few.seed, few.clean, few.controls, few.world) == (9, 0, (), 2)
    assert [plant.name for plant in few.faults] == [plant.name for plant in study.faults]
    assert {plant.count for plant in few.faults} == {1, 2}


def test_small_sets_differ_by_their_seed_and_pair_faults_with_clean_runs():
    study = open_study(RESULTS / "balanced-2").study
    one, other = small_sets(study, [3, 4], 1 / 50)
    assert len(one) == len(other) == sum(plant.count for plant in smaller(study, 3, 1 / 50).faults)
    assert all(fault["label"]["faulty"] and not clean["label"]["faulty"] for fault, clean in one)
    assert json.dumps(one) != json.dumps(other)
