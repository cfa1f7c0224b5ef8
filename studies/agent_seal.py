"""The seal of a study's agent: who is asked for turns, and how, fixed before the first of them."""

from __future__ import annotations

from faultpair.agents.episode_agent import AgentSettings, prompt_hash
from faultpair.env.domain import AnyDomain

from .folder import StudyFolder
from .generator_seal import GeneratorSeal
from .sections import AgentSpec
from .transcript import Transcript

__all__ = ["agent_seal", "settings_of"]


def agent_seal(
    folder: StudyFolder, domain: AnyDomain, spec: AgentSpec, book: Transcript
) -> GeneratorSeal:
    """Return the seal of a study's agent."""
    settings = settings_of(spec)
    terms = {
        "prompt_hash": prompt_hash(domain, settings),
        "engine": spec.engine,
        "temperature": settings.temperature,
        "seed": settings.seed,
        "turns": settings.turns,
        "max_tokens": settings.max_tokens,
    }
    return GeneratorSeal(folder, "agent", ("agent",), terms, book.turns)


def settings_of(spec: AgentSpec) -> AgentSettings:
    """Return how a study wants its agent to be asked."""
    return AgentSettings(turns=spec.turns, temperature=spec.temperature, seed=spec.seed)
