"""The grades of plans, read from the verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from faultpair.env.errors import RecordError
from faultpair.judges.plan_metrics.metrics import METRICS

from ..data.columns import FloatArray
from ..data.runs import Runs
from ..data.stream import line_of, read_batches
from ..data.verdicts import Verdicts

__all__ = ["read_grades"]

Share = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]


class Grade(msgspec.Struct, gc=False):
    """The part of a grade on one metric that is read here."""

    value: Share


class GradedRecord(msgspec.Struct, gc=False):
    """The part of a verdict on a plan that is read here."""

    trajectory_id: str
    judge_id: str
    sample: int = 0
    repeat: int = 0
    scores: dict[str, Grade] | None = None


def read_grades(path: Path, runs: Runs, verdicts: Verdicts) -> FloatArray:
    """Return the grades of every series, of shape (series, runs, 4); NaN where there is none.

    Raises
    ------
    RecordError
        If a verdict grades other metrics than the four.
    """
    place = {name: row for row, name in enumerate(runs.ids)}
    series = {
        (one.judge_id, one.sample, one.repeat): row for row, one in enumerate(verdicts.series)
    }
    values = np.full((len(series), len(runs.ids), len(METRICS)), np.nan)
    done = 0
    for batch in read_batches(path, GradedRecord):
        for number, verdict in enumerate(batch, start=done):
            if verdict.scores is None:
                continue
            if sorted(verdict.scores) != sorted(METRICS):
                graded = ", ".join(verdict.scores) or "nothing"
                raise RecordError(
                    f"{path}, line {line_of(path, number)}: field scores: it grades {graded}; "
                    f"expected {', '.join(METRICS)}."
                )
            row = series[verdict.judge_id, verdict.sample, verdict.repeat]
            four = [verdict.scores[metric].value for metric in METRICS]
            values[row, place[verdict.trajectory_id]] = four
        done += len(batch)
    return values
