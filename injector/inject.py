"""Planting one fault: edit the calls of a clean run, replay them, label the new run."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, assert_never

from faultpair.env.domain import AnyDomain, Dialogue
from faultpair.env.errors import UsageError
from faultpair.env.kernel import Action, Agent, Episode, replay, run_episode
from faultpair.env.records import Call, Cell, Instance, Label, ReplyPolicy, Step, Trajectory
from faultpair.env.rng import stream

from .fault import Calls, Delete, Edit, Fault, Insert, Move, Operation, Replace, Site, Truncate

__all__ = ["apply", "edit_stream", "failure_step", "inject", "origins", "trajectory_id"]


def inject(
    domain: AnyDomain,
    instance: Instance,
    parent: Trajectory,
    fault: Fault,
    site: Site,
    *,
    rng: Random,
    policy: ReplyPolicy = ReplyPolicy.KEEP,
) -> Trajectory:
    """Return the faulty run that a fault makes of a clean run at one site.

    The edited calls are replayed in a fresh world. Under the policy
    ``consistent`` the reply is written again from the replayed observations,
    as an agent that had really made these calls would write it.

    Raises
    ------
    UsageError
        If the fault does not exist under this policy: a reply written anew
        would undo an edit of the reply.
    """
    if policy not in fault.policies:
        raise UsageError(fault.no_such_policy(policy))
    calls = parent.calls
    edit = fault.edit(instance, calls, site, rng)
    actions = apply(edit, calls)
    last_word = edit.operation.last_word if isinstance(edit.operation, Truncate) else None
    if policy is ReplyPolicy.CONSISTENT and domain.dialogue is not None:
        agent = _replying_anew(domain.dialogue, instance, actions)
    else:
        agent = replay(actions, last_word)
    episode = run_episode(domain, instance, agent)
    label = _label(
        fault,
        parent,
        edit,
        episode,
        policy=policy,
        variant=edit.variant or site.variant,
        survives=domain.reached(instance, episode.end_state),
    )
    name = trajectory_id(instance, fault, site, policy)
    return episode.recorded(name, instance, label, domain=domain.name)


def edit_stream(seed: int, instance: Instance, fault: Fault, site: Site) -> Random:
    """Return the stream from which an edit draws; that of one site moves no other."""
    return stream(seed, instance.instance_id, fault.name, site.variant or "")


def trajectory_id(instance: Instance, fault: Fault, site: Site, policy: ReplyPolicy) -> str:
    """Return an id in the release's manner; the parts that are usual are left out."""
    name = f"{instance.instance_id}-{fault.name}"
    if site.variant is not None:
        name += f"-{site.variant}"
    return name if policy is ReplyPolicy.KEEP else f"{name}-{policy.value}"


def _label(
    fault: Fault,
    parent: Trajectory,
    edit: Edit,
    episode: Episode,
    *,
    policy: ReplyPolicy,
    variant: str | None,
    survives: bool,
) -> Label:
    changed = episode.final_answer != parent.final_answer
    is_control = fault.is_control
    return Label(
        faulty=not is_control,
        failure_step=None if is_control else failure_step(edit.operation),
        failure_type=None if is_control else fault.name,
        outcome_correct=survives,
        parent_id=parent.trajectory_id,
        control=fault.name if is_control else None,
        reply_changed=changed,
        cell=Cell.of(reply_changed=changed, outcome_survives=survives),
        reply_policy=policy,
        variant=variant,
        edit=edit.words,
    )


def _replying_anew(dialogue: Dialogue[Any], instance: Instance, actions: Sequence[Action]) -> Agent:
    """Make the given calls, but write the text of a reply from what was observed."""
    steps: list[Step] = []
    has_reply = False
    for action in actions:
        if dialogue.spoken(action.call) is not None:
            has_reply = True
            action = Action(dialogue.say(dialogue.reply(instance, steps)), action.thought)
        steps.append((yield action))
    return None if has_reply else dialogue.reply(instance, steps)


def apply(edit: Edit, calls: Calls) -> tuple[Action, ...]:
    """Return the actions of the edited run; the calls given are left as they are."""
    operation = edit.operation
    edited = list(calls)
    for follow_up in edit.follow_ups:
        call = calls[follow_up.at]
        edited[follow_up.at] = Call(call.tool, {**call.args, follow_up.argument: follow_up.value})
    actions = []
    for origin in origins(operation, len(calls)):
        if origin is not None:
            actions.append(Action(edited[origin]))
        elif isinstance(operation, Replace):
            actions.append(Action(operation.call, operation.thought))
        elif isinstance(operation, Insert):
            actions.append(Action(operation.call))
    return tuple(actions)


def failure_step(operation: Operation) -> int:
    """Return the 0-based step of the edited run at which the operation shows.

    Deleted: the step that takes its place. Moved: the earlier of the two places,
    where the first call comes too early. Truncated: the last step that was made.
    """
    if isinstance(operation, Truncate):
        return max(operation.at - 1, 0)
    if isinstance(operation, Move):
        return min(operation.at, operation.to)
    return operation.at


def origins(operation: Operation, n_calls: int) -> list[int | None]:
    """Return for each call of the edited run its index in the clean run, None if new."""
    kept: list[int | None] = list(range(n_calls))
    if isinstance(operation, Replace):
        kept[operation.at] = None
    elif isinstance(operation, Insert):
        kept.insert(operation.at, None)
    elif isinstance(operation, Delete):
        del kept[operation.at]
    elif isinstance(operation, Move):
        kept.insert(operation.to, kept.pop(operation.at))
    elif isinstance(operation, Truncate):
        del kept[operation.at :]
    else:
        assert_never(operation)
    return kept
