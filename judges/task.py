"""The tasks of judges, and the forms of their answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from faultpair.env.registry import Registry

__all__ = ["TASKS", "AnswerForm", "Task", "schema_of"]

LONGEST_REASONING = 300
"""Characters; the limit in the schema keeps small models from using up their tokens."""


class AnswerForm(StrEnum):
    """The form of an answer: a verdict in JSON, with or without a step, or one word."""

    STEP = "verdict-with-step"
    REPLY = "verdict"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class Task:
    """A task of judges. ``form`` is that of the answers unless another is set."""

    name: str
    summary: str
    form: AnswerForm


TASKS: Registry[Task] = Registry("task")
for _task in (
    Task("judge-reply", "Judge the reply; what is not shown is no evidence.", AnswerForm.REPLY),
    Task("check-steps", "Check each step, then the reply.", AnswerForm.STEP),
    Task("check-evidence", "Check the reply against the evidence.", AnswerForm.STEP),
    Task("name-fault", "Name the fault and its step.", AnswerForm.STEP),
):
    TASKS.add(_task.name, _task)


def schema_of(form: AnswerForm, kinds: tuple[str, ...]) -> dict[str, Any] | None:
    """Return the JSON schema of an answer, its reasoning first; one word has none."""
    if form is AnswerForm.WORD:
        return None
    properties: dict[str, Any] = {
        "reasoning": {"type": "string", "maxLength": LONGEST_REASONING},
        "faulty": {"type": "boolean"},
        "failure_step": {"type": ["integer", "null"]},
        "failure_type": {"enum": [*kinds, None]},
        "confidence": {"type": "number"},
    }
    if form is AnswerForm.REPLY:
        del properties["failure_step"]
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
