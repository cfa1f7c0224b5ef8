"""The set of a study that names an agent: episodes that a model plays."""

from __future__ import annotations

from functools import partial

from faultpair.agents.episode_agent import AgentSettings, model_agent, prompt_hash, why_unreadable
from faultpair.agents.episode_facts import (
    EpisodeFacts,
    EpisodeSummary,
    facts_of,
    report_of,
    summarise,
)
from faultpair.calls.session import CallSession
from faultpair.env.catalog import DOMAINS
from faultpair.env.domain import AnyDomain
from faultpair.env.errors import StudyError
from faultpair.env.kernel import run_episode
from faultpair.studies.folder import StudyFolder
from faultpair.studies.preregistration import agent_seal
from faultpair.studies.transcript import TURNS, open_turns

from .generated_set import Conversations, Generator, Sample, make_set
from .labels import label_episode

__all__ = ["EPISODES", "make_episodes"]

EPISODES = "episodes.jsonl"


def make_episodes(folder: StudyFolder, session: CallSession) -> EpisodeSummary | None:
    """Play the missing episodes of a study, write its set, and return the summary.

    None if the run stops before all are played (see `make_set`).
    """
    spec = folder.study.agent
    if spec is None:
        raise StudyError(f"The study {folder.file} names no agent; add a table [agent].")
    domain = DOMAINS[folder.study.domain]
    settings = AgentSettings(turns=spec.turns, temperature=spec.temperature, seed=spec.seed)
    with open_turns(folder.out / TURNS, session.report) as transcript:
        noun = "episode" if spec.episodes == 1 else "episodes"
        hashed, max_tokens = prompt_hash(domain, settings), settings.max_tokens
        seal = agent_seal(folder, spec, transcript, prompt_hash=hashed, max_tokens=max_tokens)
        player = Generator(
            seal=seal,
            transcript=transcript,
            why_unreadable=why_unreadable,
            items=range(spec.episodes),
            make=partial(_episode, domain, folder, settings),
            title=f"{spec.engine} plays {spec.episodes} {noun}; "
            f"{transcript.n_answers} of its turns are kept.",
            noun="episode",
        )
        facts = make_set(folder, [player], facts_file=EPISODES, session=session)
    if facts is None:
        return None
    confirmation = domain.dialogue.confirmation if domain.dialogue else None
    summary = summarise(facts, confirmation=confirmation)
    session.report(str(summary))
    return summary


def _episode(
    domain: AnyDomain,
    folder: StudyFolder,
    settings: AgentSettings,
    open_conversation: Conversations,
    index: int,
) -> list[Sample[EpisodeFacts]]:
    """Play an episode, and label it."""
    study = folder.study
    instance = domain.generate_in(study.world, study.seed, index)
    trajectory_id = f"{instance.instance_id}-agent"
    conversation = open_conversation(trajectory_id)
    episode = run_episode(domain, instance, model_agent(domain, instance, conversation, settings))
    run, rule_fired = label_episode(domain, instance, episode, trajectory_id)
    facts = facts_of(domain, instance, run, conversation.turns, rule_fired=rule_fired)
    return [Sample(instance, run, facts, report_of(facts, conversation.turns))]
