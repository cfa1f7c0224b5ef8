"""The seal of each planner: who is asked for plans, and how, fixed before its first answer."""

from __future__ import annotations

from collections.abc import Iterator

from faultpair.agents.planner import PlannerSettings, planner_prompt_hash
from faultpair.env.records import ModelTurn

from .folder import StudyFolder
from .generator_seal import GeneratorSeal
from .sections import PlannerSpec
from .transcript import Transcript

__all__ = ["planner_seal", "settings_of", "turns_by"]


def settings_of(spec: PlannerSpec) -> PlannerSettings:
    """Return how a study wants a planner to be asked."""
    return PlannerSettings(spec.temperature, spec.seed, spec.max_tokens)


def planner_seal(folder: StudyFolder, spec: PlannerSpec, book: Transcript) -> GeneratorSeal:
    """Return the seal of one of a study's planners."""
    terms = {
        "prompt_hash": planner_prompt_hash(),
        "engine": spec.engine,
        "temperature": spec.temperature,
        "seed": spec.seed,
        "max_tokens": spec.max_tokens,
    }
    place = ("planners", spec.id)
    return GeneratorSeal(
        folder, f"planner {spec.id!r}", place, terms, lambda: turns_by(book, spec.id)
    )


def turns_by(book: Transcript, planner_id: str) -> Iterator[ModelTurn]:
    """Yield the turns of a planner, of whichever records they are."""
    for turn in book.turns():
        # Record, tier and planner, as in WFL-00012-easy-small; the last may hold hyphens.
        *_, made_by = turn.trajectory_id.split("-", 3)
        if made_by == planner_id:
            yield turn
