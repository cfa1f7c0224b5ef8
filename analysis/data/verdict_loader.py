"""Reading the verdicts of a study: each checked against the runs that it is about."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np

from faultpair.env.errors import RecordError
from faultpair.env.records import Tokens

from .columns import Coded, encode, fingerprint, marks_of
from .runs import Runs
from .stream import line_of, read_batches
from .verdicts import Series, Verdicts

__all__ = ["read_verdicts"]

Share = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
Amount = Annotated[float, msgspec.Meta(ge=0.0)]
Place = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
Shown = tuple[str | None, str | None]
"""The view and the task of a judge."""


class Reasoned(msgspec.Struct, gc=False):
    """The part of a grade on one metric that is read here."""

    reason: str = ""


class VerdictRecord(msgspec.Struct, gc=False):
    """The part of a verdict that analysis reads."""

    trajectory_id: str
    judge_id: str
    faulty: bool | None
    failure_step: Place | None
    failure_type: str | None
    confidence: Share | None
    rationale: str
    latency_s: Amount = 0.0
    prompt_tokens: Tokens = 0
    completion_tokens: Tokens = 0
    error: str | None = None
    view: str | None = None
    task: str | None = None
    sample: int = 0
    repeat: int = 0
    score: Share | None = None
    scores: dict[str, Reasoned] | None = None
    unscored: str | None = None
    shared_from: str | None = None

    @property
    def reasons(self) -> str:
        """Its rationale; of a verdict that grades metrics, their reasons."""
        if self.scores is None:
            return self.rationale
        return "\n".join(f"{metric}: {grade.reason}" for metric, grade in self.scores.items())


def read_verdicts(path: Path, runs: Runs) -> Verdicts:
    """Read every verdict about these runs.

    A verdict that occurs twice, letter for letter, counts once.

    Raises
    ------
    RecordError
        For a record that does not fit, a verdict about an unknown trajectory,
        a step that the run does not have, a missing decision without a reason,
        an answer shared with no other run, two verdicts of one key that differ, or
        a judge with two views or tasks.
    """
    rows, judges = _read_rows(path, runs)
    # In the order of series and run, two verdicts of one key are neighbours.
    by_key = np.lexsort((rows["run"], rows["series"]))
    key = rows["series"][by_key] * len(runs.ids) + rows["run"][by_key]
    again = np.flatnonzero(key[1:] == key[:-1])
    for place in again:
        _refuse_difference(path, int(by_key[place]), int(by_key[place + 1]))
    return _matrices(rows, judges, len(runs.ids))


def _read_rows(path: Path, runs: Runs) -> tuple[dict[str, Any], dict[Series, Shown]]:
    """Return one flat column a field, and the view and task of every series."""
    place = {name: row for row, name in enumerate(runs.ids)}
    names: list[str | None] = []
    series: dict[Series, Shown] = {}
    blocks: list[dict[str, Any]] = []
    done = 0
    for batch in read_batches(path, VerdictRecord):
        block = _block(batch, place, series)
        problem = _first_problem(batch, block, runs, series, place)
        if problem is not None:
            index, what = problem
            raise RecordError(f"{path}, line {line_of(path, done + index)}: {what}.")
        names.extend(record.failure_type for record in batch)
        blocks.append(block)
        done += len(batch)
    # Series were numbered as they occurred; `rank` gives each its place in sorted order.
    order = {one: row for row, one in enumerate(sorted(series))}
    rows: dict[str, Any] = {
        name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]
    }
    rank = np.fromiter((order[one] for one in series), np.int64, len(series))
    rows["series"] = rank[rows["series"]] if done else rows["series"]
    return rows | {"named": encode(names)}, {one: series[one] for one in sorted(series)}


def _block(
    batch: list[VerdictRecord], place: dict[str, int], series: dict[Series, Shown]
) -> dict[str, Any]:
    number = {(s.judge_id, s.sample, s.repeat): row for row, s in enumerate(series)}
    which = []
    for v in batch:
        key = (v.judge_id, v.sample, v.repeat)
        row = number.get(key)
        if row is None:
            row = number[key] = len(number)
            series[Series(*key)] = (v.view, v.task)
        which.append(row)
    size = len(batch)
    return {
        "series": np.array(which, np.int64),
        "run": np.fromiter((place.get(v.trajectory_id, -1) for v in batch), np.int64, size),
        "scored": np.array([v.faulty is not None and v.error is None for v in batch], np.bool_),
        "flagged": np.array([v.faulty is True for v in batch], np.bool_),
        "failed": np.array([v.error is not None for v in batch], np.bool_),
        "step": np.fromiter(
            (-1 if v.failure_step is None else v.failure_step for v in batch), np.int64, size
        ),
        "confidence": np.array([v.confidence for v in batch], np.float64),
        "rationale": marks_of([fingerprint(v.reasons.encode()) for v in batch]),
        "latency_s": np.fromiter((v.latency_s for v in batch), np.float64, size),
        "prompt_tokens": np.fromiter((v.prompt_tokens for v in batch), np.int64, size),
        "completion_tokens": np.fromiter((v.completion_tokens for v in batch), np.int64, size),
        "score": np.array([v.score for v in batch], np.float64),
        "shared": np.array([v.shared_from is not None for v in batch], np.bool_),
    }


def _first_problem(
    batch: list[VerdictRecord],
    block: dict[str, Any],
    runs: Runs,
    series: dict[Series, Shown],
    place: dict[str, int],
) -> tuple[int, str] | None:
    """Return the first verdict of a block that cannot be one, and why."""
    shown = list(series.values())
    n_steps = runs.n_steps[block["run"]] if len(runs.ids) else block["run"]
    # The columns select the few verdicts that are checked one by one.
    suspect = (block["run"] < 0) | (block["step"] >= n_steps) | (block["step"] < -1)
    suspect |= np.array([(v.faulty is None) == (v.unscored is None) for v in batch], np.bool_)
    suspect |= np.array([v.failure_step == -1 for v in batch], np.bool_)
    suspect |= block["shared"]
    suspect |= np.array(
        [shown[row] != (v.view, v.task) for row, v in zip(block["series"], batch, strict=True)],
        np.bool_,
    )
    for index in np.flatnonzero(suspect).tolist():
        problem = (
            _problem(batch[index], int(block["run"][index]), runs)
            or _problem_of_sharing(batch[index], place)
            or _problem_of_view(batch[index], shown[block["series"][index]])
        )
        if problem is not None:
            return index, problem
    return None


def _problem(verdict: VerdictRecord, run: int, runs: Runs) -> str | None:
    if run < 0:
        return f"field trajectory_id: no trajectory is called '{verdict.trajectory_id}'"
    step, n_steps = verdict.failure_step, int(runs.n_steps[run])
    if step is not None and not 0 <= step < n_steps:
        return f"field failure_step: {step} is no step of a run of {n_steps}; expected null"
    if verdict.faulty is None and verdict.unscored is None and verdict.error is None:
        return "field unscored: a verdict without a decision must say why"
    if verdict.faulty is not None and verdict.unscored is not None:
        return "field unscored: a verdict with a decision must not be unscored"
    return None


def _problem_of_sharing(verdict: VerdictRecord, place: dict[str, int]) -> str | None:
    other = verdict.shared_from
    if other is None or (other in place and other != verdict.trajectory_id):
        return None
    return f"field shared_from: '{other}' is no other trajectory"


def _problem_of_view(verdict: VerdictRecord, first: Shown) -> str | None:
    if first == (verdict.view, verdict.task):
        return None
    return f"field view: judge '{verdict.judge_id}' has two views or two tasks"


def _refuse_difference(path: Path, first: int, second: int) -> None:
    one, other = sorted((line_of(path, first), line_of(path, second)))
    lines = path.read_bytes().split(b"\n")
    if msgspec.json.decode(lines[one - 1]) != msgspec.json.decode(lines[other - 1]):
        record = msgspec.json.decode(lines[other - 1], type=VerdictRecord)
        raise RecordError(
            f"{path}, lines {one} and {other}: two verdicts of judge '{record.judge_id}' about "
            f"'{record.trajectory_id}' (sample {record.sample}, repeat {record.repeat}) differ."
        )


def _matrices(rows: dict[str, Any], series: dict[Series, Shown], n_runs: int) -> Verdicts:
    def spread(values: Any, missing: Any) -> Any:
        matrix = np.full((len(series), n_runs), missing, values.dtype)
        matrix[rows["series"], rows["run"]] = values
        return matrix

    named: Coded = rows["named"]
    scored = spread(rows["scored"], False)
    flagged = spread(rows["flagged"], False) & scored
    return Verdicts(
        series=tuple(series),
        view=tuple(view for view, _ in series.values()),
        task=tuple(task for _, task in series.values()),
        judged=spread(np.ones(len(rows["run"]), np.bool_), False),
        scored=scored,
        flagged=flagged,
        failed=spread(rows["failed"], False),
        step=np.where(flagged, spread(rows["step"], -1), -1),
        named=Coded(named.names, np.where(flagged, spread(named.codes, -1), -1)),
        confidence=np.where(scored, spread(rows["confidence"], np.nan), np.nan),
        rationale=spread(rows["rationale"], 0),
        latency_s=spread(rows["latency_s"], 0.0),
        prompt_tokens=spread(rows["prompt_tokens"], 0),
        completion_tokens=spread(rows["completion_tokens"], 0),
        score=np.where(scored, spread(rows["score"], np.nan), np.nan),
        shared=spread(rows["shared"], False),
    )
