"""Reading grades: what counts as a number, and what leaves an answer unscored."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultpair.judges.plan_metrics.metrics import METRICS
from faultpair.judges.plans.conditions import PlanForm
from faultpair.judges.plans.grade_parser import read_grades


def answer(*scores, reason="Because."):
    graded = {
        metric: {"reason": reason, "score": score}
        for metric, score in zip(METRICS, scores, strict=False)
    }
    return json.dumps(graded)


def values(finding):
    return [entry["value"] for entry in finding.scores.values()]


@pytest.mark.parametrize(
    ("form", "scores", "read"),
    [
        (PlanForm.RUBRIC, (1, 0.5, 0, 1), [1.0, 0.5, 0.0, 1.0]),
        (PlanForm.BINARY, (1, 0, 0, 1), [1.0, 0.0, 0.0, 1.0]),
        (PlanForm.FREE, (1, 0.83, 0, 0.5), [1.0, 0.83, 0.0, 0.5]),
        (PlanForm.RUBRIC, ("1", "0.5", " 0 ", 1.0), [1.0, 0.5, 0.0, 1.0]),
    ],
)
def test_four_grades_are_read_in_the_order_of_the_metrics(form, scores, read):
    finding = read_grades(answer(*scores), form)
    assert list(finding.scores) == list(METRICS)
    assert values(finding) == read
    assert all(isinstance(value, float) for value in values(finding))
    assert {entry["reason"] for entry in finding.scores.values()} == {"Because."}
    assert (finding.failure_step, finding.failure_type, finding.unscored) == (None, None, None)


@pytest.mark.parametrize(("grade", "value"), [(1, 0), (2, 0), (3, 0.5), (4, 0.5), (5, 1)])
def test_a_grade_of_one_metric_from_1_to_5_is_mapped_and_kept(grade, value):
    finding = read_grades(
        json.dumps({"sequence": {"reason": "r", "score": grade}}), PlanForm.SINGLE
    )
    assert finding.scores == {"sequence": {"value": value, "reason": "r", "grade": grade}}
    assert finding.faulty is (value < 1)


@pytest.mark.parametrize(
    ("scores", "faulty"), [((1, 1, 1, 1), False), ((1, 1, 1, 0.5), True), ((0, 0, 0, 0), True)]
)
def test_a_plan_is_faulty_if_any_metric_is_below_1(scores, faulty):
    assert read_grades(answer(*scores), PlanForm.RUBRIC).faulty is faulty


OFF = "the score of sequence is not on the scale"


@pytest.mark.parametrize(
    ("score", "form"),
    [
        (0.7, PlanForm.RUBRIC),
        (0.5, PlanForm.BINARY),
        (1.5, PlanForm.FREE),
        (-0.5, PlanForm.FREE),
        (True, PlanForm.RUBRIC),
        (False, PlanForm.BINARY),
        (None, PlanForm.RUBRIC),
        ("high", PlanForm.RUBRIC),
        ("1e0", PlanForm.RUBRIC),
        ("nan", PlanForm.FREE),
        (float("nan"), PlanForm.FREE),
        ([1], PlanForm.RUBRIC),
        (10**400, PlanForm.FREE),
        ("9" * 400, PlanForm.FREE),
    ],
)
def test_a_score_off_the_scale_is_never_moved_onto_it(score, form):
    finding = read_grades(answer(1, 1, score, 1), form)
    assert (finding.faulty, finding.scores, finding.unscored) == (None, None, OFF)


@pytest.mark.parametrize(
    ("text", "form", "reason"),
    [
        ("Looks fine to me.", PlanForm.RUBRIC, "the answer is not JSON"),
        ("", PlanForm.RUBRIC, "the answer is empty"),
        ("[1, 1, 1, 1]", PlanForm.RUBRIC, "the answer is JSON, but no object"),
        (answer(1, 1, 1), PlanForm.RUBRIC, "the answer does not grade query_coverage"),
        ('{"tool_selection": 1}', PlanForm.RUBRIC, "the answer does not grade parameter_structure"),
        ('{"sequence": 5}', PlanForm.SINGLE, "the answer gives no score of sequence"),
        ('{"sequence": {"reason": ""}}', PlanForm.SINGLE, "the answer gives no score of sequence"),
        ("{}", PlanForm.SINGLE, "the answer grades 0 metrics, not one"),
        (answer(5, 5), PlanForm.SINGLE, "the answer grades 2 metrics, not one"),
        (answer(0, 1), PlanForm.BINARY, "the answer does not grade sequence"),
        ("[" * 100_000, PlanForm.FREE, "the answer is not JSON"),
    ],
)
def test_an_answer_that_cannot_be_read_is_unscored_with_the_reason(text, form, reason):
    finding = read_grades(text, form)
    assert (finding.faulty, finding.scores, finding.unscored) == (None, None, reason)


def test_an_answer_that_was_cut_off_says_so():
    finding = read_grades(answer(1, 1)[:-4], PlanForm.RUBRIC, finish_reason="length")
    assert finding.unscored == "the answer was cut off at its longest"


def test_thoughts_and_a_fence_around_the_answer_are_taken_off():
    text = f"<think>{{not this}} </think>\n\n```json\n{answer(1, 1, 1, 1)}\n```"
    assert read_grades(text, PlanForm.RUBRIC).faulty is False


def test_a_reason_is_text_that_can_be_written_again():
    graded = answer(1, 1, 1, 1, reason="\ud800" + "x" * 5_000)
    (reason,) = {entry["reason"] for entry in read_grades(graded, PlanForm.FREE).scores.values()}
    assert reason == "?" + "x" * 999
    graded = answer(1, 1, 1, 1, reason=["a", 1])
    assert read_grades(graded, PlanForm.FREE).scores["sequence"]["reason"] == '["a", 1]'


anything = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda parts: (
        st.lists(parts, max_size=3)
        | st.dictionaries(st.sampled_from((*METRICS, "score", "reason")), parts, max_size=4)
    ),
)


@given(st.sampled_from(PlanForm), anything)
def test_any_reply_is_read_or_unscored(form, said):
    finding = read_grades(json.dumps(said), form)
    assert (finding.faulty is None) == (finding.unscored is not None) == (finding.scores is None)
