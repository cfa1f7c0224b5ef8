"""The right calls with the wrong arguments: one missing, one too many, one under another name."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from faultpair.env.plans.records import ToolSchema
from faultpair.env.records import Call, Cell, Trajectory
from faultpair.env.rng import below, pick
from faultpair.env.workflow.instances import WorkflowInstance
from faultpair.env.workflow.sectors import sector_named
from faultpair.env.workflow.tools import Parameter

from ...fault import Calls, Edit, Example, Replace, Site
from ...plan_fault import Effect
from .candidates import valued, values_before
from .workflow_fault import COVERAGE, GERMS, PARAMETERS, SEQUENCE, TOOLS, WorkflowFault

ARGUMENT_ALONE = Effect(lowers=(PARAMETERS,), keeps=(TOOLS, SEQUENCE, COVERAGE))


class ArgumentFault(WorkflowFault):
    """A fault that edits the arguments of one call."""

    effect = ARGUMENT_ALONE

    def sites(self, instance: WorkflowInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the calls that have a required argument."""
        return (Site(step.index) for step in run.steps if _required(instance, step.call))


class MissingArgument(ArgumentFault):
    """Leave out an argument that the tool cannot do without, as if it had a default."""

    name = "missing_argument"

    def edit(self, instance: WorkflowInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Call the tool without one of its required arguments."""
        call = run[site.step]
        left_out = pick(rng, _required(instance, call))
        args = {name: value for name, value in call.args.items() if name != left_out}
        words = f"{call.tool} is called without {left_out}"
        return Edit(Replace(site.step, Call(call.tool, args)), words)

    def examples(self) -> tuple[Example, ...]:
        return (Example(5, GERMS, 0, Cell.UNCHANGED_LOST),)


class ExtraArgument(ArgumentFault):
    """Pass one argument more, which a tool of its kind might well have."""

    name = "extra_argument"

    def sites(self, instance: WorkflowInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the calls to which an argument of another tool of the pool can be added."""
        return (Site(step.index) for step in run.steps if _foreign(instance, step.call))

    def edit(self, instance: WorkflowInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Add an argument that the tool does not have."""
        call = run[site.step]
        values = values_before(instance, run, site.step)
        extra, value = pick(rng, valued(_foreign(instance, call), values, rng))
        args = _with_extra(call.args, extra.name, value, rng)
        words = f"{call.tool} is given {extra.name}, which it does not take"
        return Edit(Replace(site.step, Call(call.tool, args)), words)

    def examples(self) -> tuple[Example, ...]:
        return (Example(5, GERMS, 0, Cell.UNCHANGED_LOST),)


class RenamedArgument(ArgumentFault):
    """Write an argument's name from memory, and nearly right."""

    name = "renamed_argument"

    def edit(self, instance: WorkflowInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Put a required argument under a name that the tool does not know."""
        call = run[site.step]
        right = pick(rng, _required(instance, call))
        wrong = pick(rng, _misnamings(right, _schema(instance, call.tool)))
        args = {wrong if name == right else name: value for name, value in call.args.items()}
        words = f"{call.tool} is given {wrong} in place of {right}"
        return Edit(Replace(site.step, Call(call.tool, args)), words)

    def examples(self) -> tuple[Example, ...]:
        return (Example(5, GERMS, 0, Cell.UNCHANGED_LOST),)


def _schema(instance: WorkflowInstance, tool: str) -> ToolSchema:
    return next(schema for schema in instance.tools if schema.name == tool)


def _required(instance: WorkflowInstance, call: Call) -> list[str]:
    required = _schema(instance, call.tool).required
    return [name for name in call.args if name in required]


def _foreign(instance: WorkflowInstance, call: Call) -> list[Parameter]:
    """Return the statable parameters of other tools of the pool that this tool does not take."""
    tools = sector_named(instance.sector).by_name
    known = _schema(instance, call.tool).known
    others = (part for schema in instance.tools for part in tools[schema.name].inputs)
    foreign = {part.name: part for part in others if part.name not in known}
    return [part for part in foreign.values() if part.type.can_be_stated]


def _with_extra(args: dict[str, Any], name: str, value: Any, rng: Random) -> dict[str, Any]:
    """Return arguments with one more at a random place, so that its place reveals nothing."""
    items = list(args.items())
    items.insert(below(rng, len(items) + 1), (name, value))
    return dict(items)


def _misnamings(name: str, schema: ToolSchema) -> list[str]:
    """Return similar names: words rotated, in camel case, shortened, lengthened."""
    first, *rest = name.split("_")
    rotated = "_".join((*rest, first))
    camel = first + "".join(word.capitalize() for word in rest)
    wrong = (rotated, camel, first, f"{name}_value", f"target_{name}")
    return [other for other in dict.fromkeys(wrong) if other not in schema.known]
