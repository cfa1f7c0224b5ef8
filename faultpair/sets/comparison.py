"""Comparing kept runs with a replay in a fresh world, and with the set that a study file makes.

A replay tells whether the world still answers as it did, for runs of any origin. The set
built anew tells whether every field is what the study file makes.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from faultpair.env.catalog import DOMAINS, read_instances
from faultpair.env.jsonl import read_placed_lines
from faultpair.env.kernel import last_reply
from faultpair.env.records import Instance, Observation, Step, Trajectory
from faultpair.studies.folder import StudyFolder
from faultpair.studies.runs import read_as_kept, replayed

__all__ = ["BUILT", "REPLY", "WORLD", "Comparison", "Count", "Difference"]

WORLD, REPLY, BUILT = "fresh world", "last reply", "set built anew"
"""What a field is compared with."""

_VERBS = {WORLD: "replayed", REPLY: "replied", BUILT: "built"}
_MISSING = object()


@dataclass(frozen=True, slots=True)
class Difference:
    """A part of a record that is not as it is made again."""

    record: str
    place: str
    kept: str
    made: str

    def __str__(self) -> str:
        return f"{self.record}, {self.place}: kept {self.kept}, {self.made}"


@dataclass(slots=True)
class Count:
    """How many parts of a field were compared with a source, and how many differ.

    ``left_out`` counts those that were not compared, by the reason.
    """

    name: str
    source: str
    n_compared: int = 0
    n_different: int = 0
    left_out: Counter[str] = field(default_factory=Counter)

    def compare(self, record: str, place: str, kept: object, made: object) -> Iterator[Difference]:
        """Count a part; yield it if it differs.

        A set is built byte for byte, so there 1 is not 1.0, nor true.
        """
        self.n_compared += 1
        if kept != made or (self.source == BUILT and repr(kept) != repr(made)):
            self.n_different += 1
            yield Difference(record, place, _text(kept), f"{_VERBS[self.source]} {_text(made)}")


class Comparison:
    """Compares the runs of a file, and counts field by field what was compared."""

    def __init__(self) -> None:
        self.n_runs = 0
        self._counts: dict[tuple[str, str], Count] = {}

    @property
    def counts(self) -> Sequence[Count]:
        """The counts in the order in which the fields were compared first."""
        return tuple(self._counts.values())

    @property
    def n_different(self) -> int:
        """The number of parts that differ."""
        return sum(count.n_different for count in self.counts)

    def of(self, name: str, source: str) -> Count:
        """Return the count of a field."""
        return self._counts.setdefault((name, source), Count(name, source))

    def differences(
        self, trajectories: Path, instances: Path, made: StudyFolder | None, *, why_not: str = ""
    ) -> Iterator[Difference]:
        """Yield what differs from a replay, and from the set ``made`` anew if there is one.

        ``why_not`` is the reason if there is none.
        """
        built = None if made is None else _BuiltRuns(made.trajectories)
        for kept, instance in read_as_kept(trajectories, instances):
            self.n_runs += 1
            yield from self._replayed(kept, instance)
            if built is not None:
                yield from self._built(kept, built)
            else:
                for name in ("thoughts", "labels"):
                    self.of(name, BUILT).left_out[why_not] += 1
        if made is not None and built is not None:
            for name in built.not_taken:
                yield from self.of("runs", BUILT).compare(name, "run", _MISSING, name)
            sides = (read_instances(file) for file in (instances, made.instances))
            yield from _each(self.of("instances", BUILT), "instances", *sides)

    def _replayed(self, kept: Trajectory, instance: Instance) -> Iterator[Difference]:
        """Compare observations and the end state with a replay, and the reply with its last one.

        Of an observation, free text (errors, and what a tool declares as such) is not
        compared.
        """
        again, domain, name = replayed(kept, instance), DOMAINS[kept.domain], kept.trajectory_id
        free_text = {tool.name: tool.free_text for tool in domain.tools}
        observations = self.of("observations", WORLD)
        for before, after in zip(kept.steps, again.steps, strict=True):
            if before.observation is None and after.observation is None:
                observations.left_out["plans hold none"] += 1
                continue
            ignored = free_text.get(before.call.tool, ())
            facts = (_facts(step.observation, ignored) for step in (before, after))
            place = f"step {before.index} ({before.call.tool})"
            yield from observations.compare(name, place, *facts)
        end_states, answers = self.of("end states", WORLD), self.of("final answers", REPLY)
        if kept.end_state is None:
            end_states.left_out["the file holds none"] += 1
        else:
            yield from end_states.compare(name, "end state", kept.end_state, again.end_state)
        reply = last_reply(domain, again.steps)
        if reply is None:
            answers.left_out["no call of the run replies"] += 1
        else:
            yield from answers.compare(name, "final answer", kept.final_answer, reply)

    def _built(self, kept: Trajectory, built: _BuiltRuns) -> Iterator[Difference]:
        """Compare a run with that of the same id in the set built anew, and their order."""
        runs, name = self.of("runs", BUILT), kept.trajectory_id
        made, is_in_order = built.take(name)
        if made is None:
            yield from runs.compare(name, "run", name, _MISSING)
            return
        place = "in order" if is_in_order else "after one that follows it"
        yield from runs.compare(name, "place in the set", place, "in order")
        for field_name, parts in _PARTS.items():
            yield from _each(self.of(field_name, BUILT), name, parts(kept), parts(made))


class _Head(msgspec.Struct):
    trajectory_id: str


class _BuiltRuns:
    """The runs of a set by id, each read from its file when it is asked for."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places: dict[str, tuple[int, int]] = {}
        self._last = -1
        head = msgspec.json.Decoder(_Head)
        for _, begin, line in read_placed_lines(path):
            self._places[head.decode(line).trajectory_id] = (begin, len(line))
        self._decoder = msgspec.json.Decoder(Trajectory)

    @property
    def not_taken(self) -> Sequence[str]:
        """The ids of the runs that were not asked for."""
        return tuple(self._places)

    def take(self, name: str) -> tuple[Trajectory | None, bool]:
        """Return a run, None if the set has none of this id, and whether it follows the last."""
        if name not in self._places:
            return None, True
        offset, length = self._places.pop(name)
        with self._path.open("rb") as file:
            line = os.pread(file.fileno(), length, offset)
        is_in_order, self._last = offset > self._last, offset
        return self._decoder.decode(line), is_in_order


