"""The panel of a study: judges that ask an engine, judges without a model, and votes.

A judge is named by its id or by its engine: ``ollama:qwen2.5:14b``,
``local:smollm2-135m``, ``python:package.module:function``, a URL, ``cmd:program``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from unicodedata import category, normalize

from faultpair.engines.catalog import PROVIDERS, is_external, provider_of, shown_name
from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import StudyError, UsageError
from faultpair.env.plans.records import Tier
from faultpair.judges.baselines import ROWS_IN_TABLES
from faultpair.judges.catalog import find_judge
from faultpair.judges.engine_judge import EngineJudge
from faultpair.judges.external import ExternalJudge
from faultpair.judges.judge import Judge
from faultpair.judges.model_judge import ModelJudge
from faultpair.judges.plans.plan_judge import PlanJudge
from faultpair.studies.spec import MOST_PASSES, ModelJudgeSpec, PlanJudgeSpec, StudySpec, VoteSpec

__all__ = ["JudgeAssignment", "Panel", "names_an_engine", "panel_of"]

PROCESS_KEYS = ("env", "folder", "memory_mb")
"""Settings of a judge's process. They are no part of the judge, so they are not sealed."""


_UNSEEN = ("Mn", "Me", "Cf", "Cc")
_ALIKE = str.maketrans(
    "1i|0\u0430\u0435\u043e\u0441\u0455\u04bb\u043a\u04cf\u0442\u0251\u0261\u1d0b",
    "lllo" + "aeocshklt" + "agk",
)
"""Signs that are read as a letter of these names."""


@dataclass(frozen=True, slots=True)
class JudgeAssignment:
    """A judge that asks an engine, how often it goes over the set, and over which part of it.

    ``pairs`` limits it to some faults with their parents, ``tiers`` to some tiers of plans.
    ``address`` is the name of its engine with the secrets that the judge leaves out,
    ``key_from`` the variable that holds its key, and ``external`` the table of an external
    judge, which may say what its process is given.
    """

    judge: EngineJudge
    repeats: int = 1
    pairs: int | None = None
    tiers: tuple[Tier, ...] = ()
    address: str | None = None
    key_from: str | None = None
    external: ModelJudgeSpec | None = None

    def __post_init__(self) -> None:
        if self.passes > MOST_PASSES:
            raise StudyError(
                f"The judge {self.judge.judge_id!r} would make {self.passes:,} verdicts on a run, "
                f"samples × repeats; {MOST_PASSES:,} is the most."
            )

    @property
    def engine(self) -> str:
        """The name that opens its engine."""
        return self.address or self.judge.engine

    @property
    def passes(self) -> int:
        """The number of its verdicts on a run."""
        return self.repeats * self.judge.samples // self.judge.parts


