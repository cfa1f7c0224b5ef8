"""The wrong calls: one missing, one too many, one of the wrong tool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from faultpair.env.plans.dataflow import data_flow
from faultpair.env.records import Call, Cell, Trajectory
from faultpair.env.rng import pick
from faultpair.env.workflow.instances import WorkflowInstance
from faultpair.env.workflow.sectors import sector_named
from faultpair.env.workflow.tools import Tool

from ...fault import Calls, Delete, Edit, Example, Insert, Replace, Site, Truncate
from ...plan_fault import Effect
from .candidates import (
    Value,
    call_of,
    callable_tools,
    distractors,
    is_used_once,
    places_of,
    rewirings,
    values_before,
)
from .workflow_fault import COVERAGE, GERMS, PARAMETERS, SEQUENCE, TOOLS, WorkflowFault

_GROWTH, _COLONIES, _HOURS = GERMS


class MissingCall(WorkflowFault):
    """Take the output of a tool for granted, as if somebody had called it already."""

    name = "missing_call"
    effect = Effect(lowers=(SEQUENCE,), keeps=(PARAMETERS,))

    def sites(self, instance: WorkflowInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the calls whose outputs another call takes."""
        targets = data_flow(run.calls).targets
        return (Site(step) for step, takers in enumerate(targets) if takers)

    def edit(self, instance: WorkflowInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Leave the call out."""
        return Edit(Delete(site.step), f"{run[site.step].tool} is not called, its output is used")

    def examples(self) -> tuple[Example, ...]:
        return (Example(5, (_COLONIES, _HOURS), 0, Cell.UNCHANGED_LOST),)


class SubGoalUncovered(WorkflowFault):
    """Forget one of the things that were asked for."""

    name = "sub_goal_uncovered"
    effect = Effect(lowers=(TOOLS, SEQUENCE, COVERAGE), keeps=(PARAMETERS,))

    def sites(self, instance: WorkflowInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the goals: calls whose outputs no other call takes."""
        calls = run.calls
        targets = data_flow(calls).targets
        return (
            Site(step)
            for step, takers in enumerate(targets)
            if not takers and is_used_once(calls, step)
        )

    def edit(self, instance: WorkflowInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Leave the call out; if it is the last, the plan ends before it."""
        is_last = site.step == len(run) - 1
        operation = Truncate(site.step, "") if is_last else Delete(site.step)
        return Edit(operation, f"what {run[site.step].tool} would give is left undone")

    def examples(self) -> tuple[Example, ...]:
        return (Example(5, (_GROWTH, _COLONIES), 1, Cell.UNCHANGED_LOST),)


class IrrelevantCall(WorkflowFault):
    """Call one more tool that sounds related, to be on the safe side."""

    name = "irrelevant_call"
    effect = Effect(lowers=(TOOLS, PARAMETERS), keeps=(COVERAGE,))

    def sites(self, instance: WorkflowInstance, run: Trajectory) -> Iterator[Site]:
        """Yield every place after the first call at which the pool has a tool to add."""
        others, calls = distractors(instance), run.calls
        return (
            Site(step)
            for step in range(1, len(calls) + 1)
            if callable_tools(others, values_before(instance, calls, step))
        )

    def edit(self, instance: WorkflowInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Insert a call of a tool that the request does not need."""
        values = values_before(instance, run, site.step)
        call = pick(rng, _calls_of(distractors(instance), values, rng))
        return Edit(Insert(site.step, call), f"{call.tool} is called, which nothing asks for")

    def examples(self) -> tuple[Example, ...]:
        return (
            Example(
                5,
                (_GROWTH, "count_recall_returned_boxes", _COLONIES, _HOURS),
                1,
                Cell.UNCHANGED_SURVIVES,
            ),
        )


class WrongToolChosen(WorkflowFault):
    """Take a tool whose name is close enough."""

    name = "wrong_tool_chosen"
    follow_ups = ("*",)
    effect = Effect(lowers=(TOOLS, PARAMETERS, SEQUENCE, COVERAGE))

    def sites(self, instance: WorkflowInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the calls that another tool of the pool could replace."""
        calls = run.calls
        return (
            Site(step)
            for step in range(len(calls))
            if is_used_once(calls, step)
            and callable_tools(
                _substitutes(instance, calls, step), values_before(instance, calls, step)
            )
        )

    def edit(self, instance: WorkflowInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Call the tool whose name shares most words; later calls take its outputs."""
        right = run[site.step]
        substitutes = _substitutes(instance, run, site.step)
        values = values_before(instance, run, site.step)
        call = _closest(right.tool, _calls_of(substitutes, values, rng), rng)
        words = f"{call.tool} is called in place of {right.tool}"
        tool = sector_named(instance.sector).by_name[call.tool]
        return Edit(Replace(site.step, call), words, rewirings(run, site.step, tool))

    def examples(self) -> tuple[Example, ...]:
        """Swap a tool for its neighbour in the pool."""
        return (
            Example(5, ("count_recall_returned_boxes", _COLONIES, _HOURS), 0, Cell.UNCHANGED_LOST),
        )


class DuplicateCall(WorkflowFault):
    """Make a call again that was made already, with nothing new to gain."""

    name = "duplicate_call"
    effect = Effect(keeps=(TOOLS, PARAMETERS, COVERAGE))

    def sites(self, instance: WorkflowInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the last use of each tool, so that no use is renumbered."""
        calls = run.calls
        return (
            Site(step)
            for step in range(len(calls))
            if places_of(calls, calls[step].tool)[-1] == step
        )

    def edit(self, instance: WorkflowInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Insert the same call just after itself."""
        call = run[site.step]
        return Edit(Insert(site.step + 1, call), f"{call.tool} is called once more, the same way")

    def examples(self) -> tuple[Example, ...]:
        return (Example(5, (_GROWTH, _GROWTH, _COLONIES, _HOURS), 1, Cell.UNCHANGED_SURVIVES),)


def _calls_of(tools: Sequence[Tool], values: Sequence[Value], rng: Random) -> list[Call]:
    """Return one call of each callable tool."""
    return [call_of(tool, values, rng) for tool in callable_tools(tools, values)]


def _substitutes(instance: WorkflowInstance, calls: Calls, step: int) -> list[Tool]:
    """Return the tools outside the plan that can replace a call and feed the later ones."""
    is_needed = bool(data_flow(calls).targets[step])
    return [tool for tool in distractors(instance) if tool.outputs or not is_needed]


def _closest(name: str, calls: list[Call], rng: Random) -> Call:
    """Return the call whose tool shares most words with a name."""
    words = set(name.split("_"))
    shared = [len(words & set(call.tool.split("_"))) for call in calls]
    return pick(rng, [call for call, n in zip(calls, shared, strict=True) if n == max(shared)])
