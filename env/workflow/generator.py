"""Drawing the records of the workflow domain, each of which passes both gates.

A record depends on (seed, index) alone; its topology on the index alone.
"""

from __future__ import annotations

from functools import cache
from random import Random

from ..errors import PluginError
from ..plans.records import Tier, ToolSchema
from ..rng import pick, stream
from .checks import check
from .instances import Topology, WorkflowInstance
from .plan.blueprints import Blueprint, blueprints
from .plan.compatibility import Flows
from .plan.instantiate import compose
from .plan.tool_pool import draw_pool
from .plan.topologies import draw_size, scenario
from .requests import grammar as wording
from .requests.clauses import clauses_of
from .schemas import schema_of
from .sectors import SECTORS, sector_named
from .tools import Sector

__all__ = ["generate"]

_MOST_DRAWS = 40

# A sector is as likely as it has plans of the kind wanted, but no likelier than with this many.
_PLENTY = 10


def generate(seed: int, index: int) -> WorkflowInstance:
    """Return the index-th record of a seed, at its easy tier.

    Raises
    ------
    PluginError
        If no draw in 40 passes the gates, which the words of a sector would have to cause.
    """
    rng = stream(seed, "workflow", index)
    topology = Topology(scenario(index))
    size = draw_size(topology, rng)
    problems: tuple[str, ...] = ()
    for _ in range(_MOST_DRAWS):
        instance = _draw(index, topology, size, rng)
        problems = check(instance)
        if not problems:
            return instance
    raise PluginError(
        f"None of {_MOST_DRAWS} draws of record {index} of seed {seed} ({topology}, {size} calls) "
        f"passed the gates; the last: {'; '.join(problems)}. Mend the words of its sector."
    )


def _draw(index: int, topology: Topology, size: int, rng: Random) -> WorkflowInstance:
    """Return a record of a topology and size that no gate has seen."""
    sector, blueprint = _draw_blueprint(topology, size, rng)
    composed = compose(blueprint, rng)
    clauses = clauses_of(sector, composed.plan)
    easy = wording.easy(clauses, rng)
    record = f"WFL-{index:05d}"
    return WorkflowInstance(
        instance_id=f"{record}-{Tier.EASY}",
        difficulty=topology,
        goal=easy,
        given=composed.given,
        record_id=record,
        sector=sector.name,
        tier=Tier.EASY,
        query_easy=easy,
        query_medium=wording.medium(clauses, rng),
        query_hard=wording.hard(clauses, rng),
        tools=tuple(
            _schemas(sector.name)[tool.name] for tool in draw_pool(sector, composed.plan, rng)
        ),
        plan=composed.plan,
    )


def _draw_blueprint(topology: Topology, size: int, rng: Random) -> tuple[Sector, Blueprint]:
    sector, plans = pick(rng, _hosts(topology, size))
    return sector, pick(rng, plans)


@cache
def _hosts(topology: Topology, size: int) -> tuple[tuple[Sector, tuple[Blueprint, ...]], ...]:
    """Return the sectors that have such plans, each as often as it is likely."""
    found = []
    for sector in SECTORS:
        plans = blueprints(_flows(sector.name), topology, size)
        found += [(sector, plans)] * min(len(plans), _PLENTY)
    return tuple(found)


@cache
def _flows(sector: str) -> Flows:
    return Flows.of(sector_named(sector))


@cache
def _schemas(sector: str) -> dict[str, ToolSchema]:
    return {tool.name: schema_of(tool) for tool in sector_named(sector).tools}
