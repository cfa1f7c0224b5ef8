"""Leaning and self-preference, counted by hand."""

import pytest

from faultpair.analysis.plans.alignment.catalog import Setup

from .conftest import numbers_in, row


def test_leaning_and_self_preference_by_hand():
    rows = [
        row(0.5, 1, generator="own"),
        row(0.5, 0.5, generator="g"),
        row(0.5, 0, generator="h"),
    ]
    numbers = numbers_in(rows, Setup(n_resamples=20, own={"a": "own"}))
    place = "condition=with-gt/judge=a"
    assert numbers[f"bias/{place}/generator=own/metric=sequence"].estimate == 0.5
    assert numbers[f"bias/{place}"].estimate == pytest.approx(0)
    found = {
        part: numbers[f"self/{part}/{place}/metric=overall"].estimate
        for part in ("own", "lowest", "highest", "excess")
    }
    assert found == {"own": 0.5, "lowest": -0.5, "highest": 0.0, "excess": 0.75}


def test_self_preference_of_a_judge_of_only_its_own_plans_is_undefined():
    numbers = numbers_in([row(0.5, 1)], Setup(n_resamples=5, own={"a": "g"}))
    excess = numbers["self/excess/condition=with-gt/judge=a/metric=overall"]
    assert (excess.estimate, excess.reason) == (None, "the judge judged no other generator")
