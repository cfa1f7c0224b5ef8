"""Replaying kept runs: does the world still answer as it did when they were made?"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Instance, Observation, Step, Trajectory
from faultpair.studies.runs import replayed

__all__ = ["Difference", "Replay"]


@dataclass(frozen=True, slots=True)
class Difference:
    """What a replay does not reproduce: the observation of a step, or the end state."""

    trajectory_id: str
    place: str
    kept: str
    replayed: str

    def __str__(self) -> str:
        return f"{self.trajectory_id}, {self.place}: kept {self.kept}, replayed {self.replayed}"


@dataclass(slots=True)
class Replay:
    """How many runs were made again, how much of them was compared, and how much differs.

    Nothing is compared with what a file does not record: the observations of
    plans, the end states of the release.
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

        Free text (errors, and what a tool declares as such) is a wording, not a
        fact, and is not compared.
        """
        self.n_runs += 1
        again = replayed(kept, instance)
        wordings = {tool.name: tool.free_text for tool in DOMAINS[kept.domain].tools}
        for before, after in zip(kept.steps, again.steps, strict=True):
            self.n_observations += _has_observation(before, after)
            place = f"step {before.index} ({before.call.tool})"
            worded = wordings.get(before.call.tool, ())
            facts = (_facts(step.observation, worded) for step in (before, after))
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
    observation: Observation | None, wordings: Collection[str]
) -> tuple[bool, dict[str, Any]] | None:
    if observation is None:
        return None
    facts = {key: value for key, value in observation.data.items() if key not in wordings}
    return observation.ok, facts
