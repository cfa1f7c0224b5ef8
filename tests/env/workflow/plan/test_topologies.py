"""The sequence of topologies, the shapes they have, and the shape that a plan has."""

from collections import Counter
from itertools import pairwise

import pytest

from faultpair.env.plans.records import ToolSchema
from faultpair.env.records import Call
from faultpair.env.rng import stream
from faultpair.env.workflow.instances import Topology
from faultpair.env.workflow.plan.shapes import shapes_of
from faultpair.env.workflow.plan.topologies import (
    COUNTS,
    PERIOD,
    SIZES,
    draw_size,
    scenario,
    topology_of,
)


def tool(name, *required, optional=()):
    properties = {argument: {} for argument in (*required, *optional)}
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return ToolSchema(name, "", parameters, {})


TOOLS = [
    tool("look", "at"),
    tool("ask", "whom"),
    tool("add", "left", "right"),
    tool("sum", "values"),
    tool("rate", "value", optional=("bonus",)),
    tool("note", "value"),
]


def plan(*calls):
    return [Call(name, args) for name, args in calls]


def test_a_period_has_the_counts_of_the_paper():
    assert PERIOD == 3808
    assert Counter(scenario(index) for index in range(PERIOD)) == COUNTS


def test_the_sequence_repeats_and_spreads_each_topology_evenly():
    assert scenario(PERIOD + 5) == scenario(5)
    for topology, count in COUNTS.items():
        places = [index for index in range(PERIOD) if scenario(index) == topology]
        gaps = [after - before for before, after in pairwise(places)]
        assert max(gaps) <= PERIOD / count + 5


def test_sizes_have_the_mean_of_the_paper():
    mean = sum(
        COUNTS[topology] * size * weight / sum(weights.values())
        for topology, weights in SIZES.items()
        for size, weight in weights.items()
    )
    assert mean / PERIOD == pytest.approx(3.3, abs=0.02)


@pytest.mark.parametrize("topology", Topology)
def test_a_drawn_size_is_one_that_the_topology_has(topology):
    sizes = {draw_size(topology, stream("sizes", draw)) for draw in range(300)}
    assert sizes == set(SIZES[topology])


@pytest.mark.parametrize("topology", Topology)
def test_data_flows_forward_in_every_shape_and_reaches_every_call(topology):
    for size in SIZES[topology]:
        for shape in shapes_of(topology, size):
            edges = shape.needs | shape.may_take
            assert all(giver < taker < shape.size for giver, taker in edges)
            assert sorted(shape.order) == list(range(shape.size))
            assert bool(shape.may_take) == (topology is Topology.OPTIONAL_ENRICHMENT)


def test_no_two_topologies_share_a_shape_but_joins_and_loops():
    shapes = {
        (topology, shape)
        for topology in set(Topology) - {Topology.LOOP_LIKE}
        for size in SIZES[topology]
        for shape in shapes_of(topology, size)
    }
    assert len({shape for _, shape in shapes}) == len(shapes)


LOOK, ASK = ("look", {"at": "SH-1"}), ("ask", {"whom": "Ann"})
LOOK_2 = ("look", {"at": "SH-2"})


@pytest.mark.parametrize(
    ("topology", "calls"),
    [
        ("linear", [LOOK, ("note", {"value": "$look.x"})]),
        ("fan_out", [LOOK, ("note", {"value": "$look.x"}), ("rate", {"value": "$look.x"})]),
        ("fan_in", [LOOK, ASK, ("add", {"left": "$look.x", "right": "$ask.x"})]),
        ("loop_like", [LOOK, LOOK_2, ("sum", {"values": ["$look.x", "$look#2.x"]})]),
        (
            "diamond",
            [
                LOOK,
                ("note", {"value": "$look.x"}),
                ("rate", {"value": "$look.x", "bonus": 3}),
                ("add", {"left": "$note.x", "right": "$rate.x"}),
            ],
        ),
        (
            "optional_enrichment",
            [LOOK, ASK, ("rate", {"value": "$look.x", "bonus": "$ask.x"})],
        ),
    ],
)
def test_the_topology_follows_from_the_plan(topology, calls):
    assert topology_of(plan(*calls), TOOLS) == topology


@pytest.mark.parametrize(
    "calls",
    [
        [LOOK],
        [LOOK, ASK],
        [LOOK, ASK, ("note", {"value": "$look.x"})],
        [LOOK, LOOK_2, ("note", {"value": "$look#2.x"})],
        [LOOK, ("stranger", {"x": 1})],
    ],
)
def test_a_plan_of_another_shape_has_no_topology(calls):
    assert topology_of(plan(*calls), TOOLS) is None
