"""Letting models plan the records of a study: the set of a study that names planners.

Every answer is kept as it comes. Plans, their labels, what became of each attempt and
the manifest are a function of the kept answers, so a run that was broken off goes on
where it was, and one that is whole is made again without a call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import NamedTuple

from faultpair.agents.parse_plan import NoPlan, read_plan
from faultpair.agents.plan_facts import PlanFacts, PlanningSummary, facts_of_plan, summarise_plans
from faultpair.agents.planner import PlannerSettings, plan_of, planner_prompt_hash
from faultpair.calls.client import RetryPolicy
from faultpair.calls.recorded_model import RecordedModel
from faultpair.engines.engine import Reply
from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import InfrastructureError, StudyError
from faultpair.env.plans.records import PlanInstance
from faultpair.env.records import Trajectory
from faultpair.judges.plan_metrics.metrics import METRICS
from faultpair.runner.ground_truth import refuse_impossible_swaps
from faultpair.runner.scheduler import EngineFactory
from faultpair.studies.folder import StudyFolder
from faultpair.studies.preregistration import planner_seal
from faultpair.studies.spec import PlannerSpec, StudySpec
from faultpair.studies.transcript import TURNS, open_turns

from .generated import write_made_set
from .planner_label import labelled_plan

__all__ = ["PLANS", "plan"]

PLANS = "plans.jsonl"

_Record = tuple[PlanInstance, ...]
"""A record at each tier of a study."""


class _Attempt(NamedTuple):
    """What came of asking for a plan; without one there is no run."""

    run: Trajectory | None
    facts: PlanFacts


def plan(
    folder: StudyFolder,
    means: EngineFactory = EngineFactory(),  # noqa: B008, the default is frozen
    *,
    patience: RetryPolicy = RetryPolicy(),  # noqa: B008
    tell: Callable[[str], None] | None = None,
) -> tuple[PlanningSummary, ...]:
    """Have planned what is missing of a study, then write its set; return what each planner made.

    Parameters
    ----------
    tell : is given a line before each planner and one for each record planned, and the counts

    Raises
    ------
    StudyError
        If the study names no planner, or another than the one that gave the kept answers.
    UsageError
        If a judge is to be shown swapped plans and there are too few.
    EngineError
        If an answer did not come; those so far are kept, and the set stays as it was.
    InfrastructureError
        If no answer at all holds a plan; what came is kept and counted all the same.
    """
    study = folder.study
    if not study.planners:
        raise StudyError(f"The study {folder.file} names no planners; add a table [[planners]].")
    tell = tell or (lambda line: None)
    records = _records_of(study)
    refuse_impossible_swaps(study, chain.from_iterable(records))
    with open_turns(folder.out / TURNS, tell) as book:
        prompts = planner_prompt_hash()
        seals = [planner_seal(folder, one, book, prompt_hash=prompts) for one in study.planners]
        for seal in seals:
            seal.check()
        # One planner after the other: two models at once would only take each other's place.
        made = [
            _Planner(spec, RecordedModel(seal, book, means, patience, _why_unreadable), tell).plan(
                records
            )
            for spec, seal in zip(study.planners, seals, strict=True)
        ]
        # Record by record, so that every beginning of the set holds plans of all planners.
        write_made_set(
            folder,
            zip(chain.from_iterable(records), zip(*made, strict=True), strict=True),
            facts_file=PLANS,
            book=book,
            makers={"planners": {seal.place[-1]: seal.entry() for seal in seals}},
        )
    counted = summarise_plans(attempt.facts for attempt in chain.from_iterable(made))
    for harvest in counted:
        tell(str(harvest))
    _refuse_nothing(folder, counted)
    return counted


@dataclass(frozen=True, slots=True)
class _Planner:
    """One planner at work."""

    spec: PlannerSpec
    asker: RecordedModel
    tell: Callable[[str], None]

    def plan(self, records: Sequence[_Record]) -> list[_Attempt]:
        """Plan all records, as far as their plans are not kept."""
        self.tell(f"{self.spec.engine} plans {len(records)} records as {self.spec.id}.")
        made = self.asker.serve(partial(self._of_record, records), range(len(records)))
        return list(chain.from_iterable(made))

    def _of_record(self, records: Sequence[_Record], index: int) -> list[_Attempt]:
        """Plan a record tier by tier, as far as its plans are not kept."""
        n_kept = self._n_turns(records[index])
        attempts = [self._attempt(instance) for instance in records[index]]
        if self._n_turns(records[index]) > n_kept:
            where = f"{self.spec.id}, record {index + 1} of {len(records)}"
            self.tell(f"{where}: {_told(attempts)}")
        return attempts

    def _n_turns(self, record: _Record) -> int:
        return sum(len(self.asker.book.of(self._id_of(instance))) for instance in record)

    def _id_of(self, instance: PlanInstance) -> str:
        return f"{instance.instance_id}-{self.spec.id}"

    def _attempt(self, instance: PlanInstance) -> _Attempt:
        trajectory_id = self._id_of(instance)
        answering = self.asker.answering(trajectory_id)
        found = plan_of(instance, answering, _settings_of(self.spec))
        run = scores = None
        if not isinstance(found, NoPlan):
            run, scored = labelled_plan(instance, found, trajectory_id)
            scores = dict(zip(METRICS, scored.values, strict=True))
        turns = self.asker.book.of(trajectory_id)
        return _Attempt(run, facts_of_plan(instance, self.spec.id, found, scores, turns))


def _settings_of(spec: PlannerSpec) -> PlannerSettings:
    return PlannerSettings(spec.temperature, spec.seed, spec.max_tokens)


def _records_of(study: StudySpec) -> list[_Record]:
    domain = DOMAINS[study.domain]
    assert domain.plans is not None  # a study that names planners is of such a domain
    at_tier = domain.plans.at_tier
    made = (domain.generate(study.seed, n) for n in range(study.clean) if study.wants(n))
    return [tuple(at_tier(record, tier) for tier in study.tiers) for record in made]


def _told(attempts: Sequence[_Attempt]) -> str:
    """Say how many calls each plan has, or why there is none."""
    return ", ".join(facts.attrition or _n_calls(facts.n_calls) for _, facts in attempts)


def _n_calls(n: int) -> str:
    return f"{n} call{'' if n == 1 else 's'}"


def _why_unreadable(reply: Reply) -> str | None:
    found = read_plan(reply.text, reply.finish_reason)
    return found.reason if isinstance(found, NoPlan) else None


def _refuse_nothing(folder: StudyFolder, counted: Iterable[PlanningSummary]) -> None:
    if not any(harvest.n_plans for harvest in counted):
        raise InfrastructureError(
            f"No answer of any planner of {folder.file} holds a plan, so there is nothing to "
            f"judge. {folder.out / TURNS} holds what they answered; ask others, or ask otherwise."
        )
