"""Replaying kept runs: does the world still answer as it did when they were made?"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from env.catalog import DOMAINS
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

    Free text (errors, and what a tool declares as such) is a wording, not a
    fact, and is not compared.
    """
    free_text = {tool.name: tool.free_text for tool in DOMAINS[trajectory.domain].tools}
    again = replayed(trajectory, instance).steps
    for kept, made in zip(trajectory.steps, again, strict=True):
        tool = kept.call.tool
        wordings = free_text.get(tool, ())
        before, after = (_facts(step.observation, wordings) for step in (kept, made))
        if before != after:
            yield Difference(trajectory.trajectory_id, kept.index, tool, repr(before), repr(after))


def _facts(
    observation: Observation | None, wordings: Collection[str]
) -> tuple[bool, dict[str, Any]] | None:
    if observation is None:
        return None
    facts = {key: value for key, value in observation.data.items() if key not in wordings}
    return observation.ok, facts
