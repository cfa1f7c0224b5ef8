"""The plan of a blueprint: fed arguments, stated arguments, and equal values."""

from faultpair.env.rng import stream
from faultpair.env.workflow.plan.blueprints import Blueprint
from faultpair.env.workflow.plan.instantiate import argument_key, instantiate
from faultpair.env.workflow.tools import Field, Parameter, Tool
from faultpair.env.workflow.value_types import Identifier, ListOf, Quantity

SHELF = Identifier("shelf", "shelf", "SH")
STOCK = Quantity("stock", "crates", 1, 90)
LIMIT = Quantity("limit", "crates", 1, 90)
SPARE = Quantity("spare", "crates", 1, 90)
TOTAL = Quantity("total", "crates", 1, 900)


def tool(name, inputs, *outputs):
    fields = tuple(Field(part.name, part) for part in outputs)
    return Tool(name, "Do it.", inputs, fields, ask=name, hint=name)


AT = Parameter("shelf_id", SHELF)
COUNT = tool("count", (AT,), STOCK)
BOUND = tool("bound", (AT,), LIMIT)
RATE = tool(
    "rate",
    (Parameter("load", STOCK), Parameter("most", LIMIT), Parameter("less", SPARE, optional=True)),
)
SUM = tool("sum", (Parameter("loads", ListOf(STOCK)),), TOTAL)


def plan_of(*tools, draw=0, over=None):
    return instantiate(Blueprint(tools, over), stream("composing", draw))


def test_an_argument_takes_what_an_earlier_call_gives():
    made = plan_of(COUNT, BOUND, RATE)
    assert made.plan[2].args["load"] == "$count.stock"
    assert made.plan[2].args["most"] == "$bound.limit"


def test_calls_that_state_a_value_of_one_type_state_the_same():
    made = plan_of(COUNT, BOUND, RATE)
    assert (
        made.given["count.shelf_id"]
        == made.given["bound.shelf_id"]
        == made.plan[0].args["shelf_id"]
    )


def test_a_loop_states_different_values_and_gathers_what_it_found():
    made = plan_of(COUNT, COUNT, COUNT, SUM, over=AT)
    assert made.plan[3].args == {"loads": ["$count.stock", "$count#2.stock", "$count#3.stock"]}
    assert list(made.given) == ["count.shelf_id", "count#2.shelf_id", "count#3.shelf_id"]
    assert len(set(made.given.values())) == 3


def test_an_option_is_stated_now_and_then():
    stated = ["rate.less" in plan_of(COUNT, BOUND, RATE, draw=draw).given for draw in range(200)]
    assert 10 < sum(stated) < 60


def test_a_given_value_is_named_by_tool_use_and_argument():
    assert argument_key("count", 1, "at") == "count.at"
    assert argument_key("count", 2, "at") == "count#2.at"
