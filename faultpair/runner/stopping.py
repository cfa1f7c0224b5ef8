"""`[stop]`: which judges are asked no more, because their result is clear.

Instances count one after another, in the drawn order in which they are asked; one counts once all
requests about it are settled. What a judge leaves unscored counts against it: such a fault as
missed, such a parent as flagged. So the same answers always give the same stop, however many
requests are in flight, and a run that was killed stops where it would have.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from faultpair.env.records import Trajectory
from faultpair.studies.exchanges import ExchangeLog
from faultpair.studies.folder import StudyFolder
from faultpair.studies.runs import Run
from faultpair.studies.sealed_stop import StopRecord
from faultpair.studies.stop_seal import note_stops

from .order import runs_by_instance
from .requests import RequestState
from .selection import JudgeSelection
from .verdicts import known_verdicts

__all__ = ["InstanceSequence", "Reached", "StopRule", "StopWatch", "Stops", "stops_of"]

Pair = tuple[str, str]
"""The ids of a fault and of its clean parent."""


class Reached(Protocol):
    """What is known after some instances; ``passed`` is None while it is not clear."""

    @property
    def estimate(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def passed(self) -> bool | None: ...


class InstanceSequence(Protocol):
    """Instances that are counted one after another."""

    def add(self, total: int, size: int) -> Reached | None:
        """Count an instance by its summed differences and its pairs; return what is clear."""

    def reached(self) -> Reached:
        """Return what is known by now."""


StopRule = Callable[[int], InstanceSequence]
"""Begins a sequence of instances, given the most pairs that one of them has."""


@dataclass(frozen=True, slots=True)
class WatchedInstance:
    """The pairs of an instance, and the requests that one judge, or two, make about it."""

    pairs: Sequence[Pair]
    states: Sequence[Sequence[RequestState]]

    def is_complete(self, log: ExchangeLog) -> bool:
        """Return whether all requests are settled, after looking into the log."""
        for state in (state for own in self.states for state in own if state.settled is None):
            state.advance(log)
            if state.settled is None:
                return False
        return True

    def total(self) -> int:
        """Return the sum over pairs of flag(fault) − flag(parent), of the first minus the other."""
        sums = [_summed(self.pairs, _first_flags(own)) for own in self.states]
        return sums[0] - sum(sums[1:])


@dataclass(slots=True, kw_only=True)
class StopWatch:
    """Judges that stop together, with the instances in the order in which they count."""

    judges: tuple[str, ...]
    instances: Sequence[WatchedInstance]
    rule: StopRule
    reached: Reached | None = None
    n_counted: int = 0
    _sequence: InstanceSequence = field(init=False)

    def __post_init__(self) -> None:
        self._begin()

    @property
    def name(self) -> str:
        """What is watched: a judge, or one minus another."""
        return " minus ".join(self.judges)

    @property
    def is_clear(self) -> bool:
        """Whether its judges are asked no more."""
        return self.reached is not None

    def begin_again(self, log: ExchangeLog) -> None:
        """Count from the first instance on; a void answer may have settled equal requests, too."""
        for instance in self.instances:
            for state in (state for own in instance.states for state in own):
                if state.settled is not None:
                    state.reopen(log)
        self._begin()

    def _begin(self) -> None:
        largest = max((len(instance.pairs) for instance in self.instances), default=1)
        self._sequence, self.reached, self.n_counted = self.rule(largest), None, 0

    def look(self, log: ExchangeLog) -> None:
        """Count the next instances as far as they are complete and nothing is clear."""
        while self.reached is None and self.n_counted < len(self.instances):
            instance = self.instances[self.n_counted]
            if not instance.is_complete(log):
                return
            self.n_counted += 1
            self.reached = self._sequence.add(instance.total(), len(instance.pairs))

    def record(self, states: Iterable[RequestState]) -> StopRecord | None:
        """Return what the manifest keeps; None before the first instance."""
        if not self.n_counted:
            return None
        own = [state for state in states if state.request.key.judge_id in self.judges]
        known = self.reached or self._sequence.reached()
        return StopRecord(
            estimate=known.estimate,
            low=known.low,
            high=known.high,
            passed=known.passed,
            instances=self.n_counted,
            of_instances=len(self.instances),
            requests=sum(state.settled is not None for state in own),
            of_requests=len(own),
        )


@dataclass(slots=True, kw_only=True)
class Stops:
    """All that is watched in a run. With ``goes_on`` it is recorded and no judge stops."""

    watched: Sequence[StopWatch]
    goes_on: bool = False

    def look(self, log: ExchangeLog, has_voids: bool = False) -> None:
        """Take in what was added to the log; count again if answers became void."""
        for watch in self.watched:
            if has_voids:
                watch.begin_again(log)
            watch.look(log)

    def ended(self) -> Collection[str]:
        """Return the judges that are asked no more."""
        if self.goes_on:
            return ()
        return {judge for watch in self.watched if watch.is_clear for judge in watch.judges}

    def open(self, states: Iterable[RequestState]) -> list[RequestState]:
        """Return the states of judges that are still asked."""
        ended = self.ended()
        return [state for state in states if state.request.key.judge_id not in ended]

    def noted(
        self, folder: StudyFolder, log: ExchangeLog, states: Sequence[RequestState]
    ) -> dict[str, StopRecord]:
        """Record in the manifest what is known of all that is watched, and return it."""
        self.look(log)
        found = {watch.name: watch.record(states) for watch in self.watched}
        records = {name: record for name, record in found.items() if record is not None}
        note_stops(folder, records, went_on=self.goes_on)
        return records


def stops_of(
    folder: StudyFolder,
    selection: JudgeSelection,
    runs: Sequence[Run],
    states: Sequence[RequestState],
    *,
    rule: StopRule,
) -> Stops:
    """Return what `[stop]` of a study watches, each with its instances in their drawn order."""
    spec = folder.study.stop
    by_place: dict[tuple[str, str], list[RequestState]] = {}
    repeats = {each.judge.judge_id: each.repeats for each in selection.declared}
    for state in states:
        key, instance_id = state.request.key, state.request.instance_id
        if key.repeat < repeats.get(key.judge_id, 0):
            by_place.setdefault((key.judge_id, instance_id), []).append(state)
    pairs = _pairs(runs)
    found: list[StopWatch] = []
    for judges in () if spec is None else spec.watched(tuple(repeats)):
        instances = [
            _watched(pairs.get(name, ()), [by_place.get((judge, name), []) for judge in judges])
            for name in _drawn_order(selection, judges, runs)
        ]
        some = [instance for instance in instances if instance.pairs]
        found.append(StopWatch(judges=judges, instances=some, rule=rule))
    return Stops(watched=found)


def _pairs(runs: Iterable[Run]) -> dict[str, list[Pair]]:
    """Return the pairs of each instance."""
    pairs: dict[str, list[Pair]] = {}
    for trajectory, instance in runs:
        parent = _parent_of(trajectory)
        if parent is not None:
            own = pairs.setdefault(instance.instance_id, [])
            own.append((trajectory.trajectory_id, parent))
    return pairs


def _parent_of(trajectory: Trajectory) -> str | None:
    return trajectory.label.parent_id if trajectory.label.faulty else None


def _watched(pairs: Sequence[Pair], states: list[list[RequestState]]) -> WatchedInstance:
    """Keep the pairs of which every judge is asked about both runs."""
    asked = [{state.request.trajectory_id for state in own} for own in states]
    both = [pair for pair in pairs if all(own.issuperset(pair) for own in asked)]
    return WatchedInstance(both, states)


def _drawn_order(
    selection: JudgeSelection, judges: Sequence[str], runs: Sequence[Run]
) -> list[str]:
    """Return the instances in the order of the one of some judges that is asked last."""
    engines = [each.judge.engine for each in selection.declared]
    own = [each.judge for each in selection.declared if each.judge.judge_id in judges]
    last = max(own, key=lambda judge: engines.index(judge.engine))
    instances = runs_by_instance(runs, with_digests=True)
    blocks = selection.order.rule_of(last).blocks(instances)
    return [instance.instance_id for block in blocks for instance in block]


def _first_flags(states: Sequence[RequestState]) -> dict[str, bool | None]:
    """Return whether the first pass of a judge flags each run, None where it is unscored."""
    return {
        verdict.trajectory_id: verdict.faulty
        for verdict in known_verdicts(states, ())
        if verdict.sample == verdict.repeat == 0
    }


def _summed(pairs: Sequence[Pair], flags: dict[str, bool | None]) -> int:
    return sum(
        (flags.get(fault) is True) - (flags.get(parent) is not False) for fault, parent in pairs
    )
