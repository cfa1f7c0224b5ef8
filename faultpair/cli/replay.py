"""`faultpair replay`: whether the world still answers the calls of kept runs as it did."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Instance, Observation, Step, Trajectory
from faultpair.studies.runs import read_as_kept, replayed

from .display.terminal import console

__all__ = ["Difference", "Instances", "Replay", "Trajectories", "command"]

Instances = Annotated[Path, typer.Option(help="The instances behind the trajectories.")]
Trajectories = Annotated[Path, typer.Option(help="The runs, as JSON Lines.")]


def command(instances: Instances, trajectories: Trajectories) -> None:
    """Make kept calls again in a fresh world; exit with 1 if a result differs."""
    replay = Replay()
    for kept, instance in read_as_kept(trajectories, instances):
        for difference in replay.differences(kept, instance):
            console.print(str(difference), soft_wrap=True)
    console.print(str(replay), soft_wrap=True)
    if replay.n_different:
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class Difference:
    """An observation of a step, or an end state, that a replay does not reproduce."""

    trajectory_id: str
    place: str
    kept: str
    replayed: str

    def __str__(self) -> str:
        return f"{self.trajectory_id}, {self.place}: kept {self.kept}, replayed {self.replayed}"


@dataclass(slots=True)
class Replay:
    """Counts of what was replayed and compared, and of what differs.

    What a file does not record is not compared: the observations of plans, the end
    states of the release.
    """

    n_runs: int = 0
    n_observations: int = 0
    n_end_states: int = 0
    n_different: int = 0

    def __str__(self) -> str:
        return (
            f"{self.n_runs} trajectories, {self.n_observations} observations and "
            f"{self.n_end_states} end states replayed: {self.n_different} differ"
        )

    def differences(self, kept: Trajectory, instance: Instance) -> Iterator[Difference]:
        """Yield the steps whose observation differs in ``ok`` or ``data``, and the end state.

        Free text (errors, and what a tool declares as such) is not compared.
        """
        self.n_runs += 1
        again = replayed(kept, instance)
        free_text = {tool.name: tool.free_text for tool in DOMAINS[kept.domain].tools}
        for before, after in zip(kept.steps, again.steps, strict=True):
            self.n_observations += _has_observation(before, after)
            place = f"step {before.index} ({before.call.tool})"
            ignored = free_text.get(before.call.tool, ())
            facts = (_facts(step.observation, ignored) for step in (before, after))
            yield from self._compared(kept, place, *facts)
        if kept.end_state is not None:
            self.n_end_states += 1
            yield from self._compared(kept, "end state", kept.end_state, again.end_state)

    def _compared(
        self, kept: Trajectory, place: str, before: object, after: object
    ) -> Iterator[Difference]:
        if before != after:
            self.n_different += 1
            yield Difference(kept.trajectory_id, place, repr(before), repr(after))


def _has_observation(*steps: Step) -> bool:
    return any(step.observation is not None for step in steps)


def _facts(
    observation: Observation | None, ignored: Collection[str]
) -> tuple[bool, dict[str, Any]] | None:
    if observation is None:
        return None
    facts = {key: value for key, value in observation.data.items() if key not in ignored}
    return observation.ok, facts
