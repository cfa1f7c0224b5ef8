"""Sections of what rests on intervals: when to stop, looks on the way, and plans."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..stats.estimate import point, undefined
from ..stats.intervals import proportion
from ..tables.table import Row, Table, rates, signed, words
from .planned import planned_cells, planned_counts
from .section import EVERY, Counts, Section
from .stopping import look_cells, look_counts, stop_cells, stop_counts

__all__ = ["LOOKS", "PLANNED", "STOPS", "look_table", "planned_table", "stop_table"]

NOT_REACHED = "80 % power is not reached"


def stop_table(cells: Sequence[Counts]) -> Table:
    """Give how `[stop]` with a floor of .2 decides, and the calls that it makes."""
    rows: list[Row] = []
    for cell in cells:
        n = cell["studies"]
        watched = "mean over instances" if cell["by_instance"] else "published Δ"
        place = (watched, f"{cell['delta']:.1f}", f"{cell['base_rate']:.2f}", cell["dependence"])
        shares = (f"{cell[name] / n:.4f}" for name in ("passed", "failed", "above", "below"))
        used = (f"{cell['instances'] / n:.1f}", f"{cell['calls'] / n / cell['all_calls']:.3f}")
        fixed = ("", "")
        if cell["fixed"]:
            instances, calls = cell["fixed"]
            fixed = (str(instances), f"{calls / cell['all_calls']:.3f}")
        rows.append((*place, *shares, *used, *fixed))
    columns = words("Watched", "Δ", "Base rate", "Dependence")
    columns += words("Passed", "Failed", "Above", "Below")
    columns += words("Instances", "Calls", "Fixed instances", "Fixed calls")
    n = cells[0]["studies"]
    error = 1.96 * math.sqrt(0.025 * 0.975 / n)
    notes = (
        f"{n:,} studies a cell, the shape of balanced, its 414 instances in a drawn order; the "
        f"Monte Carlo error of 2.5 % is ±{error:.4f}.",
        "Passed and failed: the always-valid interval is wholly above, or wholly below, the floor "
        "of 0.2 after some instance. At a Δ of 0.2 either is an error; the bound is 0.025 each.",
        "Above and below: the interval is wholly above, or below, the true Δ after any instance.",
        "Instances and calls: the mean until the stop, calls as a share of the whole set's.",
        "Fixed: the smallest number of instances, fixed beforehand, whose published interval makes "
        "the floor clear in 90 % of studies; empty where the whole set does not.",
    )
    return Table("stops", "Stopping at a floor of 0.2", columns, tuple(rows), notes)


def look_table(cells: Sequence[Counts]) -> Table:
    """Give how often an interval is without 0 at any of twenty looks at a blind judge."""
    rows: list[Row] = []
    for cell in cells:
        n = cell["studies"]
        parts = (*cell["always"], *cell["published"])
        shares = (proportion(part, n, "nothing was simulated") for part in parts)
        rows.append((f"{cell['base_rate']:.2f}", cell["dependence"], f"{n:,}", *shares))
    columns = words("Base rate", "Dependence", "Studies")
    columns += rates("Always valid, any look", "Always valid, last")
    columns += rates("Published, any look", "Published, last")
    notes = (
        "Share of studies in which an interval of Δ is without 0. The judge is blind: Δ is 0. It "
        "is looked at after each twentieth of the 414 instances of balanced.",
    )
    return Table("looks", "Twenty looks at a blind judge", columns, tuple(rows), notes)


def planned_table(cells: Sequence[Counts]) -> Table:
    """Give each plan with its power, and the share of fresh studies in which it holds."""
    rows: list[Row] = []
    for cell in cells:
        n, least = cell["simulations"], cell["least"]
        plan = undefined(NOT_REACHED, n) if least is None else point(least, n, "planned")
        place = (cell["question"], cell["shape"], cell["answers"], f"{cell['base_rate']:.2f}")
        found = proportion(cell["found"], n, "nothing was simulated")
        rows.append((*place, plan, point(cell["planned"], n, "planned"), found))
    columns = words("Of", "Shape", "Answers", "Base rate") + signed("Least Δ")
    columns += rates("Planned", "Found")
    notes = (
        "Least Δ: what the command power states for 80 % power. Found: the share of studies, "
        "simulated from other seeds at this Δ, in which the published interval, or the p of a "
        "contrast, finds it.",
        "Planned: the power there, or at the largest Δ where 80 % is not reached. The pairs of "
        "noise are worth fewer than 10 instances, so that it has no interval and no power.",
        f"Studies a row: {min((c['simulations'] for c in cells), default=0):,}.",
    )
    return Table("planned", "Power as planned and as found", columns, tuple(rows), notes)


STOPS = Section(
    "stops",
    stop_cells,
    stop_counts,
    lambda counts: [stop_table(counts["stops"])],
    # False passes are rare and quickly counted, so there are ten times as many studies.
    lambda _, wanted: 10 * wanted,
    every=3,
)
LOOKS = Section("looks", look_cells, look_counts, lambda counts: [look_table(counts["looks"])])
PLANNED = Section(
    "planned",
    planned_cells,
    planned_counts,
    lambda counts: [planned_table(counts["planned"])],
    # The power of a plan is to be known to .01, so it is tried on five times as many studies.
    lambda _, wanted: 5 * wanted,
    every=EVERY,
)
