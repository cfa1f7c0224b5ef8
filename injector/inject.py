"""Planting one fault: edit the calls of a clean run, replay them, label what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from faultpair.env.domain import AnyDomain
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
    if policy is ReplyPolicy.CONSISTENT:
        agent = _replying_anew(domain, instance, actions)
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
    reply_changed = episode.final_answer != parent.final_answer
    cell = Cell.of(reply_changed=reply_changed, outcome_survives=survives)
    known = (parent.trajectory_id, fault.name, reply_changed, cell, policy, variant, edit.words)
    if fault.is_control:
        return Label(False, None, None, survives, *known)
    step = failure_step(edit.operation)
    return Label(True, step, fault.name, survives, parent.trajectory_id, None, *known[2:])


def _replying_anew(domain: AnyDomain, instance: Instance, actions: Sequence[Action]) -> Agent:
    """Make the given calls, but write the text of a reply from what was observed."""
    steps: list[Step] = []
    for action in actions:
        if domain.spoken(action.call) is not None:
            action = Action(domain.say(domain.reply(instance, steps)), action.thought)
        steps.append((yield action))
    if not any(domain.spoken(action.call) is not None for action in actions):
        return domain.reply(instance, steps)
    return None
