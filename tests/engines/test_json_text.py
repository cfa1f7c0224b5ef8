import pytest

from faultpair.engines.json_text import unfenced, why_not_json


@pytest.mark.parametrize(
    "text", ["{}", " {}\n", "```\n{}\n```", "```json\n{}```", "\n```json\n{}\n```  "]
)
def test_a_fence_around_the_whole_text_is_removed(text):
    assert unfenced(text) == "{}"


@pytest.mark.parametrize("text", ["See:\n```json\n{}\n```", "```json\n{}", "``` {} ```"])
def test_any_other_fence_stays(text):
    assert unfenced(text) == text


@pytest.mark.parametrize(
    ("text", "finish_reason", "reason"),
    [
        (" \n", "length", "the answer is empty"),
        ('{"a', "length", "the answer was cut off at its longest"),
        ('{"a', "stop", "the answer is not JSON"),
    ],
)
def test_the_reason_says_what_is_wrong_with_a_text(text, finish_reason, reason):
    assert why_not_json(text, finish_reason) == reason
