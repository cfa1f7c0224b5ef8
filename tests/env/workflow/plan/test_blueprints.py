"""The blueprints of a sector: the data flow of their tools is that of the topology."""

import pytest

from faultpair.env.rng import stream
from faultpair.env.workflow.instances import Topology
from faultpair.env.workflow.plan.blueprints import blueprints
from faultpair.env.workflow.plan.compatibility import Compatibility
from faultpair.env.workflow.plan.instantiate import instantiate
from faultpair.env.workflow.plan.topologies import SIZES, topology_of
from faultpair.env.workflow.schemas import schema_of
from faultpair.env.workflow.sectors import SECTORS
from faultpair.env.workflow.tools import Field, Parameter, Sector, Tool
from faultpair.env.workflow.value_types import Identifier, Quantity

every_sector = pytest.mark.parametrize("sector", SECTORS, ids=lambda sector: sector.name)


def tool(name, inputs=(), outputs=(), same_as=None):
    return Tool(
        name,
        "Do it.",
        tuple(Parameter(f"{part.name}_in", part) for part in inputs),
        tuple(Field(part.name, part) for part in outputs),
        ask=name,
        hint=name,
        same_as=same_as,
    )


SHELF = Identifier("shelf", "shelf", "SH")
STOCK, LIMIT, RATIO = (Quantity(name, "", 1, 90) for name in ("stock", "limit", "ratio"))
COUNT = tool("count", [SHELF], [STOCK])
TALLY = tool("tally", [SHELF], [STOCK], same_as="count")
BOUND = tool("bound", [SHELF], [LIMIT])
RATE = tool("rate", [STOCK, LIMIT], [RATIO])
DEPOT = Compatibility.of(Sector("depot", "a depot", (COUNT, TALLY, BOUND, RATE)))


def names(topology, size):
    return {tuple(t.name for t in plan.tools) for plan in blueprints(DEPOT, topology, size)}


def test_a_value_without_a_source_is_stated():
    assert names(Topology.LINEAR, 2) == {("count", "rate"), ("bound", "rate")}


def test_branches_join_in_either_order_and_a_twin_is_never_planned():
    assert names(Topology.FAN_IN, 3) == {("count", "bound", "rate"), ("bound", "count", "rate")}


def test_tools_with_two_sources_of_a_value_make_no_plan():
    rival = Compatibility.of(
        Sector("depot", "a depot", (COUNT, tool("guess", [LIMIT], [STOCK]), RATE))
    )
    assert not blueprints(rival, Topology.FAN_IN, 3)


@every_sector
@pytest.mark.parametrize("topology", Topology)
def test_every_blueprint_makes_a_plan_of_its_topology(sector, topology):
    compatible, pool = Compatibility.of(sector), [schema_of(tool) for tool in sector.tools]
    for size in SIZES[topology]:
        for draw, blueprint in enumerate(blueprints(compatible, topology, size)):
            instantiated = instantiate(blueprint, stream("blueprints", draw))
            assert len(instantiated.plan) == size
            assert instantiated.given
            assert topology_of(instantiated.plan, pool) == topology
