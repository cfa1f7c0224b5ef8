"""The tasks of judges, and the forms of their answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from faultpair.env.registry import Registry

__all__ = ["TASKS", "AnswerForm", "Task"]


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
