"""The generator of workflow records, each of which passes both levels of checks.

A record depends on (world, seed, index) alone. In world 1 a plan uses no twin; in world 2 it
uses a tool or its twin, drawn.
"""

from __future__ import annotations

from functools import cache
from random import Random

from ..errors import PluginError
from ..plans.records import Tier, ToolSchema
from ..rng import stream
from .checks import check
from .instances import Topology, WorkflowInstance
from .plan.blueprints import draw_blueprint
from .plan.instantiate import instantiate
from .plan.tool_pool import draw_pool
from .plan.topologies import draw_size
from .requests.grammar import requests_for
from .schemas import schema_of
from .sectors import sector_named

__all__ = ["generate"]

_MOST_DRAWS = 40


def generate(seed: int, index: int, topology: Topology, *, world: int = 1) -> WorkflowInstance:
    """Return the index-th record of a seed, which has a topology, at its easy tier.

    Raises
    ------
    PluginError
        If none of 40 draws passes the checks, as unsuitable words of a sector can cause.
    """
    rng = stream(seed, "workflow", index)
    size = draw_size(topology, rng)
    problems: tuple[str, ...] = ()
    for _ in range(_MOST_DRAWS):
        instance = _draw(index, topology, size, rng, has_twins=world > 1)
        problems = check(instance)
        if not problems:
            return instance
    raise PluginError(
        f"None of {_MOST_DRAWS} draws of record {index} of seed {seed} ({topology}, {size} calls) "
        f"passed the checks; the last: {'; '.join(problems)}. Correct the words of its sector."
    )


def _draw(
    index: int, topology: Topology, size: int, rng: Random, *, has_twins: bool
) -> WorkflowInstance:
    """Return an unchecked record of a topology and size."""
    sector, blueprint = draw_blueprint(topology, size, rng, has_twins=has_twins)
    instantiated = instantiate(blueprint, rng)
    easy, medium, hard = requests_for(sector, instantiated.plan, rng)
    record = f"WFL-{index:05d}"
    return WorkflowInstance(
        instance_id=f"{record}-{Tier.EASY}",
        difficulty=topology,
        goal=easy,
        given=instantiated.given,
        record_id=record,
        sector=sector.name,
        tier=Tier.EASY,
        query_easy=easy,
        query_medium=medium,
        query_hard=hard,
        tools=tuple(
            _schemas(sector.name)[tool.name]
            for tool in draw_pool(sector, instantiated.plan, rng, has_twins=has_twins)
        ),
        plan=instantiated.plan,
    )


@cache
def _schemas(sector: str) -> dict[str, ToolSchema]:
    return {tool.name: schema_of(tool) for tool in sector_named(sector).tools}
