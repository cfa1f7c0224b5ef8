"""The trajectories of a study as columns, sorted by id, each fault joined to its clean parent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from faultpair.env.catalog import DOMAINS
from faultpair.env.domain import AnyDomain
from faultpair.env.errors import RecordError
from faultpair.env.records import Cell, ReplyPolicy
from faultpair.env.release import DEFAULT_DOMAIN

from .columns import BoolArray, Coded, IntArray, UintArray, encode, fingerprint, marks_of
from .stream import line_of, read_batches

Buffer = bytes | msgspec.Raw

__all__ = ["PARTS", "RunRecord", "Runs", "columns_of", "read_run_records"]

PARTS = ("goal", "thoughts", "calls", "tools", "answers", "reply", "end_state")
"""The parts of a run whose equality with the parent's is kept, as fingerprints."""

SEPARATOR = b"\0"
"""Parts pieces of JSON, none of which can hold this byte."""

NOTHING = msgspec.Raw(b"null")


class RunLabel(msgspec.Struct, gc=False):
    """The part of a label that analysis reads."""

    faulty: bool
    failure_step: int | None
    failure_type: str | None
    outcome_correct: bool
    parent_id: str | None = None
    control: str | None = None
    reply_changed: bool | None = None
    cell: Cell | None = None
    reply_policy: ReplyPolicy | None = None
    variant: str | None = None


class StepCall(msgspec.Struct, gc=False):
    """The part of a call that analysis reads, as the JSON on the line, letter by letter."""

    tool: msgspec.Raw
    args: msgspec.Raw


class StepAnswer(msgspec.Struct, gc=False):
    """The part of an observation that analysis reads."""

    ok: bool
    data: msgspec.Raw
    error: msgspec.Raw = NOTHING

    @property
    def shown(self) -> msgspec.Raw:
        """Return the part that a view shows: the data, or the error."""
        return self.data if self.ok else self.error


class StepRecord(msgspec.Struct, gc=False):
    """The part of a step that analysis reads. No judge is shown its simulated times."""

    index: int
    call: StepCall
    thought: msgspec.Raw = NOTHING
    observation: StepAnswer | None = None


class RunRecord(msgspec.Struct, gc=False):
    """The part of a trajectory that analysis reads; texts are kept as fingerprints only."""

    trajectory_id: str
    instance_id: str
    goal: msgspec.Raw
    steps: list[StepRecord]
    final_answer: str
    label: RunLabel
    domain: str = DEFAULT_DOMAIN
    end_state: msgspec.Raw = NOTHING
    n_steps: int = 0
    has_end_state: bool = False
    marks: bytes = b""


@dataclass(frozen=True, slots=True)
class Runs:
    """One row a trajectory, in the order of their ids.

    ``failure_step`` and ``parent`` (a row) are -1 where there is none;
    ``reply_changed`` is -1 where it is not known. ``scenario`` comes from the
    instances. ``marks`` are fingerprints of the `PARTS`.
    """

    ids: tuple[str, ...]
    instance: Coded
    domain: Coded
    scenario: Coded
    faulty: BoolArray
    control: Coded
    failure_step: IntArray
    failure_type: Coded
    outcome_correct: BoolArray
    parent: IntArray
    reply_changed: IntArray
    reply_policy: Coded
    variant: Coded
    n_steps: IntArray
    marks: dict[str, UintArray]

    @property
    def clean(self) -> BoolArray:
        """Return the rows that are neither a fault nor a control."""
        return ~self.faulty & (self.control.codes < 0)

    def only_domain(self) -> AnyDomain | None:
        """Return the domain of all runs; None if they have several, or it is not installed."""
        names = self.domain.names
        return DOMAINS[names[0]] if len(names) == 1 and names[0] in DOMAINS else None


def read_run_records(path: Path) -> list[RunRecord]:
    """Read the records of all trajectories, without the texts.

    Raises
    ------
    RecordError
        For a record that does not fit, an id that occurs twice, or a failure
        step that the run does not have.
    """
    records: list[RunRecord] = []
    seen: set[str] = set()
    for batch in read_batches(path, RunRecord):
        for record in batch:
            problem = _condense(record)
            if record.trajectory_id in seen:
                problem = f"field trajectory_id: '{record.trajectory_id}' occurs twice"
            if problem:
                raise RecordError(f"{path}, line {line_of(path, len(records))}: {problem}.")
            seen.add(record.trajectory_id)
            records.append(record)
    return records


def _condense(record: RunRecord) -> str | None:
    """Replace the texts of a record by fingerprints; return what is wrong with it, if anything."""
    record.n_steps = len(record.steps)
    record.has_end_state = bytes(record.end_state) != b"null"
    parts = (
        record.goal,
        *_parts_of_steps(record.steps),
        record.final_answer.encode(),
        record.end_state,
    )
    record.marks = b"".join([fingerprint(part) for part in parts])
    record.goal = record.end_state = msgspec.Raw()
    record.steps = []
    return _problem_of_label(record.label, record.n_steps)


