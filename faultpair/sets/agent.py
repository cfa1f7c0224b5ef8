"""Letting a model play the world: the set of a study that names an agent.

Every turn is kept as it is taken. The runs, their labels and the manifest are a
function of the kept turns, so a run that was broken off goes on where it was, and one
that is whole is made again without a call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from faultpair.agents.episode_agent import (
    AgentSettings,
    Unreadable,
    model_agent,
    prompt_hash,
    read_action,
)
from faultpair.agents.episode_facts import Ending, EpisodeFacts, Summary, facts_of, summarise
from faultpair.calls.client import RetryPolicy
from faultpair.calls.recorded_model import RecordedModel
from faultpair.engines.engine import Reply
from faultpair.env.catalog import DOMAINS
from faultpair.env.domain import AnyDomain
from faultpair.env.errors import StudyError
from faultpair.env.kernel import run_episode
from faultpair.env.records import Instance, ModelTurn, Trajectory
from faultpair.runner.scheduler import EngineFactory
from faultpair.studies.folder import StudyFolder
from faultpair.studies.preregistration import agent_seal
from faultpair.studies.spec import AgentSpec
from faultpair.studies.transcript import TURNS, Transcript, open_turns

from .agent_label import labelled
from .generated import write_made_set

__all__ = ["EPISODES", "play"]

EPISODES = "episodes.jsonl"


class _Played(NamedTuple):
    instance: Instance
    run: Trajectory
    facts: EpisodeFacts


def play(
    folder: StudyFolder,
    means: EngineFactory = EngineFactory(),  # noqa: B008, the default is frozen
    *,
    patience: RetryPolicy = RetryPolicy(),  # noqa: B008
    tell: Callable[[str], None] | None = None,
) -> Summary:
    """Play what is missing of a study's episodes, then write its set and return the summary.

    Parameters
    ----------
    tell : is given a line before the play and one for each episode played, and the summary

    Raises
    ------
    StudyError
        If the study names no agent, or another than the one that took the kept turns.
    EngineError
        If an answer did not come; the turns so far are kept, and the set stays as it was.
    """
    spec = folder.study.agent
    if spec is None:
        raise StudyError(f"The study {folder.file} names no agent; add a table [agent].")
    tell = tell or (lambda line: None)
    domain = DOMAINS[folder.study.domain]
    with open_turns(folder.out / TURNS, tell) as book:
        settings = _settings_of(spec)
        seal = agent_seal(
            folder,
            spec,
            book,
            prompt_hash=prompt_hash(domain, settings),
            max_tokens=settings.max_tokens,
        )
        seal.check()
        asker = RecordedModel(seal, book, means, patience, _why_unreadable)
        stage = _Stage(domain, folder.study.seed, spec, asker, tell)
        tell(_opening(spec, book))
        played = asker.serve(stage.episode, range(spec.episodes))
        write_made_set(
            folder,
            ((one.instance, [(one.run, one.facts)]) for one in played),
            facts_file=EPISODES,
            book=book,
            makers={"agent": seal.entry()},
        )
    summary = summarise(
        (episode.facts for episode in played),
        confirmation=domain.dialogue.confirmation if domain.dialogue else None,
    )
    tell(str(summary))
    return summary


@dataclass(frozen=True, slots=True)
class _Stage:
    """Where the episodes of one study are played."""

    domain: AnyDomain
    seed: int
    spec: AgentSpec
    asker: RecordedModel
    tell: Callable[[str], None]

    def episode(self, index: int) -> _Played:
        """Play one episode, or as much of it as is not kept."""
        domain, asker = self.domain, self.asker
        instance = domain.generate(self.seed, index)
        trajectory_id = f"{instance.instance_id}-agent"
        turns = asker.book.of(trajectory_id)
        n_kept = len(turns)
        answering = asker.answering(trajectory_id)
        agent = model_agent(domain, instance, answering, _settings_of(self.spec))
        episode = run_episode(domain, instance, agent)
        run, rule_fired = labelled(domain, instance, episode, trajectory_id)
        facts = facts_of(domain, instance, run, turns, rule_fired=rule_fired)
        if len(turns) > n_kept:
            self.tell(f"episode {index + 1} of {self.spec.episodes}: {_told(facts, turns)}")
        return _Played(instance, run, facts)


def _settings_of(spec: AgentSpec) -> AgentSettings:
    return AgentSettings(turns=spec.turns, temperature=spec.temperature, seed=spec.seed)


def _opening(spec: AgentSpec, book: Transcript) -> str:
    noun = "episode" if spec.episodes == 1 else "episodes"
    return f"{spec.engine} plays {spec.episodes} {noun}; {book.n_answers} of its turns are kept."


_ENDED = {
    Ending.REPLY: "its reply",
    Ending.TURN_LIMIT: "the turn limit",
    Ending.UNREADABLE: "answers that cannot be read",
    Ending.TOO_LONG: "a chat too long for the context",
}


def _told(facts: EpisodeFacts, turns: Sequence[ModelTurn]) -> str:
    n_turns = sum(turn.text is not None for turn in turns)
    noun = "turn" if n_turns == 1 else "turns"
    return f"{n_turns} {noun}, ended by {_ENDED[facts.ended]}; {facts.failure_type or 'no fault'}"


def _why_unreadable(reply: Reply) -> str | None:
    action = read_action(reply.text, reply.finish_reason)
    return action.reason if isinstance(action, Unreadable) else None
