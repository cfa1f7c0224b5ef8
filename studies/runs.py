"""Reading a set: its trajectories with their instances, of any version or of the release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from faultpair.env.catalog import DOMAINS, read_instances
from faultpair.env.errors import RecordError
from faultpair.env.jsonl import read_records
from faultpair.env.kernel import Action, Episode, replay, run_episode
from faultpair.env.records import Instance, Trajectory

__all__ = ["Run", "read_as_kept", "read_runs", "replayed"]

Run = tuple[Trajectory, Instance]
"""A trajectory and its instance."""


def read_runs(trajectories: Path, instances: Path) -> Iterator[Run]:
    """Yield each trajectory of a file with its instance; steps and ids are checked.

    A trajectory without an end state, as in the release, gets the one of its replay.
    """
    for trajectory, instance in read_as_kept(trajectories, instances):
        yield _with_end_state(trajectory, instance), instance


def read_as_kept(trajectories: Path, instances: Path) -> Iterator[Run]:
    """Yield what `read_runs` does, but leave an end state out where the file has none.

    Raises
    ------
    RecordError
        If a record does not fit its schema, an id comes twice, an instance is
        missing or of another seed, the steps are not numbered from 0 on, or
        there is no trajectory at all.
    """
    by_id = read_instances(instances)
    seen: set[str] = set()
    for trajectory in read_records(trajectories, Trajectory):
        where = f"{trajectories}, trajectory {trajectory.trajectory_id}"
        if trajectory.trajectory_id in seen:
            raise RecordError(f"{where}: it is here a second time.")
        seen.add(trajectory.trajectory_id)
        instance = _instance_of(trajectory, by_id, where, instances)
        _check_steps(trajectory, where)
        yield trajectory, instance
    if not seen:
        # An empty set would pass every check.
        raise RecordError(f"{trajectories} holds no trajectory.")


def replayed(trajectory: Trajectory, instance: Instance) -> Episode:
    """Replay the calls of a trajectory in a fresh world."""
    actions = [Action(step.call) for step in trajectory.steps]
    return run_episode(DOMAINS[trajectory.domain], instance, replay(actions))


def _instance_of(
    trajectory: Trajectory, by_id: Mapping[str, Instance], where: str, file: Path
) -> Instance:
    instance = by_id.get(trajectory.instance_id)
    if instance is None:
        raise RecordError(
            f"{where}: field instance_id: {trajectory.instance_id!r} is not in {file}. "
            "Give the instances that these trajectories were made from."
        )
    if trajectory.domain not in DOMAINS:
        raise RecordError(f"{where}: field domain: {DOMAINS.unknown(trajectory.domain)}")
    instance_type: type[Instance] = DOMAINS[trajectory.domain].instance_type
    if not isinstance(instance, instance_type):
        raise RecordError(
            f"{where}: field domain: it is {trajectory.domain!r}, but its instance "
            f"{trajectory.instance_id} is of another domain."
        )
    if trajectory.goal != instance.goal:
        raise RecordError(
            f"{where}: field goal: it is not that of {instance.instance_id} in {file}. "
            "Give the instances that these trajectories were made from, of the same seed."
        )
    return instance


def _check_steps(trajectory: Trajectory, where: str) -> None:
    for place, step in enumerate(trajectory.steps):
        if step.index != place:
            raise RecordError(
                f"{where}: field steps[{place}].index: expected {place}, got {step.index}."
            )
    failure_step = trajectory.label.failure_step
    if failure_step is not None and not 0 <= failure_step < max(len(trajectory.steps), 1):
        raise RecordError(
            f"{where}: field label.failure_step: expected 0 to {len(trajectory.steps) - 1}, "
            f"got {failure_step}."
        )


def _with_end_state(trajectory: Trajectory, instance: Instance) -> Trajectory:
    if trajectory.end_state is not None:
        return trajectory
    end_state = replayed(trajectory, instance).end_state
    return msgspec.structs.replace(trajectory, end_state=end_state)
