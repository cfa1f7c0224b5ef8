"""The laws that every fault type keeps, one function each, yielding what is wrong.

`EDIT_LAWS` look at an edit before it is carried out, `RUN_LAWS` at the
resulting run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TypeVar

import msgspec

from faultpair.env.domain import AnyDomain
from faultpair.env.kernel import Action, replay, run_episode
from faultpair.env.records import Call, Cell, Instance, ReplyPolicy, Trajectory

from .fault import Calls, Delete, Edit, Fault, FollowUp, Insert, Move, Site, Truncate
from .inject import origins

__all__ = ["EDIT_LAWS", "RUN_LAWS", "Attempt", "Laws", "Planting"]

T = TypeVar("T")
Laws = dict[str, Callable[[T], Iterator[str]]]
"""Laws by name; a law yields a sentence for each thing that is wrong."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An edit of a clean run, and the edit of the same call with an equal stream."""

    fault: Fault
    parent: Trajectory
    site: Site
    edit: Edit
    again: Edit

    @property
    def calls(self) -> Calls:
        """The calls of the clean run."""
        return self.parent.calls


@dataclass(frozen=True, slots=True)
class Planting:
    """The run that an edit makes under a reply policy."""

    attempt: Attempt
    domain: AnyDomain
    instance: Instance
    policy: ReplyPolicy
    run: Trajectory


def _same_stream_same_edit(attempt: Attempt) -> Iterator[str]:
    if attempt.edit != attempt.again:
        yield "equal streams give different edits; draw from the stream alone"


def _edit_within_the_run(attempt: Attempt) -> Iterator[str]:
    operation, n_calls = attempt.edit.operation, len(attempt.calls)
    ends_at = n_calls if isinstance(operation, Insert) else n_calls - 1
    places = [attempt.site.step, operation.at]
    if isinstance(operation, Move):
        places.append(operation.to)
        if operation.to == operation.at:
            yield f"a call is moved from {operation.at} to where it was"
    if not all(0 <= place <= ends_at for place in places):
        yield f"{operation} at {attempt.site} leaves the run of {n_calls} calls"


def _follow_ups_declared(attempt: Attempt) -> Iterator[str]:
    for follow_up in attempt.edit.follow_ups:
        problem = _follow_up_problem(attempt, follow_up)
        if problem is not None:
            yield f"an undeclared second edit: {problem}"


def _follow_up_problem(attempt: Attempt, follow_up: FollowUp) -> str | None:
    operation, calls = attempt.edit.operation, attempt.calls
    earliest = operation.at if isinstance(operation, Insert) else operation.at + 1
    if isinstance(operation, Move):
        earliest = min(operation.at, operation.to)
    if not earliest <= follow_up.at < len(calls) or isinstance(operation, Truncate):
        return f"{follow_up} is at no later call that is left"
    argument = f"{calls[follow_up.at].tool}.{follow_up.argument}"
    if any(fnmatchcase(argument, declared) for declared in attempt.fault.follow_ups):
        return None
    return f"{argument} is adjusted, but the class declares {attempt.fault.follow_ups}"


def _every_other_call_equal(planting: Planting) -> Iterator[str]:
    """Compare each call that the operation left alone with the clean run's."""
    attempt, steps = planting.attempt, planting.run.steps
    expected = _expected_calls(attempt)
    if len(steps) != len(expected):
        yield f"{len(expected)} calls are expected, and {len(steps)} were made"
        return
    for step, call in zip(steps, expected, strict=True):
        if step.call != call and not _rewritten(planting, step.call, call):
            yield f"an undeclared second edit: step {step.index} is {step.call}, not {call}"


def _expected_calls(attempt: Attempt) -> list[Call]:
    operation = attempt.edit.operation
    followed = {follow_up.at: follow_up for follow_up in attempt.edit.follow_ups}
    expected = []
    for origin in origins(operation, len(attempt.calls)):
        if origin is None:
            assert not isinstance(operation, Delete | Move | Truncate)
            expected.append(operation.call)
        elif origin in followed:
            call, follow_up = attempt.calls[origin], followed[origin]
            expected.append(Call(call.tool, {**call.args, follow_up.argument: follow_up.value}))
        else:
            expected.append(attempt.calls[origin])
    return expected


