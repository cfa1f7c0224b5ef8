"""Which well-formed parts of a study contradict each other or its domain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from faultpair.engines.catalog import NETWORK, is_external, provider_of, shown_name
from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import StudyError
from faultpair.env.records import ReplyPolicy

from .spec import StudySpec

__all__ = ["refuse_contradictions"]


def refuse_contradictions(file: Path, study: StudySpec) -> None:
    """Raise a `StudyError` if parts of a study contradict each other or its domain."""
    problem = next(_contradictions(study), None)
    if problem is not None:
        raise StudyError(f"The study {file} {problem}")


def _contradictions(study: StudySpec) -> Iterator[str]:
    yield from _about_the_world(study)
    # `study.clean` refuses a scenario that the domain does not have.
    if not study.clean and study.agent is None and not study.plants:
        yield "asks for no runs: set clean, or list faults."
    if study.planners:
        yield from _about_planners(study)
    if study.agent is not None:
        yield from _about_the_agent(study)
    yield from _about_keys(study)
    yield from _about_tiers(study)
    yield from _repeated_plants(study)
    yield from _equal_plan_judges(study)
    yield from _repeated_contrasts(study)
    yield from _about_stopping(study)


def _about_the_world(study: StudySpec) -> Iterator[str]:
    if study.world == 1 or study.domain not in DOMAINS:
        return
    if study.world not in DOMAINS[study.domain].worlds:
        yield (
            f"asks for world {study.world}, and the domain {study.domain} has world 1 alone. "
            "Leave world out, or add it to the domain (docs/domains.md)."
        )


def _about_planners(study: StudySpec) -> Iterator[str]:
    if not _has_plans(study):
        yield (
            f"names planners, and {study.domain} has nothing to plan: its runs "
            "are episodes. Name an [agent], or choose a domain whose runs are plans."
        )
    if study.plants or study.agent is not None:
        beside = "planted plans" if study.plants else "an agent"
        yield (
            f"has both planners and {beside}. The plans of a model are never mixed "
            "with other runs: make it two studies."
        )
    for planner in study.planners:
        if is_external(planner.engine):
            yield (
                f"names the planner {planner.id!r}, whose engine {shown_name(planner.engine)} is "
                "an external judge and cannot plan. Name a model: local:MODEL, ollama:MODEL, "
                "openai:MODEL."
            )
    for planner_id in _repeated([*(planner.id for planner in study.planners), "clean"]):
        yield (
            f"names a planner {planner_id!r}, which is the name of another planner or of the "
            "scripted one. Give each an id of its own."
        )


def _about_the_agent(study: StudySpec) -> Iterator[str]:
    if study.plants or study.clean:
        yield (
            "has both an agent and clean or planted runs. Runs of a model are never mixed with "
            "planted ones: make it two studies."
        )
    if _has_plans(study):
        yield (
            "names an agent, which acts on what it observes, and in "
            f"{study.domain} nothing is observed. Name [[planners]] instead."
        )


def _about_keys(study: StudySpec) -> Iterator[str]:
    for table in study.asking:
        if table.key_from is not None and provider_of(table.engine) not in NETWORK:
            yield (
                f"names key_from = {table.key_from!r} for {table.engine}, which asks no server, so "
                "it has no effect. Leave it out."
            )


def _about_tiers(study: StudySpec) -> Iterator[str]:
    if "tiers" in study.model_fields_set and not _has_plans(study):
        yield (f"names tiers, and the instances of {study.domain} have none. Leave them out.")
    if any(_repeated(study.tiers)):
        yield "names a tier twice; name each once."


def _repeated_plants(study: StudySpec) -> Iterator[str]:
    variants: dict[tuple[str, ReplyPolicy], set[str | None]] = {}
    for plant in study.plants:
        earlier = variants.setdefault((plant.name, plant.policy), set())
        # An entry without a variant draws among all variants, also those of other entries.
        if earlier and (plant.variant in earlier or None in (plant.variant, *earlier)):
            yield (
                f"lists {plant.name!r} twice under one policy, with variants that overlap: an "
                "entry without a variant draws from all. Merge the two entries, or give each a "
                "variant of its own."
            )
        earlier.add(plant.variant)


def _equal_plan_judges(study: StudySpec) -> Iterator[str]:
    """Find two judges of plans with the same requests about the same plans: they are one row."""
    for place, judge in enumerate(study.plan_judges):
        for other in study.plan_judges[:place]:
            tiers = set(judge.tiers or study.tiers) & set(other.tiers or study.tiers)
            if tiers and judge.question == other.question:
                yield (
                    f"has two judges that ask {judge.engine} the same about the "
                    f"same plans: {other.id!r} and {judge.id!r}. Leave one out, or set repeats "
                    "to ask it more than once."
                )


def _repeated_contrasts(study: StudySpec) -> Iterator[str]:
    for name in _repeated([contrast.name for contrast in study.contrasts]):
        yield f"names two contrasts {name!r}. Give each a name of its own."


def _about_stopping(study: StudySpec) -> Iterator[str]:
    if study.stop is None:
        return
    if not study.faults:
        yield (
            "has a table [stop] and plants no faults, so no Δ can become clear. Leave it out, or "
            "list faults."
        )
    for judge_id in _repeated(study.stop.judges):
        yield f"names the judge {judge_id!r} twice in [stop]. Name each once."


def _has_plans(study: StudySpec) -> bool:
    """Return whether the runs of the study's domain are plans; of an unknown one they are not."""
    return study.domain in DOMAINS and DOMAINS[study.domain].plans is not None


def _repeated(names: Sequence[str]) -> Iterator[str]:
    for place, name in enumerate(names):
        if name in names[:place]:
            yield name
