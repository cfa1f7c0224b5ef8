"""Laws: what may not matter does not matter, and what must be zero is zero."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.catalog import compute, numbers_of
from faultpair.env.records import Cell

from ..conftest import named, sees_reply, sees_steps, small_records


def numbers_in(records):
    return named(numbers_of(compute(load_study(records.write()), n_resamples=300)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("laws")


def judged(folder):
    records = small_records(folder / "study", n_instances=6)
    records.judged("a", sees_steps, view="full-steps")
    return records.judged("b", sees_reply, view="goal-and-reply")


@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_row_order_does_not_matter(folder, seed):
    records = judged(folder)
    before = numbers_in(records)
    order = random.Random(seed)
    for rows in (records.trajectories, records.verdicts, records.instances):
        order.shuffle(rows)
    assert numbers_in(records) == before


@settings(max_examples=5)
@given(names=st.permutations(["a", "b"]))
def test_renaming_judges_only_renames_their_numbers(folder, names):
    records = judged(folder)
    before = numbers_in(records)
    new = dict(zip(["a", "b"], names, strict=True))
    for verdict in records.verdicts:
        verdict["judge_id"] = new[verdict["judge_id"]]
        verdict["rationale"] = ""
    after = numbers_in(records)
    for name, number in before.items():
        judge, _, rest = name.partition("/")
        if judge in new and "rationales" not in rest:
            assert after[f"{new[judge]}/{rest}"] == number


@settings(max_examples=15)
@given(flags=st.lists(st.booleans(), min_size=12, max_size=12))
def test_a_judge_that_sees_only_the_reply_scores_zero_where_replies_are_equal(folder, flags):
    records = small_records(folder / "study", n_instances=6)
    replies = sorted({run["final_answer"] for run in records.trajectories})
    answer = dict(zip(replies, flags, strict=True))
    records.judged("reader", lambda run: answer[run["final_answer"]], view="goal-and-reply")
    numbers = numbers_in(records)
    for cell in (Cell.UNCHANGED_SURVIVES, Cell.UNCHANGED_LOST):
        delta = numbers[f"reader/delta/cell={cell}"]
        assert delta.estimate == 0.0
        assert delta.method == "structural zero"
        assert delta.ci_low is None


@settings(max_examples=10)
@given(flag=st.booleans())
def test_a_judge_that_always_says_the_same_has_no_discrimination(folder, flag):
    records = small_records(folder / "study", n_instances=6)
    records.judged("mule", lambda _: flag, view="full-steps")
    numbers = numbers_in(records)
    assert numbers["mule/delta/all"].estimate == 0.0
    assert numbers["mule/recall/all"].estimate == float(flag)


@settings(max_examples=10)
@given(data=st.data())
def test_the_four_fates_add_up_to_the_pairs(folder, data):
    records = small_records(folder / "study", n_instances=4)
    n = len(records.trajectories)
    answers = data.draw(st.lists(st.sampled_from([True, False, None]), min_size=n, max_size=n))
    by_run = dict(zip((r["trajectory_id"] for r in records.trajectories), answers, strict=True))
    records.judged("judge", lambda run: by_run[run["trajectory_id"]], view="full-steps")
    for verdict in records.verdicts:
        if verdict["faulty"] is None:
            verdict["unscored"] = "cannot be read"
    numbers = numbers_in(records)
    fates = ("hit", "reversed", "both", "neither", "dropped")
    total = sum(numbers[f"judge/pairs/all/{fate}"].estimate for fate in fates)
    assert total == numbers["design/pairs"].estimate
    bound = numbers["judge/bounds/all"]
    assert -1 <= bound.ci_low <= bound.ci_high <= 1
