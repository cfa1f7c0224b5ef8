"""The panel: the judges that a study names, those who ask somebody and those who do not.

A name is a judge's id, or says whom to ask: ``ollama:qwen2.5:14b``,
``local:smollm2-135m``, ``python:package.module:function``, a URL, ``cmd:program``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from faultpair.engines.catalog import PROVIDERS, is_external, provider_of
from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import StudyError, UsageError
from faultpair.env.plans.records import Tier
from faultpair.judges.catalog import find_judge
from faultpair.judges.engine_judge import EngineJudge
from faultpair.judges.external import ExternalJudge
from faultpair.judges.judge import Judge
from faultpair.judges.model_judge import ModelJudge
from faultpair.judges.plans.plan_judge import PlanJudge
from faultpair.judges.prompts import role_text
from faultpair.judges.task import TASKS
from faultpair.judges.view import VIEWS
from faultpair.studies.spec import ModelJudgeSpec, PlanJudgeSpec, StudySpec, VoteSpec

__all__ = ["JudgeAssignment", "Panel", "names_an_engine", "panel_of"]


@dataclass(frozen=True, slots=True)
class JudgeAssignment:
    """A judge that asks somebody, how often it goes over the set, and over how much of it.

    ``pairs`` limits it to some faults with their parents, ``tiers`` to some tiers of plans.
    """

    judge: EngineJudge
    repeats: int = 1
    pairs: int | None = None
    tiers: tuple[Tier, ...] = ()

    @property
    def passes(self) -> int:
        """How many verdicts it gives on a run."""
        return self.repeats * self.judge.samples // self.judge.parts


@dataclass(frozen=True, slots=True)
class Panel:
    """All judges of a study."""

    without_model: tuple[Judge, ...]
    seats: tuple[JudgeAssignment, ...]
    votes: tuple[VoteSpec, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all judges, in the order of the study."""
        silent = (judge.judge_id for judge in self.without_model)
        asking = (seat.judge.judge_id for seat in self.seats)
        return (*silent, *asking, *(vote.id for vote in self.votes))


def panel_of(study: StudySpec, extra: Sequence[str] = ()) -> Panel:
    """Return the judges of a study, and those named besides.

    Raises
    ------
    StudyError
        If two judges have one id, a vote is on a judge that is not there, or plans are to
        be graded in a domain that has none.
    UsageError
        If there is no such judge, view or task.
    """
    names = dict.fromkeys((*study.judges, *extra))
    seats = [_seat(spec, study.domain) for spec in study.model_judges]
    seats += [_plan_seat(spec, study) for spec in study.plan_judges]
    seats += [_named_seat(name, study.domain) for name in names if names_an_engine(name)]
    silent = tuple(_without_model(name, study) for name in names if not names_an_engine(name))
    panel = Panel(silent, tuple(seats), study.votes)
    _refuse_repeats(panel)
    _refuse_empty_votes(panel)
    return panel


def _without_model(name: str, study: StudySpec) -> Judge:
    try:
        return find_judge(name, study.domain)
    except UsageError as error:
        raise UsageError(
            f"{error} Or say whom to ask: ollama:MODEL, openai:MODEL, local:MODEL, "
            "python:MODULE:FUNCTION, a URL, cmd:PROGRAM."
        ) from None


def names_an_engine(name: str) -> bool:
    """Return whether a judge's name says whom to ask."""
    return provider_of(name) in PROVIDERS or is_external(name)


def _seat(spec: ModelJudgeSpec, domain: str) -> JudgeAssignment:
    if is_external(spec.engine):
        return _outside_seat(spec)
    if DOMAINS[domain].plans is not None:
        raise StudyError(
            f"The judge {spec.id!r} asks a model about what an agent observed, and in the domain "
            f"{domain!r} there are only plans. Make it one of [[plan_judges]], which grade plans."
        )
    role_text(domain)  # a domain without a list of fault kinds is refused before any call
    judge = ModelJudge(
        spec.id,
        domain,
        spec.engine,
        VIEWS[spec.view].name,
        TASKS[spec.task].name,
        spec.form,
        spec.temperature,
        spec.seed,
        spec.samples,
        spec.max_tokens,
        spec.graded,
    )
    return JudgeAssignment(judge, spec.repeats, spec.pairs)


def _outside_seat(spec: ModelJudgeSpec) -> JudgeAssignment:
    if _has_password(spec.engine) or _has_password(spec.id):
        raise StudyError(
            "The address of a judge holds a password, and records name every judge they ask. "
            "Leave it out; --key-from VARIABLE sends a key that the environment holds."
        )
    idle = sorted(spec.model_fields_set - {"id", "engine", "samples", "repeats", "pairs"})
    if idle:
        raise StudyError(
            f"The judge {spec.id!r} is one from outside, {spec.engine}: it is sent the whole "
            f"exhibit and knows its own task, so {', '.join(idle)} has no effect. Leave it out."
        )
    return JudgeAssignment(
        ExternalJudge(spec.id, spec.engine, spec.samples), spec.repeats, spec.pairs
    )


def _plan_seat(spec: PlanJudgeSpec, study: StudySpec) -> JudgeAssignment:
    if DOMAINS[study.domain].plans is None:
        raise StudyError(
            f"The judge {spec.id!r} grades plans, and the domain {study.domain!r} has none. "
            "Make it one of [[model_judges]], or take it into a study of a domain with plans."
        )
    if is_external(spec.engine):
        raise StudyError(
            f"The judge {spec.id!r} grades plans in words that a model is told, and "
            f"{spec.engine} is a judge of its own. Name a model, such as local:MODEL."
        )
    absent = [tier for tier in spec.tiers if tier not in study.tiers]
    if absent:
        raise StudyError(
            f"The judge {spec.id!r} grades plans of the tier '{absent[0]}', and the study has "
            f"{', '.join(study.tiers)}. Add it to the tiers of the study, or leave it out."
        )
    chosen = spec.model_dump(exclude={"id", "engine", "repeats", "tiers"})
    judge = PlanJudge(spec.id, spec.engine, **chosen, swap_seed=study.seed)
    return JudgeAssignment(judge, spec.repeats, tiers=spec.tiers)


def _has_password(name: str) -> bool:
    try:
        return urlsplit(name).password is not None
    except ValueError:  # it is no address; who opens it says so
        return False


def _named_seat(name: str, domain: str) -> JudgeAssignment:
    return _seat(ModelJudgeSpec(id=name, engine=name), domain)


def _refuse_repeats(panel: Panel) -> None:
    ids = panel.ids
    for judge_id in ids:
        if ids.count(judge_id) > 1:
            raise StudyError(
                f"Two judges of the study have the id {judge_id!r}. Give each an id of its own."
            )


def _refuse_empty_votes(panel: Panel) -> None:
    passes = {seat.judge.judge_id: seat.passes for seat in panel.seats}
    for vote in panel.votes:
        if vote.of not in passes:
            known = ", ".join(passes) or "none"
            raise StudyError(
                f"The vote {vote.id!r} is on {vote.of!r}, which is no judge that asks a model. "
                f"Those of the study: {known}."
            )
        if vote.k > passes[vote.of]:
            raise StudyError(
                f"The vote {vote.id!r} takes {vote.k} passes, and {vote.of!r} makes "
                f"{passes[vote.of]}. Set its samples or its repeats to {vote.k}."
            )
