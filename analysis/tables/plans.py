"""Tables of plans: who graded them, what became of the requests, how right the plans are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from faultpair.agents.parse_plan import Attrition
from faultpair.env.plans.records import Tier
from faultpair.judges.plan_metrics.variants import VARIANTS

from ..data.study_data import StudyData
from ..plans.alignment.marginals import number_name
from ..plans.data import Plans
from ..plans.generators import ALL_REQUESTS, ALL_TIERS
from ..plans.graders import GraderPass, first_passes
from ..stats.estimate import Estimate
from . import detection
from .table import Cell, Column, Style, Table

__all__ = ["attrition", "design", "graders", "variants"]

Numbers = dict[str, Estimate]

OF_REPLIES = ("unchanged", "changed", "cell=", "policy=")
TIERS = (ALL_TIERS, *map(str, Tier))
HARVEST = (
    ("planned", Column("Planned", Style.COUNT)),
    ("kept", Column("Kept", Style.COUNT)),
    *((f"lost={kind}", Column(f"Lost: {kind}", Style.COUNT)) for kind in Attrition),
    ("kept-share", Column("Kept, share", Style.RATE)),
    ("seconds", Column("Seconds a request", Style.AMOUNT)),
    ("prompt-tokens", Column("Prompt tokens", Style.AMOUNT)),
    ("completion-tokens", Column("Completion tokens", Style.AMOUNT)),
)


def design(study: StudyData, numbers: Numbers) -> Table:
    """Count as in any study, without what only a reply or a policy tells apart."""
    table = detection.design(study, numbers)
    rows = tuple(row for row in table.rows if not str(row[0]).startswith(OF_REPLIES))
    return Table(table.name, table.title, table.columns, rows, table.notes)


def graders(plans: Plans, seats: Sequence[GraderPass], numbers: Numbers) -> Table:
    """Tell who was asked under which condition, by which ids, and what could not be read."""
    names = ("passes", "verdicts", "null", "null-share")
    places = {(seat.judge, seat.condition): seat for seat in first_passes(seats)}
    tiers = {judge.id: judge.tiers or plans.tier.names for judge in plans.cast.judges}
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            judge,
            condition,
            ", ".join(seat.ids),
            ", ".join(dict.fromkeys(str(tier) for name in seat.ids for tier in tiers[name])),
            *(numbers[number_name(f"grades/{name}", **seat.place)] for name in names),
        )
        for (judge, condition), seat in places.items()
    )
    columns = (
        *map(Column, ("Judge", "Condition", "In the study file", "Tiers")),
        *(Column(title, Style.COUNT) for title in ("Passes", "Verdicts", "Without grades")),
        Column("Without grades, share", Style.RATE),
    )
    notes = ("Verdicts without grades are left out of all tables of alignment and of pairs.",)
    return Table("plan-graders", "Who graded the plans", columns, rows, notes)


def attrition(plans: Plans, numbers: Numbers) -> Table:
    """Give what became of the requests for plans, by planner and tier."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (planner, tier, *(numbers[f"{start}/{name}{end}"] for name, _ in HARVEST))
        for start, planner, tier, end in _places(plans, numbers)
    )
    columns = (Column("Planner"), Column("Tier"), *(column for _, column in HARVEST))
    notes = ("Seconds and tokens are means over all requests, met or not.",)
    return Table("attrition", "Plans that were asked for, and what was lost", columns, rows, notes)


def variants(plans: Plans, numbers: Numbers) -> Table:
    """Set the variants of the reference side by side, by maker of plans and tier."""
    shown = (*VARIANTS, *((ALL_REQUESTS,) if plans.attempts else ()))
    rows = tuple(
        (generator, tier, *_of_variants(numbers, shown, generator, tier))
        for generator in (*plans.origin.names, *_lost_altogether(plans))
        for tier in TIERS
        if number_name("variant/printed", generator=generator, tier=tier) in numbers
    )
    titles = {name: name.replace("_", " ").capitalize() for name in VARIANTS}
    titles[ALL_REQUESTS] = "Printed, no plan counts 0"
    columns = (
        Column("Generator"),
        Column("Tier"),
        *(Column(titles[name], Style.RATE) for name in shown),
    )
    notes = (
        "Accuracy: mean of the four metrics over all plans that were made, judged or not; over "
        "all tiers, tiers alike. Intervals: percentile bootstrap over records in topologies.",
        "Dependency: the sequence by data flow. Schema: parameters by what the tool accepts. "
        "Equivalence: tools declared alike are one. Corrected: these three. Upper bound: every "
        "extra argument is credited.",
    )
    title = "Accuracy of the plans by every variant of the reference"
    return Table("variants", title, columns, rows, notes)


def _places(plans: Plans, numbers: Numbers) -> Iterable[tuple[str, str, str, str]]:
    for planner in dict.fromkeys(facts.planner for facts in plans.attempts):
        for tier in TIERS:
            end = number_name("", generator=planner, tier=tier)
            if f"attrition/planned{end}" in numbers:
                yield "attrition", planner, tier, end


def _lost_altogether(plans: Plans) -> Iterable[str]:
    """Return the planners of whom no plan is left."""
    asked = dict.fromkeys(facts.planner for facts in plans.attempts)
    return (planner for planner in asked if planner not in plans.origin.names)


def _of_variants(
    numbers: Numbers, shown: Iterable[str], generator: str, tier: str
) -> tuple[Cell, ...]:
    names = (number_name(f"variant/{name}", generator=generator, tier=tier) for name in shown)
    return tuple(numbers[name] for name in names)