def _parts_of_steps(steps: list[StepRecord]) -> list[bytes]:
    """Return thoughts, calls, tools and answers; equal iff two runs show them alike.

    A step has one piece in each, so that runs of other lengths differ in all four.
    """
    calls = [step.call for step in steps]
    tools = [call.tool for call in calls]
    answers: list[Buffer] = []
    for step in steps:
        seen = step.observation
        answers += (b"", b"") if seen is None else (b"+" if seen.ok else b"-", seen.shown)
    pieces: tuple[list[Buffer], ...] = (
        [step.thought for step in steps],
        [*tools, *[call.args for call in calls]],
        [*tools],
        answers,
    )
    return [SEPARATOR.join([b"", *part]) for part in pieces]


def _problem_of_label(label: RunLabel, n_steps: int) -> str | None:
    if label.faulty and label.failure_type is None:
        return "field label.failure_type: a faulty run must name its type"
    if label.faulty and label.control is not None:
        return "field label.control: a control must not be faulty"
    if label.failure_step is not None and not 0 <= label.failure_step < n_steps:
        return f"field label.failure_step: {label.failure_step} is no step of a run of {n_steps}"
    return None


def columns_of(records: Iterable[RunRecord], scenarios: dict[str, str], source: Path) -> Runs:
    """Sort the records by id and turn them into columns.

    Raises
    ------
    RecordError
        For a parent that is itself faulty or of another instance, and for a
        label that contradicts its run and its parent.
    """
    rows = sorted(records, key=lambda record: record.trajectory_id)
    labels = [row.label for row in rows]
    place = {row.trajectory_id: number for number, row in enumerate(rows)}
    _check_scenarios(rows, scenarios, source)
    marks = marks_of(row.marks for row in rows).reshape(-1, len(PARTS))
    parent = _integers(-1 if x.parent_id is None else place.get(x.parent_id, -1) for x in labels)
    runs = Runs(
        ids=tuple(place),
        instance=encode([row.instance_id for row in rows]),
        domain=encode([row.domain for row in rows]),
        scenario=encode([scenarios.get(row.instance_id) for row in rows]),
        faulty=np.array([label.faulty for label in labels], np.bool_),
        control=encode([label.control for label in labels]),
        failure_step=_integers(-1 if x.failure_step is None else x.failure_step for x in labels),
        failure_type=encode([label.failure_type if label.faulty else None for label in labels]),
        outcome_correct=np.array([label.outcome_correct for label in labels], np.bool_),
        parent=parent,
        reply_changed=_reply_changed(labels, parent, marks[:, PARTS.index("reply")]),
        reply_policy=encode([label.reply_policy for label in labels]),
        variant=encode([label.variant for label in labels]),
        n_steps=_integers(row.n_steps for row in rows),
        marks={part: marks[:, column] for column, part in enumerate(PARTS)},
    )
    _check_parents(runs, source)
    _check_claims(runs, labels, source)
    return runs


def _integers(values: Iterable[int]) -> IntArray:
    return np.fromiter(values, np.int64)


def _reply_changed(labels: list[RunLabel], parent: IntArray, reply: UintArray) -> IntArray:
    """Compare with the parent where it is known; else use the label."""
    claimed = _integers(-1 if x.reply_changed is None else int(x.reply_changed) for x in labels)
    return np.where(parent >= 0, (reply != reply[parent]).astype(np.int64), claimed)


def _check_scenarios(rows: list[RunRecord], scenarios: dict[str, str], source: Path) -> None:
    for row in rows if scenarios else ():
        if row.instance_id not in scenarios:
            raise RecordError(
                f"{source}: trajectory '{row.trajectory_id}' is of instance "
                f"'{row.instance_id}', which the instances file does not hold."
            )


def _check_parents(runs: Runs, source: Path) -> None:
    row = np.flatnonzero(runs.parent >= 0)
    parent = runs.parent[row]
    wrong = ~runs.clean[parent] | (runs.instance.codes[row] != runs.instance.codes[parent])
    for child in row[wrong][:1]:
        raise RecordError(
            f"{source}: the parent of '{runs.ids[child]}' is '{runs.ids[runs.parent[child]]}'; "
            "a parent must be a clean run of the same instance."
        )


def _check_claims(runs: Runs, labels: list[RunLabel], source: Path) -> None:
    """Compare the label's reply_changed and cell with those of the two runs."""
    for row in np.flatnonzero(runs.faulty & (runs.reply_changed >= 0)):
        label, changed = labels[row], bool(runs.reply_changed[row])
        cell = Cell.of(reply_changed=changed, outcome_survives=bool(runs.outcome_correct[row]))
        for field, claimed, found in (
            ("reply_changed", label.reply_changed, changed),
            ("cell", label.cell, cell),
        ):
            if claimed is not None and claimed != found:
                raise RecordError(
                    f"{source}: label.{field} of '{runs.ids[row]}' is {claimed}, "
                    f"but its run and its parent make it {found}."
                )
