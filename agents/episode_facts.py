"""The facts of a model's episodes beyond their labels, and their summary.

They are kept as records, so that counting them needs neither the world nor the oracle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec

from faultpair.env.domain import AnyDomain, Confirmation
from faultpair.env.records import Instance, ModelTurn, Record, Trajectory
from faultpair.oracle.catalog import clean_run

__all__ = [
    "Ending",
    "EpisodeFacts",
    "EpisodeSummary",
    "LabelledBy",
    "facts_of",
    "report_of",
    "summarise",
    "usage_of",
]


class Ending(StrEnum):
    """What ended an episode."""

    REPLY = "reply"
    TURN_LIMIT = "turn-limit"
    UNREADABLE = "unreadable"
    TOO_LONG = "too-long"


_ENDED_BY = {
    Ending.REPLY: "its reply",
    Ending.TURN_LIMIT: "the turn limit",
    Ending.UNREADABLE: "answers that cannot be read",
    Ending.TOO_LONG: "a chat too long for the context",
}


class LabelledBy(StrEnum):
    """What made an episode faulty: a rule that fired, or the end state alone."""

    RULE = "rule"
    OUTCOME = "outcome"


class EpisodeFacts(Record, frozen=True):
    """The facts of one episode, whose label is in its trajectory.

    ``labelled_by`` is None for an episode without a fault. ``is_confirmed`` says whether
    the reply states what was done, None where it need not; see `Dialogue.confirms`.
    Tokens and seconds are sums over all that the model was asked.
    """

    trajectory_id: str
    instance_id: str
    scenario: str
    ended: Ending
    n_steps: int
    n_refused: int
    n_unreadable: int
    faulty: bool
    failure_type: str | None
    outcome_correct: bool
    labelled_by: LabelledBy | None
    reply_is_oracles: bool
    is_confirmed: bool | None = msgspec.field(name="states_refund")  # the name in kept files
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    latency_s: float = 0.0


@dataclass(frozen=True, slots=True)
class EpisodeSummary:
    """Counts over the episodes of a study; ``by_kind`` counts faults by type and outcome."""

    n_episodes: int
    n_faulty: int
    n_silent: int
    n_loud: int
    by_kind: dict[str, tuple[int, int]]
    n_replies: int
    n_oracles_reply: int
    confirmation: str | None
    n_to_confirm: int
    n_confirmed: int
    n_unreadable: int
    ended: dict[Ending, int]

    def __str__(self) -> str:
        kinds = [
            f"  {kind}: {silent} silent, {loud} loud"
            for kind, (silent, loud) in self.by_kind.items()
        ]
        ended = ", ".join(f"{how} {n}" for how, n in self.ended.items())
        confirmed = [f"{self.confirmation}: {self.n_confirmed} of {self.n_to_confirm}"]
        return "\n".join(
            [
                f"{self.n_episodes} episode{'' if self.n_episodes == 1 else 's'}, "
                f"{self.n_faulty} faulty "
                f"({self.n_silent} silent, {self.n_loud} loud)",
                *kinds,
                f"replies equal to the oracle's: {self.n_oracles_reply} of {self.n_replies}",
                *(confirmed if self.confirmation else ()),
                f"unreadable answers: {self.n_unreadable}; episodes ended by: {ended}",
            ]
        )


def facts_of(
    domain: AnyDomain,
    instance: Instance,
    run: Trajectory,
    turns: Sequence[ModelTurn],
    *,
    rule_fired: bool,
) -> EpisodeFacts:
    """Return the facts of an episode from its run and its turns."""
    label = run.label
    dialogue = domain.dialogue
    labelled_by = LabelledBy.RULE if rule_fired else LabelledBy.OUTCOME
    return EpisodeFacts(
        trajectory_id=run.trajectory_id,
        instance_id=run.instance_id,
        scenario=instance.difficulty,
        ended=_ending(domain, run, turns),
        n_steps=len(run.steps),
        n_refused=sum(1 for step in run.steps if step.observation and not step.observation.ok),
        n_unreadable=sum(1 for turn in turns if turn.unreadable is not None),
        faulty=label.faulty,
        failure_type=label.failure_type,
        outcome_correct=label.outcome_correct,
        labelled_by=labelled_by if label.faulty else None,
        reply_is_oracles=run.final_answer == clean_run(domain, instance).final_answer,
        is_confirmed=(
            dialogue.confirms(run.final_answer, run.end_state or {}) if dialogue else None
        ),
        **usage_of(turns),
    )


def usage_of(turns: Sequence[ModelTurn]) -> dict[str, Any]:
    """Return the tokens and seconds of some turns together, by the names of their fields."""
    return {
        "prompt_tokens": sum(turn.prompt_tokens for turn in turns),
        "cached_tokens": sum(turn.cached_tokens for turn in turns),
        "completion_tokens": sum(turn.completion_tokens for turn in turns),
        "latency_s": round(sum(turn.latency_s for turn in turns), 6),
    }


def report_of(facts: EpisodeFacts, turns: Sequence[ModelTurn]) -> str:
    """Return an episode in a few words: its answers, its ending, its fault."""
    n_turns = sum(turn.text is not None for turn in turns)
    noun = "turn" if n_turns == 1 else "turns"
    fault = facts.failure_type or "no fault"
    return f"{n_turns} {noun}, ended by {_ENDED_BY[facts.ended]}; {fault}"


def summarise(
    facts: Iterable[EpisodeFacts], *, confirmation: Confirmation | None = None
) -> EpisodeSummary:
    """Count the facts of the episodes of a study."""
    episodes = tuple(facts)
    faulty = [episode for episode in episodes if episode.faulty]
    silent = Counter(episode.failure_type for episode in faulty if episode.outcome_correct)
    loud = Counter(episode.failure_type for episode in faulty if not episode.outcome_correct)
    kinds = sorted({episode.failure_type or "" for episode in faulty})
    confirmed = [one.is_confirmed for one in episodes if one.is_confirmed is not None]
    ended = Counter(episode.ended for episode in episodes)
    return EpisodeSummary(
        n_episodes=len(episodes),
        n_faulty=len(faulty),
        n_silent=silent.total(),
        n_loud=loud.total(),
        by_kind={kind: (silent[kind], loud[kind]) for kind in kinds},
        n_replies=ended[Ending.REPLY],
        n_oracles_reply=sum(episode.reply_is_oracles for episode in episodes),
        confirmation=confirmation.title if confirmation else None,
        n_to_confirm=len(confirmed),
        n_confirmed=sum(confirmed),
        n_unreadable=sum(episode.n_unreadable for episode in episodes),
        ended={how: ended[how] for how in Ending},
    )


def _ending(domain: AnyDomain, run: Trajectory, turns: Sequence[ModelTurn]) -> Ending:
    last = turns[-1] if turns else None
    if last is not None and last.unsent is not None:
        return Ending.TOO_LONG
    if last is not None and last.unreadable is not None:
        return Ending.UNREADABLE
    dialogue = domain.dialogue
    is_closed = dialogue is not None and run.steps and dialogue.closes(run.steps[-1])
    return Ending.REPLY if is_closed else Ending.TURN_LIMIT