def _rewritten(planting: Planting, made: Call, expected: Call) -> bool:
    """Return whether two calls differ in nothing but a reply written anew."""
    dialogue = planting.domain.dialogue
    if dialogue is None or planting.policy is not ReplyPolicy.CONSISTENT:
        return False
    return dialogue.spoken(made) is not None and dialogue.spoken(expected) is not None


def _observations_consistent(planting: Planting) -> Iterator[str]:
    """Make the recorded calls again in a fresh world and compare all that it answers."""
    run = planting.run
    actions = [Action(step.call, step.thought) for step in run.steps]
    agent = replay(actions, run.final_answer)
    episode = run_episode(planting.domain, planting.instance, agent)
    for recorded, repeated in zip(run.steps, episode.steps, strict=True):
        if recorded != repeated:
            yield f"step {recorded.index} gives {repeated.observation} on replay"
    if (episode.final_answer, episode.end_state) != (run.final_answer, run.end_state):
        yield "reply or end state differ on replay"


def _label_right(planting: Planting) -> Iterator[str]:
    """Work the label out again from the two runs."""
    attempt, run, label = planting.attempt, planting.run, planting.run.label
    control = attempt.fault.is_control
    survives = planting.domain.reached(planting.instance, run.end_state or {})
    changed = run.final_answer != attempt.parent.final_answer
    facts = {
        "faulty": not control,
        "failure_type": None if control else attempt.fault.name,
        "control": attempt.fault.name if control else None,
        "outcome_correct": survives,
        "parent_id": attempt.parent.trajectory_id,
        "reply_changed": changed,
        "cell": Cell.of(reply_changed=changed, outcome_survives=survives),
        "reply_policy": planting.policy,
        "edit": attempt.edit.words,
    }
    for name, fact in facts.items():
        if getattr(label, name) != fact:
            yield f"{name} is {getattr(label, name)!r}, and should be {fact!r}"
    yield from _step_right(label.failure_step, len(run.steps), control=control)


def _step_right(step: int | None, n_steps: int, *, control: bool) -> Iterator[str]:
    if control != (step is None):
        yield f"failure_step is {step}"
    elif step is not None and not 0 <= step < n_steps:
        yield f"failure_step {step} is none of the {n_steps} steps"


def _edit_has_words(planting: Planting) -> Iterator[str]:
    if not planting.attempt.edit.words.strip():
        yield "the edit has no words"


def _round_trip(planting: Planting) -> Iterator[str]:
    line = msgspec.json.encode(planting.run)
    back = msgspec.json.decode(line, type=Trajectory)
    if back != planting.run or msgspec.json.encode(back) != line:
        yield "written as JSON and read back, the run is another"


def _view_differs(planting: Planting) -> Iterator[str]:
    """Compare all that a judge could be shown of the two runs, times aside."""
    if _shown(planting.run) == _shown(planting.attempt.parent):
        yield "nothing that a judge can see differs from the clean run"


def _shown(run: Trajectory) -> list[object]:
    return [run.final_answer, *((s.thought, s.call, s.observation) for s in run.steps)]


def _control_harmless(planting: Planting) -> Iterator[str]:
    if planting.attempt.fault.is_control and not planting.run.label.outcome_correct:
        yield "a control changes the outcome"


EDIT_LAWS: Laws[Attempt] = {
    "same stream, same edit": _same_stream_same_edit,
    "one edit, within the run": _edit_within_the_run,
    "follow-ups declared": _follow_ups_declared,
}

RUN_LAWS: Laws[Planting] = {
    "every other call equal": _every_other_call_equal,
    "observations consistent": _observations_consistent,
    "label right": _label_right,
    "edit has words": _edit_has_words,
    "JSON round trip": _round_trip,
    "view differs": _view_differs,
    "control harmless": _control_harmless,
}
