"""Reading answers: what is coerced, what is unscored, what is never guessed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultpair.judges.finding_parser import LONGEST_RATIONALE, read_finding, read_word

KINDS = ("wrong_tool", "premature_stop")


def read(answer, **more):
    text = answer if isinstance(answer, str) else json.dumps(answer)
    return read_finding(text, n_steps=4, kinds=KINDS, **more)


FULL = {
    "reasoning": "Because.",
    "faulty": True,
    "failure_step": 2,
    "failure_type": "wrong_tool",
    "confidence": 0.8,
}


def test_a_whole_answer_is_read_unchanged():
    found = read(FULL)
    assert (found.faulty, found.failure_step, found.failure_type) == (True, 2, "wrong_tool")
    assert (found.confidence, found.rationale, found.unscored) == (0.8, "Because.", None)


@pytest.mark.parametrize("fence", ["```json\n%s\n```", "```\n%s\n```", "\n  %s  \n"])
def test_a_fence_around_an_answer_is_taken_off(fence):
    assert read(fence % json.dumps(FULL)) == read(FULL)


@pytest.mark.parametrize(
    ("value", "step"),
    [(0, 0), (3, 3), (4, None), (-1, None), (None, None), ("2", None), (True, None), (1.0, None)],
)
def test_a_step_that_the_run_does_not_have_is_dropped(value, step):
    assert read(FULL | {"failure_step": value}).failure_step == step


@pytest.mark.parametrize(
    ("value", "kind"),
    [("premature_stop", "premature_stop"), ("bad", None), (None, None), (3, None)],
)
def test_a_kind_that_the_prompt_does_not_name_is_dropped(value, kind):
    assert read(FULL | {"failure_type": value}).failure_type == kind


@pytest.mark.parametrize(
    ("value", "confidence"),
    [(0.7, 0.7), (1, 1.0), (0.2, 0.5), (7, 1.0), (-1, 0.5), (None, 0.5), ("0.9", 0.5), (True, 0.5)],
)
def test_a_confidence_is_clamped(value, confidence):
    assert read(FULL | {"confidence": value}).confidence == confidence


def test_a_confidence_that_is_no_number_is_a_half():
    assert read('{"faulty": false, "confidence": NaN}').confidence == 0.5


def test_a_sound_run_has_neither_step_nor_kind():
    found = read(FULL | {"faulty": False})
    assert (found.faulty, found.failure_step, found.failure_type) == (False, None, None)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "the answer is empty"),
        (" \n", "the answer is empty"),
        ("I would rather not", "the answer is not JSON"),
        ("[1]", "the answer is JSON, but no object"),
        ("true", "the answer is JSON, but no object"),
        ({"confidence": 0.9}, "the answer does not say whether the run is faulty"),
        ({"faulty": "yes"}, "the answer does not say whether the run is faulty"),
        ({"faulty": 1}, "the answer does not say whether the run is faulty"),
        ({"faulty": None}, "the answer does not say whether the run is faulty"),
        ("[" * 100_000, "the answer is not JSON"),
    ],
)
def test_what_cannot_be_read_is_unscored_with_the_reason(answer, reason):
    found = read(answer)
    assert (found.faulty, found.unscored, found.confidence) == (None, reason, None)


def test_an_answer_that_was_cut_off_says_so():
    assert read('{"faulty": tr', finish_reason="length").unscored == (
        "the answer was cut off at its longest"
    )
    assert read(FULL, finish_reason="length").faulty is True


def test_a_long_rationale_is_shortened_and_another_name_for_it_is_known():
    assert len(read(FULL | {"reasoning": "x" * 9_999}).rationale) == LONGEST_RATIONALE
    assert read({"faulty": False, "rationale": "So."}).rationale == "So."
    assert read({"faulty": False, "reasoning": ["a", 1]}).rationale == '["a", 1]'


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("yes", True),
        ("No.", False),
        (' "YES"\n', True),
        ("maybe", None),
        ("", None),
        ("yes no", None),
    ],
)
def test_one_word_is_read(text, word):
    assert read_word(text) is word


@given(st.text() | st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from([*FULL, "x"]), inner),
).map(json.dumps))  # fmt: skip
def test_nothing_that_a_model_could_say_is_an_error(text):
    found = read(text)
    assert (found.faulty is None) == (found.unscored is not None)
    found.rationale.encode()
