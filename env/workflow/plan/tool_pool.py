"""The pool of a record: the tools of its plan among others of the sector."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random

from ...records import Call
from ...rng import pick
from ..tools import Sector, Tool

__all__ = ["LARGEST", "SMALLEST", "draw_pool"]

SMALLEST, LARGEST = 8, 19

# The probability that the pool holds a twin of one of the plan's tools, if there is one.
_P_TWIN = 0.6

# The mode of the triangular distribution of sizes, by the number of calls. Longer plans have
# larger pools, so that about a quarter of a pool is used.
_MODES = {2: 8.5, 3: 10.8, 4: 14.2, 5: 19.0}


def draw_pool(
    sector: Sector, plan: Sequence[Call], rng: Random, *, has_twins: bool = False
) -> tuple[Tool, ...]:
    """Return the tools offered with a plan, in random order.

    In a pool with twins, a tool that the plan does not use comes with its twin as often as
    one that it uses, so that a pair does not show what the plan is.
    """
    used = {call.tool for call in plan}
    size = _draw_size(len(plan), rng)
    chosen = [tool for tool in sector.tools if tool.name in used]
    jobs = {tool.canonical for tool in chosen}
    twins = [tool for tool in sector.tools if tool.canonical in jobs and tool.name not in used]
    if twins and rng.random() < _P_TWIN:
        chosen.append(pick(rng, twins))
    others = [tool for tool in sector.tools if tool.canonical not in jobs]
    drawn = sorted(others, key=lambda _: rng.random())
    chosen += (_with_twins(drawn, rng) if has_twins else drawn)[: size - len(chosen)]
    return tuple(sorted(chosen, key=lambda _: rng.random()))


def _with_twins(tools: Sequence[Tool], rng: Random) -> list[Tool]:
    """Return the first tool of each job in the order given, some followed by a twin."""
    jobs: dict[str, list[Tool]] = {}
    for tool in tools:
        jobs.setdefault(tool.canonical, []).append(tool)
    return [tool for same in jobs.values() for tool in same[: 2 if rng.random() < _P_TWIN else 1]]


def _draw_size(n_calls: int, rng: Random) -> int:
    """Return the median of three draws from the triangular distribution."""
    return round(sorted(_quantile(_MODES[n_calls], rng.random()) for _ in range(3))[1])


def _quantile(mode: float, p: float) -> float:
    """Return the p-quantile of the triangular distribution."""
    low, high = SMALLEST - 0.5, LARGEST + 0.5
    p_mode = (mode - low) / (high - low)  # the probability below the mode
    if p < p_mode:
        return low + sqrt(p * p_mode) * (high - low)
    return high - sqrt((1 - p) * (1 - p_mode)) * (high - low)
