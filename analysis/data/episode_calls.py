"""What the calls and the reply of each episode are, read from its trajectory.

The facts that were kept when a model acted lack these; a trajectory has them, so any file of
trajectories that a model made will do.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from faultpair.env.catalog import DOMAINS
from faultpair.env.jsonl import read_records
from faultpair.env.records import Call, EndState, Step
from faultpair.env.release import DEFAULT_DOMAIN

__all__ = ["EpisodeCalls", "read_episode_calls"]


class EpisodeRecord(msgspec.Struct, gc=False):
    """The part of a trajectory that is read here."""

    trajectory_id: str
    steps: tuple[Step, ...]
    final_answer: str
    domain: str = DEFAULT_DOMAIN
    end_state: EndState | None = None


@dataclass(frozen=True, slots=True)
class EpisodeCalls:
    """The calls of one episode, and what its reply speaks of.

    Attributes
    ----------
    n_repeated : int
        Calls that equal an earlier one in tool and arguments.
    n_replies : int
        Calls that send a text to the user.
    follows_strictly, follows : bool or None
        Whether the calls are the required sequence, and whether they are it with others
        between; None if the domain requires none.
    mentions : bool or None
        Whether the reply speaks of the topic of a confirmation; None without a reply or topic.
    is_done : bool
        Whether that was done of which a reply must speak.
    """

    trajectory_id: str
    n_repeated: int
    n_replies: int = 0
    follows_strictly: bool | None = None
    follows: bool | None = None
    mentions: bool | None = None
    is_done: bool = False


def read_episode_calls(path: Path) -> tuple[EpisodeCalls, ...]:
    """Return the calls of every episode of a file of trajectories, in the order of their ids."""
    records = sorted(read_records(path, EpisodeRecord), key=lambda one: one.trajectory_id)
    return tuple(map(_calls, records))


def _calls(run: EpisodeRecord) -> EpisodeCalls:
    dialogue = DOMAINS[run.domain].dialogue if run.domain in DOMAINS else None
    calls = [step.call for step in run.steps]
    n_repeated = len(calls) - len({_content(call) for call in calls})
    reply = run.final_answer
    if dialogue is None:
        return EpisodeCalls(run.trajectory_id, n_repeated)
    return EpisodeCalls(
        trajectory_id=run.trajectory_id,
        n_repeated=n_repeated,
        n_replies=sum(dialogue.spoken(call) is not None for call in calls),
        follows_strictly=dialogue.follows(run.steps, strictly=True),
        follows=dialogue.follows(run.steps, strictly=False),
        mentions=dialogue.mentions(reply) if reply else None,
        is_done=dialogue.confirms(reply, run.end_state or {}) is not None,
    )


def _content(call: Call) -> bytes:
    content: Any = (call.tool, call.args)
    return msgspec.json.encode(content, order="deterministic")
