"""What a study may not ask for, although each of its keys is well formed."""

from __future__ import annotations

from pathlib import Path

from faultpair.engines.catalog import provider_of
from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import StudyError
from faultpair.env.records import ReplyPolicy
from faultpair.runner.panel import OUTSIDE

from .spec import StudySpec

__all__ = ["refuse_contradictions"]


def refuse_contradictions(file: Path, study: StudySpec) -> None:
    """Refuse a study whose parts contradict each other or its domain.

    Raises
    ------
    StudyError
        It names the file, the parts, and what to change.
    """
    n_clean = study.clean  # a scenario that does not exist is refused here
    if study.agent is None and not study.plants and not n_clean:
        raise StudyError(f"The study {file} asks for no runs: set clean, or list faults.")
    if study.planners:
        _refuse_planners(file, study)
    _refuse_alike(file, study)
    if study.agent is not None:
        _refuse_agent(file, study)
    _refuse_repeats(file, study)
    _refuse_tiers(file, study)


def _refuse_agent(file: Path, study: StudySpec) -> None:
    """Refuse an agent beside other runs, or in a domain where nobody sees what a call gives."""
    if study.plants or study.clean:
        raise StudyError(
            f"The study {file} has both an agent and clean or planted runs. Runs of a model are "
            "never mixed with planted ones: make it two studies."
        )
    if study.domain in DOMAINS and DOMAINS[study.domain].plans is not None:
        raise StudyError(
            f"The study {file} names an agent, which acts on what it observes, and in "
            f"{study.domain} nothing is observed. Name [[planners]] instead."
        )


def _refuse_repeats(file: Path, study: StudySpec) -> None:
    variants: dict[tuple[str, ReplyPolicy], set[str | None]] = {}
    for plant in study.plants:
        seen = variants.setdefault((plant.name, plant.policy), set())
        # An entry without a variant draws among all, so it may not stand beside one with.
        if seen and (plant.variant in seen or None in (plant.variant, *seen)):
            raise StudyError(
                f"The study {file} lists {plant.name!r} twice with the same policy and variant. "
                "Merge the two entries, or give each a variant of its own."
            )
        seen.add(plant.variant)


def _refuse_tiers(file: Path, study: StudySpec) -> None:
    """Refuse tiers of a domain that has none, and a tier that is named twice."""
    if "tiers" in study.model_fields_set and DOMAINS[study.domain].plans is None:
        raise StudyError(
            f"The study {file} names tiers, which only domains of plans have; "
            f"leave them out in a study of {study.domain}."
        )
    if len(set(study.tiers)) < len(study.tiers):
        raise StudyError(f"The study {file} names a tier twice; name each once.")


def _refuse_alike(file: Path, study: StudySpec) -> None:
    """Refuse two judges of plans that ask the same about the same plans: they are one row."""
    for place, judge in enumerate(study.plan_judges):
        for other in study.plan_judges[:place]:
            tiers = set(judge.tiers or study.tiers) & set(other.tiers or study.tiers)
            if tiers and judge.question == other.question:
                raise StudyError(
                    f"The study {file} has two judges that ask {judge.engine} the same about the "
                    f"same plans: {other.id!r} and {judge.id!r}. Leave one out, or set repeats "
                    "to ask it more than once."
                )


def _refuse_planners(file: Path, study: StudySpec) -> None:
    """Refuse planners who have nothing to plan, stand beside planted runs, or share an id."""
    if DOMAINS[study.domain].plans is None:
        raise StudyError(
            f"The study {file} names planners, and {study.domain} has nothing to plan: its runs "
            "are episodes. Name an [agent], or name the planners in a study of a domain of plans."
        )
    if study.plants or study.agent is not None:
        beside = "planted plans" if study.plants else "an agent"
        raise StudyError(
            f"The study {file} has both planners and {beside}. What a model plans is never mixed "
            "with other runs: make it two studies."
        )
    for planner in study.planners:
        if provider_of(planner.engine) in OUTSIDE:
            raise StudyError(
                f"The planner {planner.id!r} of the study {file} is one from outside, "
                f"{planner.engine}, which is given runs to judge and cannot plan. Name a model: "
                "local:MODEL, ollama:MODEL, openai:MODEL."
            )
    ids = [planner.id for planner in study.planners]
    for planner_id in ids:
        if ids.count(planner_id) > 1 or planner_id == "clean":
            raise StudyError(
                f"The study {file} names a planner {planner_id!r}, which is the name of another "
                "planner or of the scripted one. Give each an id of its own."
            )
