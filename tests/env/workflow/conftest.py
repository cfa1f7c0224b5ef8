"""A depot of five tools, small enough to be worked out by hand, and records that use it."""

from collections.abc import Callable

import pytest

from faultpair.env.plans.records import Tier, ToolSchema
from faultpair.env.records import Call
from faultpair.env.workflow.instances import WorkflowInstance
from faultpair.env.workflow.tools import Field, Parameter, Sector, Tool
from faultpair.env.workflow.value_types import Flag, Identifier, ListOf, Quantity
from faultpair.env.workflow.world import Sectors

SHELF = Identifier("shelf", "shelf", "SH")
STOCK = Quantity("stock", "crates", 0, 90)
LIMIT = Quantity("limit", "crates", 1, 90)
RATIO = Quantity("ratio", "", 0, 90)

COUNT = Tool(
    "count_crates",
    "Count the crates on a shelf.",
    (Parameter("shelf_id", SHELF),),
    (Field("crates", STOCK),),
    ask="count the crates",
    hint="how full it is",
)
RECOUNT = Tool(
    "tally_crates",
    "Tally the crates on a shelf.",
    COUNT.inputs,
    COUNT.outputs,
    ask="tally the crates",
    hint="how full it is",
    same_as="count_crates",
)
SUM = Tool(
    "sum_crates",
    "Add up counts.",
    (Parameter("counts", ListOf(STOCK)), Parameter("spare", STOCK, optional=True)),
    (Field("total", STOCK),),
    ask="sum the crates",
    hint="what there is in all",
    run=lambda counts, spare=0: sum(counts) + spare,
)
LOAD = Tool(
    "rate_load",
    "Rate a load by its limit.",
    (Parameter("load", STOCK), Parameter("limit", LIMIT)),
    (Field("ratio", RATIO), Field("is_over", Flag("over"))),
    ask="rate the load",
    hint="whether it holds",
    run=lambda load, limit: (load / limit, load > limit),
)
HISTORY = Tool(
    "list_counts",
    "List earlier counts of a shelf.",
    (Parameter("shelf_id", SHELF),),
    (Field("counts", ListOf(STOCK)),),
    ask="list the counts",
    hint="what it held before",
)
DEPOT = Sector("depot", "a depot", (COUNT, RECOUNT, SUM, LOAD, HISTORY))

JOINED = (
    Call("count_crates", {"shelf_id": "SH-101"}),
    Call("count_crates", {"shelf_id": "SH-202"}),
    Call("sum_crates", {"counts": ["$count_crates.crates", "$count_crates#2.crates"]}),
    Call("rate_load", {"load": "$sum_crates.total", "limit": 50}),
)


def schema(tool: Tool) -> ToolSchema:
    names = [parameter.name for parameter in tool.inputs]
    needed = [parameter.name for parameter in tool.inputs if not parameter.optional]
    parameters = {
        "type": "object",
        "properties": {name: {} for name in names},
        "required": needed,
    }
    return ToolSchema(tool.name, tool.purpose, parameters, {"type": "object"})


@pytest.fixture
def sectors() -> Sectors:
    """The depot, by its name."""
    return {"depot": DEPOT}


@pytest.fixture
def record() -> Callable[..., WorkflowInstance]:
    """Return a function that makes a record of the depot with some plan."""

    def make(*plan: Call, tools: tuple[Tool, ...] = DEPOT.tools, sector: str = "depot"):
        return WorkflowInstance(
            instance_id="WFL-00003-easy",
            difficulty="fan_in",
            goal="Count both shelves and rate the load.",
            given={"count_crates.shelf_id": "SH-101", "count_crates#2.shelf_id": "SH-202"},
            record_id="WFL-00003",
            sector=sector,
            tier=Tier.EASY,
            query_easy="Count both shelves and rate the load.",
            query_medium="Is it too much on both shelves?",
            query_hard="Does it hold?",
            tools=tuple(map(schema, tools)),
            plan=plan or JOINED,
        )

    return make
