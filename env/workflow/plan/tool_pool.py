"""The tools that a record offers: those of its plan among others of the sector."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random

from ...records import Call
from ...rng import pick
from ..tools import Sector, Tool

__all__ = ["LARGEST", "SMALLEST", "draw_pool"]

SMALLEST, LARGEST = 8, 19

# How often the twin of one of a plan's tools is offered too, where there is one.
_P_TWIN = 0.6

# The top of the triangle that sizes are drawn from, by the number of calls. Longer plans
# have larger pools, or the share of a pool that is used would be above a quarter.
_TOPS = {2: 8.5, 3: 10.8, 4: 14.2, 5: 19.0}


def draw_pool(sector: Sector, plan: Sequence[Call], rng: Random) -> tuple[Tool, ...]:
    """Return the tools offered with a plan, in an order that tells nothing."""
    used = {call.tool for call in plan}
    size = _draw_size(len(plan), rng)
    chosen = [tool for tool in sector.tools if tool.name in used]
    twins = [tool for tool in sector.tools if tool.same_as in used]
    if twins and rng.random() < _P_TWIN:
        chosen.append(pick(rng, twins))
    others = [tool for tool in sector.tools if tool.name not in used and tool.same_as not in used]
    chosen += sorted(others, key=lambda _: rng.random())[: size - len(chosen)]
    return tuple(sorted(chosen, key=lambda _: rng.random()))


def _draw_size(n_calls: int, rng: Random) -> int:
    """Return the middle of three draws from a triangle over the sizes."""
    return round(sorted(_drawn(_TOPS[n_calls], rng.random()) for _ in range(3))[1])


def _drawn(top: float, share: float) -> float:
    """Return where a share of the triangle lies below, the inverse of its distribution."""
    low, high = SMALLEST - 0.5, LARGEST + 0.5
    left = (top - low) / (high - low)
    if share < left:
        return low + sqrt(share * left) * (high - low)
    return high - sqrt((1 - share) * (1 - left)) * (high - low)
