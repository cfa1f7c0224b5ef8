"""Reading a set: its trajectories with their instances, of any version or of the release.

A set is read once from beginning to end, or kept as `StoredRuns`, which read a run when it
is asked for and hold only its place in the file.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import overload

import msgspec

from faultpair.env.catalog import DOMAINS, instance_on, placed_instances, read_instances
from faultpair.env.errors import RecordError
from faultpair.env.jsonl import decode_line, read_placed_lines
from faultpair.env.kernel import Action, Episode, replay, run_episode
from faultpair.env.records import Instance, Trajectory

__all__ = ["Run", "StoredRuns", "read_as_kept", "read_runs", "replayed"]

Run = tuple[Trajectory, Instance]
"""A trajectory and its instance."""

N_HELD = 2048
"""The number of runs, and of instances, from the first on that `StoredRuns` hold."""

N_LAST = 64
"""The number of others, read last, that they hold."""

_TRAJECTORY = msgspec.json.Decoder(Trajectory)


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
    for _, trajectory, instance in _checked(trajectories, instances, by_id):
        yield trajectory, instance


class StoredRuns(Sequence[Run]):
    """The runs of a set, each read from its file when it is asked for.

    The whole set is checked once, as `read_runs` checks it. The files must not change after
    that. Several threads may read.
    """

    def __init__(self, trajectories: Path, instances: Path) -> None:
        by_id = _StoredInstances(instances)
        self._places = places = _Places(trajectories)
        self._held: list[Run] = []
        for (begin, length), trajectory, instance in _checked(trajectories, instances, by_id):
            places.add(begin, length)
            if len(self._held) < N_HELD:
                self._held.append((_with_end_state(trajectory, instance), instance))

        @lru_cache(maxsize=N_LAST)
        def read(place: int) -> Run:
            line, where = places.read(place), f"{trajectories}, the {place + 1}. trajectory"
            trajectory = decode_line(_TRAJECTORY, line, where)
            instance = by_id[trajectory.instance_id]
            return _with_end_state(trajectory, instance), instance

        self._read = read

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Run: ...
    @overload
    def __getitem__(self, place: slice) -> list[Run]: ...
    def __getitem__(self, place: int | slice) -> Run | list[Run]:
        if isinstance(place, slice):
            return [self[n] for n in range(*place.indices(len(self)))]
        number = range(len(self))[place]
        return self._held[number] if number < len(self._held) else self._read(number)


class _StoredInstances(Mapping[str, Instance]):
    """The instances of a file by id, each read when it is asked for."""

    def __init__(self, file: Path) -> None:
        places = _Places(file)
        self._numbers: dict[str, int] = {}
        self._held: dict[str, Instance] = {}
        for instance, begin, length in placed_instances(file):
            self._numbers[instance.instance_id] = len(places)
            places.add(begin, length)
            if len(self._held) < N_HELD:
                self._held[instance.instance_id] = instance

        @lru_cache(maxsize=N_LAST)
        def read(number: int) -> Instance:
            return instance_on(places.read(number), str(file))

        self._read = read

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __getitem__(self, instance_id: str) -> Instance:
        held = self._held.get(instance_id)
        return self._read(self._numbers[instance_id]) if held is None else held


class _Places:
    """The first byte and the length of each line of a file that holds a record."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._begin = array("Q")
        self._length = array("Q")

    def __len__(self) -> int:
        return len(self._begin)

    def add(self, begin: int, length: int) -> None:
        self._begin.append(begin)
        self._length.append(length)

    def read(self, number: int) -> bytes:
        try:
            with self._file.open("rb", buffering=0) as lines:
                lines.seek(self._begin[number])
                return lines.read(self._length[number])
        except OSError as error:
            raise RecordError(f"Cannot read {self._file}: {error.strerror}.") from error


def _checked(
    trajectories: Path, instances: Path, by_id: Mapping[str, Instance]
) -> Iterator[tuple[tuple[int, int], Trajectory, Instance]]:
    """Yield the place of each trajectory, the trajectory and its instance; errors as above."""
    seen: set[str] = set()
    for number, begin, line in read_placed_lines(trajectories):
        trajectory = decode_line(_TRAJECTORY, line, f"{trajectories}, line {number}")
        where = f"{trajectories}, trajectory {trajectory.trajectory_id}"
        if trajectory.trajectory_id in seen:
            raise RecordError(f"{where}: it is here a second time.")
        seen.add(trajectory.trajectory_id)
        instance = _instance_of(trajectory, by_id, where, instances)
        _check_steps(trajectory, where)
        yield (begin, len(line)), trajectory, instance
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
