"""The set of a study that names planners: plans that models write for its records."""

from __future__ import annotations

from functools import partial
from itertools import chain

from faultpair.agents.plan_facts import PlanFacts, PlanningSummary, facts_of_plan, summarise_plans
from faultpair.agents.planner import PlannerSettings, plan_of, planner_prompt_hash, why_unreadable
from faultpair.calls.session import CallSession
from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import InfrastructureError, StudyError
from faultpair.env.plans.records import PlanInstance
from faultpair.studies.folder import StudyFolder
from faultpair.studies.preregistration import planner_seal
from faultpair.studies.transcript import TURNS, open_turns

from .generated_set import Conversations, Generator, Sample, make_set
from .ground_truth import refuse_impossible_swaps
from .labels import label_plan

__all__ = ["PLANS", "make_plans"]

PLANS = "plans.jsonl"

_Record = tuple[PlanInstance, ...]
"""A record at each tier of a study."""


def make_plans(folder: StudyFolder, session: CallSession) -> tuple[PlanningSummary, ...] | None:
    """Ask for the missing plans of a study, write its set, and return a summary of each planner.

    None if the run stops before all were asked for (see `make_set`).

    Raises
    ------
    UsageError
        If a judge is to be shown swapped plans and there are too few.
    InfrastructureError
        If no answer at all holds a plan; the answers are kept and counted all the same.
    """
    study = folder.study
    if not study.planners:
        raise StudyError(f"The study {folder.file} names no planners; add a table [[planners]].")
    domain = DOMAINS[study.domain]
    assert domain.plans is not None  # a study that names planners is of such a domain
    at_tier = domain.plans.at_tier
    wanted = (index for index in range(study.clean) if study.wants(index))
    made = (domain.generate_in(study.world, study.seed, index) for index in wanted)
    records: list[_Record] = [
        tuple(at_tier(record, tier) for tier in study.tiers) for record in made
    ]
    refuse_impossible_swaps(study, chain.from_iterable(records))
    with open_turns(folder.out / TURNS, session.report) as transcript:
        planners = [
            Generator(
                seal=planner_seal(folder, spec, transcript, prompt_hash=planner_prompt_hash()),
                transcript=transcript,
                why_unreadable=why_unreadable,
                items=records,
                make=partial(
                    _plan_record,
                    spec.id,
                    PlannerSettings(spec.temperature, spec.seed, spec.max_tokens),
                ),
                title=f"{spec.engine} plans {len(records)} records as {spec.id}.",
                noun=f"{spec.id}, record",
            )
            for spec in study.planners
        ]
        facts = make_set(folder, planners, facts_file=PLANS, session=session)
    if facts is None:
        return None
    summaries = summarise_plans(facts)
    for summary in summaries:
        session.report(str(summary))
    if not any(summary.n_plans for summary in summaries):
        raise InfrastructureError(
            f"No answer of any planner of {folder.file} holds a plan, so there is nothing to "
            f"judge. {folder.out / TURNS} holds what they answered; choose other planners, or "
            "change their settings."
        )
    return summaries


def _plan_record(
    planner_id: str, settings: PlannerSettings, open_conversation: Conversations, record: _Record
) -> list[Sample[PlanFacts]]:
    """Plan a record tier by tier."""
    samples: list[Sample[PlanFacts]] = []
    for instance in record:
        trajectory_id = f"{instance.instance_id}-{planner_id}"
        conversation = open_conversation(trajectory_id)
        answer = plan_of(instance, conversation, settings)
        run, scores = label_plan(instance, answer, trajectory_id)
        facts = facts_of_plan(instance, planner_id, answer, scores, conversation.turns)
        n_calls = f"{facts.n_calls} call{'' if facts.n_calls == 1 else 's'}"
        samples.append(Sample(instance, run, facts, facts.attrition or n_calls))
    return samples
