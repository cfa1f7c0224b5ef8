"""Comparing measurements: paired where runs are common, independent where none is, else refused."""

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from faultpair.analysis.data.pair_data import PairData
from faultpair.analysis.data.pair_study import study_of
from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.measurement.assembly import measure_judges
from faultpair.analysis.measurement.compare import compare
from faultpair.analysis.measurement.measure import measure_pairs
from faultpair.analysis.metrics.catalog import compute, numbers_of
from faultpair.analysis.metrics.key import ALL, NumberKey
from faultpair.analysis.metrics.silence import CAUTIOUS
from faultpair.analysis.stats.estimate import significant
from faultpair.analysis.stats.readings import Reading
from faultpair.env.errors import UsageError

RESULTS = Path(__file__).resolve().parents[3] / "results"


def flat(number):
    return [significant(x) for x in (number.estimate, number.ci_low, number.ci_high)]


def rows(n, flags, prefix="", judge="judge"):
    for task in range(n):
        clean, fault = flags(task)
        shared = {"judge": judge, "unit": f"{prefix}{task}"}
        yield shared | {"run": f"{prefix}{task}-c", "parent": "", "flagged": clean}
        parent = f"{prefix}{task}-c"
        yield shared | {"run": f"{prefix}{task}-f", "parent": parent, "flagged": fault}


def first(limit):
    return lambda task: (0, int(task < limit))


@pytest.mark.parametrize("study", ["paper", "noise"])
def test_judges_of_one_study_differ_as_its_table_says(study):
    numbers = json.loads((RESULTS / study / "numbers.json").read_text())["numbers"]
    measured = measure_judges(load_study(RESULTS / study))
    for one, other in combinations(measured, 2):
        found = compare(measured[one], measured[other])
        for name, number in (("delta/all", found.delta), ("false-alarms", found.false_alarms)):
            kept = numbers[f"difference/{one}/{other}/{name}"]
            assert flat(number) == [kept[part] for part in ("estimate", "ci_low", "ci_high")]


def test_a_comparison_turned_round_has_the_other_sign():
    one, other = (measure_pairs(rows(40, first(k))) for k in (30, 10))
    there, back = compare(one, other), compare(other, one)
    assert there.is_paired
    assert there.delta.estimate == -back.delta.estimate == 0.5
    assert there.delta.ci_low == pytest.approx(-back.delta.ci_high)


def test_two_runs_of_one_judge_are_paired_on_the_pairs_that_both_have():
    whole, part = measure_pairs(rows(40, first(30))), measure_pairs(rows(25, first(20)))
    found = compare(whole, part)
    assert (found.n_pairs, found.n_units) == (25, 25)
    assert found.delta.estimate == pytest.approx(0.2)


def test_studies_without_a_common_run_are_independent():
    one, other = measure_pairs(rows(40, first(30), "a")), measure_pairs(rows(60, first(15), "b"))
    found = compare(one, other)
    assert not found.is_paired
    assert found.delta.estimate == 0.5
    below, above = (found.delta.estimate - found.delta.ci_low, found.delta.ci_high - 0.5)
    parts = [(m.judged.estimate, m.judged.ci_low, m.judged.ci_high) for m in (one, other)]
    (p, p_low, p_high), (q, q_low, q_high) = parts
    assert below == pytest.approx(((p - p_low) ** 2 + (q_high - q) ** 2) ** 0.5)
    assert above == pytest.approx(((p_high - p) ** 2 + (q - q_low) ** 2) ** 0.5)


def test_runs_of_two_sets_with_the_same_ids_by_chance_are_not_taken_for_one():
    measured = measure_judges(load_study(RESULTS / "ablation"), only="B")["B"]
    moved = [((*f[:2], b"other"), (*p[:2], b"other")) for f, p in measured.pairs.key]
    clean = tuple((*key[:2], b"other") for key in measured.clean.key)
    other = replace(
        measured,
        pairs=replace(measured.pairs, key=tuple(moved)),
        clean=replace(measured.clean, key=clean),
    )
    found = compare(measured, other)
    assert not found.is_paired
    assert found.reason is None


def test_other_runs_of_the_same_units_are_refused_with_the_reason():
    one = measure_pairs(rows(40, first(30)))
    other = measure_pairs(
        row | {"run": f"x{row['run']}", "parent": row["parent"] and f"x{row['parent']}"}
        for row in rows(40, first(10))
    )
    found = compare(one, other, margin=0.1)
    assert found.delta.estimate is None
    assert found.reason == found.delta.reason
    assert "share units and no pair" in found.reason
    assert not found.tests
    assert found.reason in found.summary()


