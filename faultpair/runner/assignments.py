"""Assignments: a judge that asks an engine, its number of passes and its part of the set."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from faultpair.engines.catalog import is_external
from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import StudyError
from faultpair.env.plans.records import Tier
from faultpair.judges.engine_judge import EngineJudge
from faultpair.judges.external import ExternalJudge
from faultpair.judges.model_judge import ModelJudge
from faultpair.judges.prompts import role_text
from faultpair.judges.task import TASKS
from faultpair.judges.view import VIEWS
from faultpair.studies.spec import ModelJudgeSpec

__all__ = ["JudgeAssignment", "model_assignment"]


@dataclass(frozen=True, slots=True)
class JudgeAssignment:
    """A judge that asks an engine, its number of passes over the set, and its part of the set.

    ``pairs`` limits it to some faults with their parents, ``tiers`` to some tiers of plans.
    """

    judge: EngineJudge
    repeats: int = 1
    pairs: int | None = None
    tiers: tuple[Tier, ...] = ()

    @property
    def passes(self) -> int:
        """The number of its verdicts on a run."""
        return self.repeats * self.judge.samples // self.judge.parts


def model_assignment(spec: ModelJudgeSpec, domain: str) -> JudgeAssignment:
    """Return the assignment of a model or an external judge."""
    if is_external(spec.engine):
        return _external_assignment(spec)
    if DOMAINS[domain].plans is not None:
        raise StudyError(
            f"The judge {spec.id!r} asks a model about what an agent observed, and in the domain "
            f"{domain!r} there are only plans. Make it one of [[plan_judges]], which grade plans."
        )
    role_text(domain)  # a domain without a list of fault kinds is refused before any call
    judge = ModelJudge(
        judge_id=spec.id,
        domain=domain,
        engine=spec.engine,
        view=VIEWS[spec.view].name,
        task=TASKS[spec.task].name,
        form=spec.form,
        temperature=spec.temperature,
        seed=spec.seed,
        samples=spec.samples,
        max_tokens=spec.max_tokens,
        graded=spec.graded,
    )
    return JudgeAssignment(judge, spec.repeats, spec.pairs)


def _external_assignment(spec: ModelJudgeSpec) -> JudgeAssignment:
    if _has_password(spec.engine) or _has_password(spec.id):
        raise StudyError(
            "The address of a judge holds a password, and records name every judge they ask. "
            "Leave it out; --key-from VARIABLE sends a key that the environment holds."
        )
    unused = sorted(spec.model_fields_set - {"id", "engine", "samples", "repeats", "pairs"})
    if unused:
        raise StudyError(
            f"The judge {spec.id!r} is an external judge, {spec.engine}: it is sent the "
            f"whole exhibit and knows its own task, so {', '.join(unused)} has no effect. Leave it "
            "out."
        )
    judge = ExternalJudge(spec.id, spec.engine, spec.samples)
    return JudgeAssignment(judge, spec.repeats, spec.pairs)


def _has_password(name: str) -> bool:
    try:
        return urlsplit(name).password is not None
    except ValueError:  # it is no address; opening the engine reports that
        return False
