"""The seal of each planner: who is asked for plans, and how, fixed before its first answer."""

from __future__ import annotations

from collections.abc import Iterator

from env.records import Turn
from oracle.model_planner import PlannerSettings, planner_prompt_hash

from .maker_seal import Seal
from .sections import PlannerSpec
from .study_folder import StudyFolder
from .turns import TurnBook

__all__ = ["planner_seal", "settings_of", "turns_by"]


def settings_of(spec: PlannerSpec) -> PlannerSettings:
    """Return how a study wants a planner to be asked."""
    return PlannerSettings(spec.temperature, spec.seed, spec.max_tokens)


def planner_seal(folder: StudyFolder, spec: PlannerSpec, book: TurnBook) -> Seal:
    """Return the seal of one of a study's planners."""
    terms = {
        "prompt_hash": planner_prompt_hash(),
        "engine": spec.engine,
        "temperature": spec.temperature,
        "seed": spec.seed,
        "max_tokens": spec.max_tokens,
    }
    place = ("planners", spec.id)
    return Seal(folder, f"planner {spec.id!r}", place, terms, lambda: turns_by(book, spec.id))


def turns_by(book: TurnBook, planner_id: str) -> Iterator[Turn]:
    """Yield the turns of a planner, of whichever records they are."""
    for turn in book.turns():
        # Record, tier and planner, as in WFL-00012-easy-small; the last may hold hyphens.
        *_, made_by = turn.trajectory_id.split("-", 3)
        if made_by == planner_id:
            yield turn
