"""The seal of an agent: who plays a study, and how it is asked, fixed before its first turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.engine import Identity
from env.domain import AnyDomain
from env.errors import StudyError
from oracle.model_agent import AgentSettings, prompt_hash

from .agent_turns import TurnBook
from .manifest import read_manifest, write_manifest
from .study import AgentSpec, StudyFolder

__all__ = ["agent_terms", "refuse_another", "seal_agent", "seal_of", "settings_of"]


def settings_of(spec: AgentSpec) -> AgentSettings:
    """Return how a study wants its agent to be asked."""
    return AgentSettings(turns=spec.turns, temperature=spec.temperature, seed=spec.seed)


def agent_terms(domain: AnyDomain, spec: AgentSpec) -> dict[str, Any]:
    """Return what makes an agent this agent, as far as the study says it."""
    settings = settings_of(spec)
    return {
        "prompt_hash": prompt_hash(domain, settings),
        "engine": spec.engine,
        "temperature": settings.temperature,
        "seed": settings.seed,
        "turns": settings.turns,
        "max_tokens": settings.max_tokens,
    }


def seal_agent(
    folder: StudyFolder, terms: Mapping[str, Any], identity: Identity, *, is_new: bool
) -> None:
    """Enter an agent, and who answers for it, before it is asked.

    Parameters
    ----------
    is_new : whether no answer is kept yet, so that an earlier seal binds nobody

    Raises
    ------
    StudyError
        If the kept answers are those of another.
    """
    manifest = read_manifest(folder.manifest)
    who = {"engine_version": identity.engine_version, "model_digest": identity.model_digest}
    sealed = {**terms, **who}
    if is_new or "agent" not in manifest:
        manifest["agent"] = {**sealed, "builds": []}
    entry = manifest["agent"]
    refuse_another(folder, entry, sealed)
    if identity.build is not None and identity.build not in entry["builds"]:
        entry["builds"].append(identity.build)
    write_manifest(folder.manifest, manifest)


def refuse_another(folder: StudyFolder, entry: Mapping[str, Any], terms: Mapping[str, Any]) -> None:
    """Refuse to go on with an agent that is not the one that was sealed.

    Raises
    ------
    StudyError
        It names what differs.
    """
    for key, value in terms.items():
        if entry.get(key) != value:
            raise StudyError(
                f"The agent of {folder.file} was sealed in {folder.manifest} with {key} "
                f"{entry.get(key)!r}, and now it is {value!r}. Episodes of two agents must not "
                "stand in one set: restore what changed, or run the study elsewhere with --out."
            )


def seal_of(folder: StudyFolder, terms: Mapping[str, Any], book: TurnBook) -> dict[str, Any]:
    """Return the seal; where the manifest was lost, as far as the first turn tells it."""
    entry: dict[str, Any] | None = read_manifest(folder.manifest).get("agent")
    if entry is not None:
        return entry
    first = next(turn for turns in book.kept.values() for turn in turns)
    who = {"engine_version": first.engine_version, "model_digest": first.model_digest}
    return {**terms, **who, "builds": []}
