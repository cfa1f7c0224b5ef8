"""Planting one fault: edit the calls of a clean run, replay them, label the new run."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from faultpair.env.domain import AnyDomain, Dialogue
from faultpair.env.errors import UsageError
from faultpair.env.kernel import Action, Agent, Episode, replay, run_episode
from faultpair.env.records import Cell, Instance, Label, ReplyPolicy, Step, Trajectory
from faultpair.env.rng import stream

from .apply import apply, failure_step
from .fault import Edit, Fault, Site, Truncate

__all__ = ["edit_stream", "inject", "trajectory_id"]


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
