"""Tasks and the schemas of their answers."""

import pytest

from faultpair.env.errors import UsageError
from faultpair.judges.model_judge import schema_of
from faultpair.judges.task import TASKS, AnswerForm

KINDS = ("wrong_tool", "premature_stop")


def test_reasoning_comes_first_and_everything_is_required():
    schema = schema_of(AnswerForm.STEP, KINDS)
    assert list(schema["properties"]) == [
        "reasoning", "faulty", "failure_step", "failure_type", "confidence",
    ]  # fmt: skip
    assert schema["required"] == list(schema["properties"])
    assert schema["additionalProperties"] is False
    assert schema["properties"]["failure_type"] == {"enum": [*KINDS, None]}


def test_who_judges_the_reply_is_asked_for_no_step():
    schema = schema_of(TASKS["judge-reply"].form, KINDS)
    assert "failure_step" not in schema["properties"]
    assert "failure_step" not in schema["required"]


def test_one_word_has_no_schema():
    assert schema_of(AnswerForm.WORD, KINDS) is None


def test_there_are_four_tasks_and_an_unknown_one_is_refused():
    assert list(TASKS) == ["judge-reply", "check-steps", "check-evidence", "name-fault"]
    with pytest.raises(UsageError, match="No task is named 'guess'"):
        TASKS["guess"]
