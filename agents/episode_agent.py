"""An agent that is a model: its prompt holds the procedure, and it makes one call a turn.

Its prompt is a chat that only grows, so an engine that keeps the prefix of a prompt
reads each part once. The chat holds the procedure, the request, the model's own answers
and the observations, and nothing else of the instance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import msgspec

from faultpair.engines.engine import Message, Reply, Request
from faultpair.engines.json_text import NOT_JSON, unfenced, why_not_json
from faultpair.env.domain import AnyDomain
from faultpair.env.kernel import Action, Agent, refusal
from faultpair.env.records import Call, Instance, Observation, Step

from .prompts import again_text, agent_text

__all__ = [
    "AgentSettings",
    "Complete",
    "model_agent",
    "prompt_hash",
    "read_action",
    "why_unreadable",
]

Complete = Callable[[Request], Reply | None]
"""Sends a request to a model, as `Engine.complete` does; None if it cannot be sent."""

MOST_ANSWERS = 2
"""How many answers a turn may take; if the last of them is unreadable, the episode ends."""

WITHOUT_THOUGHT = "(no thought)"
"""The thought of a call without one; the domain would else supply its own wording."""

# Bounds of the schema: a small model may otherwise repeat itself until it is cut off.
_LONGEST_THOUGHT = 300
_LONGEST_VALUE = 600


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """How a model decodes, and how many turns it has at most."""

    turns: int = 10
    temperature: float = 0.0
    seed: int = 7
    max_tokens: int = 400


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why an answer holds no call."""

    reason: str


def model_agent(
    domain: AnyDomain, instance: Instance, complete: Complete, settings: AgentSettings
) -> Agent:
    """Let a model act until it replies, has no turn left, or gives unreadable answers."""
    chat = [
        Message("system", agent_text(domain, turns=settings.turns)),
        Message("user", _opening(instance.goal)),
    ]
    schema = schema_of(domain)
    steps: list[Step] = []
    for _ in range(settings.turns):
        action = _next_action(chat, schema, complete, settings)
        if action is None:
            return None
        step = yield action
        if _is_reply(domain, step):
            return None
        steps.append(step)
        chat.append(Message("user", _answer_text(steps)))
    return None


def read_action(text: str, finish_reason: str = "stop") -> Action | Unreadable:
    """Return the call that an answer makes, or why it makes none.

    The world decides whether there is such a tool and what its arguments may be.

    Examples
    --------
    >>> read_action('{"tool": "wave", "args": {}}').call
    Call(tool='wave', args={})
    >>> read_action("I would wave.").reason
    'the answer is not JSON'
    """
    try:
        answer = msgspec.json.decode(unfenced(text))
    except NOT_JSON:
        return Unreadable(why_not_json(text, finish_reason))
    if not isinstance(answer, dict):
        return Unreadable("the answer is JSON, but no object")
    tool, args, thought = answer.get("tool"), answer.get("args"), answer.get("thought")
    if not isinstance(tool, str):
        return Unreadable("the answer names no tool")
    if not isinstance(args, dict):
        return Unreadable('"args" is no object')
    thought = thought.strip() if isinstance(thought, str) else ""
    return Action(Call(tool, args), thought or WITHOUT_THOUGHT)


def why_unreadable(reply: Reply) -> str | None:
    """Return why a reply makes no call, None if it makes one."""
    action = read_action(reply.text, reply.finish_reason)
    return action.reason if isinstance(action, Unreadable) else None


def schema_of(domain: AnyDomain) -> dict[str, Any]:
    """Return the JSON schema of an answer: a thought first, then one call."""
    value = {"anyOf": [{"type": "string", "maxLength": _LONGEST_VALUE}, {"type": "number"}]}
    return {
        "type": "object",
        "properties": {
            "thought": {"type": "string", "maxLength": _LONGEST_THOUGHT},
            "tool": {"enum": [tool.name for tool in domain.tools]},
            "args": {"type": "object", "additionalProperties": value},
        },
        "required": ["thought", "tool", "args"],
        "additionalProperties": False,
    }


def prompt_hash(domain: AnyDomain, settings: AgentSettings) -> str:
    """Return the SHA-256 of the fixed parts of the chat, of its layout, and of the schema."""
    texts = [
        agent_text(domain, turns=settings.turns),
        _opening("…"),
        again_text("…"),
        *(_answer_text(_SPECIMEN[:end]) for end in (1, 2)),
    ]
    return sha256(msgspec.json.encode([texts, schema_of(domain)])).hexdigest()


def _next_action(
    chat: list[Message], schema: dict[str, Any], complete: Complete, settings: AgentSettings
) -> Action | None:
    """Ask for a call, and once more after an unreadable answer; the chat grows."""
    for _ in range(MOST_ANSWERS):
        reply = complete(_request(chat, schema, settings))
        if reply is None:
            return None
        chat.append(Message("assistant", reply.text))
        action = read_action(reply.text, reply.finish_reason)
        if isinstance(action, Action):
            return action
        chat.append(Message("user", again_text(action.reason)))
    return None


def _request(chat: list[Message], schema: dict[str, Any], settings: AgentSettings) -> Request:
    return Request(tuple(chat), schema, settings.temperature, settings.seed, settings.max_tokens)


def _is_reply(domain: AnyDomain, step: Step) -> bool:
    return domain.dialogue is not None and domain.dialogue.closes(step)


def _opening(goal: str) -> str:
    return f"REQUEST: {goal}\n{_whats_next(())}"


def _answer_text(steps: Sequence[Step]) -> str:
    """Return the message about the last of some steps."""
    observation = steps[-1].observation
    if observation is not None and observation.ok:
        answer = f"ANSWER: {msgspec.json.encode(observation.data).decode()}"
    else:
        answer = f"FAILED: {observation and observation.error}"
    return f"{answer}\n{_whats_next(steps)}"


def _whats_next(steps: Sequence[Step]) -> str:
    """List the tools that have answered: small models lose count and call the last again."""
    answered = [step.call.tool for step in steps if step.observation and step.observation.ok]
    named = ", ".join(dict.fromkeys(answered)) or "none"
    return f"Tools that have answered so far: {named}. Which call comes next?"


_SPECIMEN = (
    Step(0, "", Call("ask", {}), Observation(True, {"coat": "red"}, None)),
    Step(1, "", Call("ask", {}), refusal("nobody answered")),
)
"""Made-up steps, whose messages are part of the prompt's hash."""