@dataclass(frozen=True, slots=True)
class Panel:
    """All judges of a study."""

    without_model: tuple[Judge, ...]
    assignments: tuple[JudgeAssignment, ...]
    votes: tuple[VoteSpec, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all judges, in the order of the study."""
        without_model = (judge.judge_id for judge in self.without_model)
        asking = (assignment.judge.judge_id for assignment in self.assignments)
        return (*without_model, *asking, *(vote.id for vote in self.votes))


def panel_of(study: StudySpec, extra: Sequence[str] = ()) -> Panel:
    """Return the judges of a study, and further judges by name.

    Raises
    ------
    StudyError
        If two judges have one id, a vote is on an unknown judge, a judge does not fit the
        domain, or a setting has no effect.
    UsageError
        If there is no such judge, view or task, or no role text for the domain.
    """
    _refuse_alike(study.judges, extra)
    # A judge whose address has another secret now is the same judge.
    names = {shown_name(name): name for name in (*study.judges, *extra)}.values()
    assignments = [_model_assignment(spec, study.domain) for spec in study.model_judges]
    assignments += [_plan_assignment(spec, study) for spec in study.plan_judges]
    assignments += [
        _model_assignment(ModelJudgeSpec(id=name, engine=name), study.domain)
        for name in names
        if names_an_engine(name)
    ]
    without = tuple(_without_model(name, study) for name in names if not names_an_engine(name))
    panel = Panel(without, tuple(assignments), study.votes)
    _refuse_repeats(panel)
    _refuse_empty_votes(panel)
    return panel


def names_an_engine(name: str) -> bool:
    """Return whether the name of a judge names an engine to ask."""
    return provider_of(name) in PROVIDERS or is_external(name)


def _without_model(name: str, study: StudySpec) -> Judge:
    try:
        return find_judge(name, study.domain)
    except UsageError as error:
        reason = str(error).replace(name, shown_name(name))
        raise UsageError(
            f"{reason} Or name an engine: ollama:MODEL, openai:MODEL, local:MODEL, "
            "python:MODULE:FUNCTION, a URL, cmd:PROGRAM."
        ) from None


def _model_assignment(spec: ModelJudgeSpec, domain: str) -> JudgeAssignment:
    """Return the assignment of a model or an external judge."""
    if is_external(spec.engine):
        return _external_assignment(spec)
    if DOMAINS[domain].plans is not None:
        raise StudyError(
            f"The judge {spec.id!r} asks a model about what an agent observed, and in the domain "
            f"{domain!r} there are only plans. Make it one of [[plan_judges]], which grade plans."
        )
    _refuse_without_effect(spec, PROCESS_KEYS, "asks a model, which runs in no process of its own")
    judge = ModelJudge(
        judge_id=spec.id,
        domain=domain,
        engine=spec.engine,
        view=spec.view,
        task=spec.task,
        form=spec.form,
        temperature=spec.temperature,
        seed=spec.seed,
        samples=spec.samples,
        max_tokens=spec.max_tokens,
        graded=spec.graded,
    )
    return JudgeAssignment(judge, spec.repeats, spec.pairs, key_from=spec.key_from)


def _external_assignment(spec: ModelJudgeSpec) -> JudgeAssignment:
    used = {"id", "engine", "samples", "repeats", "pairs", "key_from", *PROCESS_KEYS}
    name = shown_name(spec.engine)
    _refuse_without_effect(
        spec,
        spec.model_fields_set - used,
        f"is an external judge, {name}: it is sent the whole exhibit and knows its own task",
    )
    if provider_of(spec.engine) not in ("python", "cmd"):
        _refuse_without_effect(spec, PROCESS_KEYS, "is an endpoint, which this run does not start")
    return JudgeAssignment(
        ExternalJudge(spec.id, name, spec.samples),
        spec.repeats,
        spec.pairs,
        address=spec.engine,
        key_from=spec.key_from,
        external=spec,
    )


def _refuse_without_effect(spec: ModelJudgeSpec, keys: Collection[str], reason: str) -> None:
    unused = sorted(spec.model_fields_set.intersection(keys))
    if unused:
        raise StudyError(
            f"The judge {spec.id!r} {reason}, so {', '.join(unused)} has no effect. Leave it out."
        )


def _plan_assignment(spec: PlanJudgeSpec, study: StudySpec) -> JudgeAssignment:
    if DOMAINS[study.domain].plans is None:
        raise StudyError(
            f"The judge {spec.id!r} grades plans, and the domain {study.domain!r} has none. "
            "Make it one of [[model_judges]], or take it into a study of a domain with plans."
        )
    if is_external(spec.engine):
        raise StudyError(
            f"The judge {spec.id!r} grades plans by a prompt for a model, and "
            f"{shown_name(spec.engine)} is an external judge. Name a model, such as local:MODEL."
        )
    absent = [tier for tier in spec.tiers if tier not in study.tiers]
    if absent:
        raise StudyError(
            f"The judge {spec.id!r} grades plans of the tier '{absent[0]}', and the study has "
            f"{', '.join(study.tiers)}. Add it to the tiers of the study, or leave it out."
        )
    chosen = spec.model_dump(exclude={"id", "engine", "key_from", "repeats", "tiers"})
    judge = PlanJudge(spec.id, spec.engine, **chosen, swap_seed=study.seed)
    return JudgeAssignment(judge, spec.repeats, tiers=spec.tiers, key_from=spec.key_from)


def _refuse_alike(*sources: Sequence[str]) -> None:
    """Refuse addresses of one source that differ in their secrets alone."""
    for names in sources:
        chosen: dict[str, str] = {}
        for name in names:
            if chosen.setdefault(shown_name(name), name) != name:
                raise StudyError(
                    f"Two judges are {shown_name(name)}: they differ in what records leave out of "
                    "an address. Make each one of [[model_judges]], with an id of its own."
                )


def _refuse_repeats(panel: Panel) -> None:
    ids = panel.ids
    for judge_id in ids:
        row = _row_like(judge_id)
        if row is not None:
            raise StudyError(
                f"The id {judge_id!r} reads like {row!r}, which tables have a row "
                "for already. Give the judge another id."
            )
        if ids.count(judge_id) > 1:
            raise StudyError(
                f"Two judges of the study have the id {judge_id!r}. Give each an id of its own."
            )


def _row_like(name: str) -> str | None:
    """Return the row of tables that a reader of a table would take a name for, if there is one.

    Case, blanks, accents and invisible characters do not tell names apart, nor does a sign that
    looks the same: ``Flag  all``, ``f1ag all``, or one whose ``a`` is Cyrillic.
    """
    shown = _as_shown(name)
    return next((known for known in ROWS_IN_TABLES if _looks_like(shown, _as_shown(known))), None)


def _as_shown(name: str) -> str:
    letters = normalize("NFKD", name).casefold().translate(_ALIKE)
    seen = (sign for sign in letters if sign.isspace() or category(sign) not in _UNSEEN)
    return " ".join("".join(seen).split())


def _looks_like(name: str, known: str) -> bool:
    """Return whether two names differ in signs beyond ASCII alone, in at most half of them."""
    if len(name) != len(known):
        return False
    other = [sign for sign, own in zip(name, known, strict=True) if sign != own]
    return 2 * len(other) <= len(known) and not any(sign.isascii() for sign in other)


def _refuse_empty_votes(panel: Panel) -> None:
    passes = {assignment.judge.judge_id: assignment.passes for assignment in panel.assignments}
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
