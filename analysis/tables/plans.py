"""Tables of plans: their graders, the results of the requests, their accuracy."""

from __future__ import annotations

from collections.abc import Sequence

from faultpair.agents.parse_plan import Attrition
from faultpair.env.plans.records import Tier
from faultpair.judges.plan_metrics.variants import VARIANTS

from ..data.study_data import StudyData
from ..metrics.key import Group, Numbers
from ..plans.accuracy import ALL_REQUESTS
from ..plans.alignment.key import ALL_TIERS, PlanKey, PlanNumbers
from ..plans.data import Plans
from ..plans.graders import GraderPass, first_passes
from . import detection
from .rows import across
from .table import Column, Row, Style, Table, counts, rates, words

__all__ = ["attrition", "design", "graders", "variants"]

OF_REPLIES = ("unchanged", "changed", "cell", "policy")
TIERS = (ALL_TIERS, *map(str, Tier))
RESULTS = {
    "planned": Column("Planned", Style.COUNT),
    "kept": Column("Kept", Style.COUNT),
    **{f"lost={kind}": Column(f"Lost: {kind}", Style.COUNT) for kind in Attrition},
    "kept-share": Column("Kept, share", Style.RATE),
    "seconds": Column("Seconds a request", Style.AMOUNT),
    "prompt-tokens": Column("Prompt tokens", Style.AMOUNT),
    "completion-tokens": Column("Completion tokens", Style.AMOUNT),
}


def design(study: StudyData, numbers: Numbers) -> Table:
    """Count as in any study, without the groups that only a reply or a policy makes."""
    kept = {
        key: number
        for key, number in numbers.items()
        if not (isinstance(key.group, Group) and key.group.factor in OF_REPLIES)
    }
    return detection.design(study, kept)


def graders(plans: Plans, passes: Sequence[GraderPass], numbers: PlanNumbers) -> Table:
    """Give the graders by condition, their ids, and the verdicts without grades."""
    names = ("passes", "verdicts", "null", "null-share")
    first = {(grader.judge, grader.condition): grader for grader in first_passes(passes)}
    tiers = {judge.id: judge.tiers or plans.tier.names for judge in plans.settings.judges}
    rows: list[Row] = []
    for (judge, condition), grader in first.items():
        seen = dict.fromkeys(str(tier) for name in grader.ids for tier in tiers[name])
        grades = across(numbers, PlanKey("grades", **grader.place), "of", names)
        rows.append((judge, condition, ", ".join(grader.ids), ", ".join(seen), *grades))
    columns = words("Judge", "Condition", "In the study file", "Tiers")
    columns += counts("Passes", "Verdicts", "Without grades") + rates("Without grades, share")
    notes = ("Verdicts without grades are left out of all tables of alignment and of pairs.",)
    return Table("plan-graders", "Who graded the plans", columns, tuple(rows), notes)


def attrition(plans: Plans, numbers: PlanNumbers) -> Table:
    """Give the results of the requests for plans, by planner and tier."""
    planners = dict.fromkeys(facts.planner for facts in plans.attempts)
    keys = (PlanKey("attrition", generator=name, tier=tier) for name in planners for tier in TIERS)
    rows = tuple(
        (key.generator, key.tier, *across(numbers, key, "of", RESULTS))
        for key in keys
        if key._replace(of="planned") in numbers
    )
    columns = (*words("Planner", "Tier"), *RESULTS.values())
    notes = ("Seconds and tokens are means over all requests, met or not.",)
    return Table("attrition", "Plans that were asked for, and what was lost", columns, rows, notes)


def variants(plans: Plans, numbers: PlanNumbers) -> Table:
    """Give the accuracy by all variants of the reference, by generator and tier."""
    shown = (*VARIANTS, *((ALL_REQUESTS,) if plans.attempts else ()))
    # Planners without any plan have a row too.
    generators = dict.fromkeys((*plans.origin.names, *(f.planner for f in plans.attempts)))
    keys = (PlanKey("variant", generator=name, tier=tier) for name in generators for tier in TIERS)
    rows = tuple(
        (key.generator, key.tier, *across(numbers, key, "of", shown))
        for key in keys
        if key._replace(of="printed") in numbers
    )
    titles = {name: name.replace("_", " ").capitalize() for name in VARIANTS}
    titles[ALL_REQUESTS] = "Printed, no plan counts 0"
    columns = words("Generator", "Tier") + rates(*(titles[name] for name in shown))
    notes = (
        "Accuracy: mean of the four metrics over all plans that were made, judged or not; over "
        "all tiers, tiers alike. Intervals: exact at the number of records that the "
        "mean is worth, by the variance of resampled records.",
        "Dependency: the sequence by data flow. Schema: parameters by what the tool accepts. "
        "Equivalence: tools declared alike are one. Corrected: these three. Upper bound: every "
        "extra argument is credited.",
    )
    title = "Accuracy of the plans by every variant of the reference"
    return Table("variants", title, columns, rows, notes)
