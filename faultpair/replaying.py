"""Replaying kept runs: does the world still answer as it did when they were made?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from env.records import Instance, Observation, Trajectory

from .reading import replayed

__all__ = ["Difference", "differences"]


@dataclass(frozen=True, slots=True)
class Difference:
    """An observation that a replay does not reproduce."""

    trajectory_id: str
    step: int
    tool: str
    kept: str
    replayed: str

    def __str__(self) -> str:
        return (
            f"{self.trajectory_id}, step {self.step} ({self.tool}): "
            f"kept {self.kept}, replayed {self.replayed}"
        )


def differences(trajectory: Trajectory, instance: Instance) -> Iterator[Difference]:
    """Yield the steps whose observation differs in ``ok`` or in ``data``.

    Free text (errors, and the reason that a check gives) is a wording, not a
    fact, and is not compared.
    """
    again = replayed(trajectory, instance).steps
    for kept, made in zip(trajectory.steps, again, strict=True):
        before, after = (
            _facts(kept.call.tool, kept.observation),
            _facts(made.call.tool, made.observation),
        )
        if before != after:
            yield Difference(
                trajectory.trajectory_id, kept.index, kept.call.tool, repr(before), repr(after)
            )


def _facts(tool: str, observation: Observation | None) -> tuple[bool, dict[str, Any]] | None:
    if observation is None:
        return None
    data = observation.data
    if tool == "check_eligibility":
        data = {key: value for key, value in data.items() if key != "reason"}
    return observation.ok, data
