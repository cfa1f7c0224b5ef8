"""Records and plans that are written by hand, small enough to be read."""

import pytest

from faultpair.env.plans.records import Tier, ToolSchema
from faultpair.env.records import Call, Label, Step, Trajectory
from faultpair.env.workflow.instances import WorkflowInstance

TEXT = {"type": "string"}


def tool(name, *required, optional=()):
    properties = dict.fromkeys((*required, *optional), TEXT)
    returns = {"type": "object", "properties": {f"{name}_result": {"type": "number"}}}
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return ToolSchema(name, f"Do {name}.", parameters, returns)


POOL = (tool("alpha", "area"), tool("beta", "load", optional=("day",)), tool("gamma", "x"))


def plan_of(*names):
    """Return a plan that takes what the call before gives, each tool by its name."""
    calls = []
    for name in names:
        value = f"${calls[-1].tool}.{calls[-1].tool}_result" if calls else "north"
        calls.append(Call(name, {"area": value}))
    return tuple(calls)


def record(number=1, names=("alpha", "beta"), topology="linear", tier=Tier.EASY, **more):
    queries = {f"query_{each}": f"Query {number}, {each}." for each in Tier}
    return WorkflowInstance(
        **{
            "instance_id": f"WFL-{number:05}-{tier}",
            "difficulty": topology,
            "goal": queries[f"query_{tier}"],
            "given": {"alpha.area": "north"},
            "record_id": f"WFL-{number:05}",
            "sector": "energy_grid",
            "tier": tier,
            "tools": POOL,
            "plan": plan_of(*names),
            **queries,
            **more,
        }
    )


def run_of(instance, names=None, **label):
    calls = instance.plan if names is None else plan_of(*names)
    steps = tuple(Step(index, "", call, None) for index, call in enumerate(calls))
    verdict = {
        "faulty": False,
        "failure_step": None,
        "failure_type": None,
        "outcome_correct": True,
        **label,
    }
    return Trajectory(
        f"{instance.instance_id}-clean", instance.instance_id, instance.goal, steps, "",
        Label(**verdict), "workflow", {"delivered": []},
    )  # fmt: skip


class Bench:
    """What a test of plans is made with."""

    record = staticmethod(record)
    run = staticmethod(run_of)
    plan = staticmethod(plan_of)
    tool = staticmethod(tool)


@pytest.fixture(scope="session")
def bench():
    """Return the makers of records and plans; they have no state."""
    return Bench()
