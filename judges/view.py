"""Views: the parts of an exhibit that a judge is shown, and their text on the page.

Each part has one text, so that views with a common part show it in the same words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Step
from faultpair.env.registry import Registry

from .exhibit import Exhibit

__all__ = ["VIEWS", "View"]


@dataclass(frozen=True, slots=True)
class View:
    """The parts that a judge is shown, in their order on the page."""

    name: str
    parts: tuple[str, ...]

    def render(self, exhibit: Exhibit) -> str:
        """Write the parts of an exhibit below each other, each under its heading."""
        texts = []
        for part in self.parts:
            texts.append(_PARTS[part](exhibit))
        return "\n\n".join(texts)


def _goal(exhibit: Exhibit) -> str:
    return f"REQUEST\n{exhibit.goal}"


def _reply(exhibit: Exhibit) -> str:
    dialogue = DOMAINS[exhibit.domain].dialogue
    heading = "FINAL REPLY" if dialogue is None else dialogue.reply_heading
    return f"{heading}\n{exhibit.reply or '(none)'}"


def _end_state(exhibit: Exhibit) -> str:
    return f"WHAT WAS DONE IN THE END\n{_json(exhibit.end_state)}"


def _by_step(heading: str, *parts: Callable[[Step], list[str]]) -> Callable[[Exhibit], str]:
    """Return a function that writes some parts of each step below a heading."""

    def write(exhibit: Exhibit) -> str:
        lines = [heading]
        for step in exhibit.steps:
            lines.append(f"Step {step.index}")
            for part in parts:
                lines += part(step)
        return "\n".join(lines if exhibit.steps else [heading, "(none)"])

    return write


def _thought(step: Step) -> list[str]:
    return [f"  thought: {step.thought}"]


def _tool(step: Step) -> list[str]:
    return [f"  tool: {step.call.tool}"]


def _call(step: Step) -> list[str]:
    return [f"  call: {step.call.tool} {_json(step.call.args)}"]


def _answer(step: Step) -> list[str]:
    observation = step.observation
    if observation is None:
        return []
    if observation.ok:
        return [f"  answer: {_json(observation.data)}"]
    return [f"  failed: {observation.error}"]


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


_PARTS: dict[str, Callable[[Exhibit], str]] = {
    "goal": _goal,
    "steps": _by_step("STEPS", _thought, _call, _answer),
    "steps_without_thoughts": _by_step("STEPS", _call, _answer),
    "calls": _by_step("CALLS, WITHOUT THEIR ANSWERS", _call),
    "observations": _by_step("WHAT THE SYSTEM ANSWERED", _tool, _answer),
    "reply": _reply,
    "end_state": _end_state,
}

VIEWS: Registry[View] = Registry("view")
for _view in (
    View("goal-and-reply", ("goal", "reply")),
    View("full-steps", ("goal", "steps", "reply")),
    View("steps-without-thoughts", ("goal", "steps_without_thoughts", "reply")),
    View("calls-only", ("goal", "calls")),
    View("reply-and-end-state", ("goal", "reply", "end_state")),
    View("reply-with-observations", ("goal", "observations", "reply")),
    View("whole-exhibit", ("goal", "steps", "reply", "end_state")),
):
    VIEWS.add(_view.name, _view)