def test_a_silent_judge_is_compared_by_its_cautious_delta_too():
    loud = measure_pairs(rows(40, first(20)))
    silent = measure_pairs(rows(40, lambda task: (0, 1) if task < 20 else (0, None)))
    found = compare(silent, loud)
    assert (found.cautious.estimate, found.delta.estimate) == (0.0, 0.0)
    assert found.delta.n == 20


def test_a_margin_asks_whether_a_judge_is_as_good():
    one, same = (measure_pairs(rows(200, first(k))) for k in (100, 101))
    worse = measure_pairs(rows(200, first(60)))
    near, far = compare(one, same, margin=0.1).tests, compare(worse, one, margin=0.1).tests
    assert near["Δ not lower"].is_held
    assert near["Δ equivalent"].is_held
    assert not far["Δ not lower"].is_held
    assert compare(one, worse, margin=0.1).tests["Δ not lower"].is_held
    assert not compare(one, worse, margin=0.1).tests["Δ equivalent"].is_held


def test_false_alarms_that_are_higher_are_not_within_the_margin_on_that_side_alone():
    quiet = measure_pairs(rows(200, lambda task: (0, 1)))
    noisy = measure_pairs(rows(200, lambda task: (int(task < 60), 1)))
    assert not compare(noisy, quiet, margin=0.1).tests["false alarms not higher"].is_held
    assert compare(quiet, noisy, margin=0.1).tests["false alarms not higher"].is_held


def test_independent_measurements_have_the_same_tests():
    one, other = (
        measure_pairs(rows(400, first(200), "a")),
        measure_pairs(rows(400, first(204), "b")),
    )
    tests = compare(one, other, margin=0.15).tests
    assert tests["Δ equivalent"].is_held
    assert not compare(one, other, margin=0.02).tests["Δ equivalent"].is_held
    assert tests["Δ not lower"].p < tests["Δ equivalent"].p or tests["Δ not lower"].p < 0.001


@pytest.mark.parametrize("margin", [0.0, -0.1, 1.0, float("nan")])
def test_a_margin_outside_its_range_is_refused(margin):
    one = measure_pairs(rows(12, first(3)))
    with pytest.raises(UsageError, match="A margin is above 0 and below 1"):
        compare(one, one, margin=margin)


def test_a_comparison_is_plain_data():
    one, other = (measure_pairs(rows(40, first(k))) for k in (30, 10))
    plain = json.loads(json.dumps(compare(one, other, margin=0.1).to_dict()))
    assert plain["delta"]["estimate"] == 0.5
    assert plain["tests"]["Δ not lower"]["is_held"] is True


def test_silence_on_two_equal_pages_is_no_difference_as_in_the_tables():
    found = measure_pairs(rows(20, lambda task: (None, None)))
    assert found.pairs.differences(Reading.CAUTIOUS)[0].tolist() == [-1] * 20
    alike = replace(found.pairs, is_alike=np.ones(20, np.bool_))
    assert alike.differences(Reading.CAUTIOUS)[0].tolist() == [0] * 20


@pytest.mark.parametrize("study", ["paper", "balanced"])
def test_the_cautious_difference_from_itself_and_the_cautious_delta_rest_on_the_same_pairs(study):
    for found in list(measure_judges(load_study(RESULTS / study)).values())[:4]:
        pairs = found.pairs.clustered(Reading.CAUTIOUS)
        assert pairs.delta == pytest.approx(found.cautious.estimate)
        assert pairs.n == found.cautious.n


def test_the_cautious_difference_is_that_of_the_table_where_a_judge_is_silent():
    silent = rows(
        40, lambda task: (None if task % 7 == 0 else 0, None if task % 3 else 1), judge="a"
    )
    study = study_of(PairData.of([*silent, *rows(40, first(25), judge="b")]))
    kept = numbers_of(compute(study, n_resamples=20))
    key = NumberKey(CAUTIOUS, ALL, judge="a", against="b", family="difference")
    measured = measure_judges(study)
    found = compare(measured["a"], measured["b"])
    assert found.cautious == kept[key]
    assert found.delta == kept[key._replace(stat="delta")]