def _each(
    count: Count, record: str, kept: Mapping[str, Any], made: Mapping[str, Any]
) -> Iterator[Difference]:
    """Compare the parts of a field, those of one side alone included."""
    for place in {**kept, **made}:
        sides = (side.get(place, _MISSING) for side in (kept, made))
        yield from count.compare(record, place, *sides)


def _by_step(part: Callable[[Step], Any]) -> Callable[[Trajectory], dict[str, Any]]:
    return lambda run: {f"step {step.index}": part(step) for step in run.steps}


_PARTS: Mapping[str, Callable[[Trajectory], dict[str, Any]]] = {
    "requests": lambda run: {"request": (run.domain, run.instance_id, run.goal)},
    "thoughts": _by_step(lambda step: step.thought),
    "calls": _by_step(lambda step: step.call),
    "observations": _by_step(lambda step: step.observation),
    "times": _by_step(lambda step: (step.start_s, step.end_s)),
    "final answers": lambda run: {"final answer": run.final_answer},
    "labels": lambda run: {"label": run.label},
    "end states": lambda run: {"end state": run.end_state},
}
"""The parts of a run by field; all fields of a trajectory but its id are in one of them."""


def _facts(
    observation: Observation | None, ignored: Collection[str]
) -> tuple[bool, dict[str, Any]] | None:
    if observation is None:
        return None
    facts = {key: value for key, value in observation.data.items() if key not in ignored}
    return observation.ok, facts


def _text(value: object) -> str:
    return "none" if value is _MISSING else repr(value)
