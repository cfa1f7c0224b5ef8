"""The headline numbers of a study: what the table after a run shows, without a resample."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..data.columns import BoolArray
from ..data.study_data import StudyData
from ..stats.estimate import Estimate, count, undefined, without_interval
from ..stats.paired_difference import Clustered, score_interval
from .baselines import STATE_CHECK, STATE_JUDGE
from .reach import reached

__all__ = ["Headline", "headlines"]

NO_PAIR = "no such pair was judged"
NO_RUN = "there is no such run"


class Headline(NamedTuple):
    """The numbers of one judge or baseline; only Δ has an interval."""

    name: str
    recall: Estimate
    false_alarms: Estimate
    delta: Estimate
    delta_silent: Estimate
    delta_loud: Estimate
    unscored: Estimate | None = None


class _Flags(NamedTuple):
    """The flags of a judge or baseline, which runs are scored, and which pairs it can tell apart.

    ``undefined_reason`` is that of a baseline, None for a judge.
    """

    flagged: BoolArray
    scored: BoolArray
    reach: BoolArray | None
    undefined_reason: str | None


def headlines(study: StudyData) -> Iterator[Headline]:
    """Yield the numbers of each judge, then those of the baselines.

    Values, intervals and reasons are those of the numbers in full.
    """
    runs, verdicts = study.runs, study.verdicts
    for judge, name in enumerate(study.judges):
        reach = reached(runs, verdicts.view[judge], study.fault, study.parent)
        flags = _Flags(verdicts.flagged[judge], verdicts.scored[judge], reach, None)
        lost = verdicts.judged[judge] & ~verdicts.scored[judge] & ~verdicts.failed[judge]
        unscored = count(int(lost.sum()), int(verdicts.judged[judge].sum()))
        yield _headline(study, name, flags)._replace(unscored=unscored)
    everything = np.ones(len(runs.ids), np.bool_)
    baselines = {"flag all": everything, "flag none": ~everything}
    if STATE_JUDGE not in study.judges:
        baselines[STATE_CHECK] = ~runs.outcome_correct
    for name, flagged in baselines.items():
        yield _headline(study, name, _Flags(flagged, everything, None, NO_RUN))


def _headline(study: StudyData, name: str, flags: _Flags) -> Headline:
    runs = study.runs
    silent = runs.faulty & runs.outcome_correct
    return Headline(
        name=name,
        recall=_rate(flags, runs.faulty, "no fault was judged"),
        false_alarms=_rate(flags, runs.clean, "no clean run was judged"),
        delta=_delta(study, flags, runs.faulty),
        delta_silent=_delta(study, flags, silent),
        delta_loud=_delta(study, flags, runs.faulty & ~silent),
    )


def _rate(flags: _Flags, rows: BoolArray, nothing: str) -> Estimate:
    scored = rows & flags.scored
    n = int(scored.sum())
    if not n:
        return undefined(flags.undefined_reason or nothing)
    return Estimate(int((scored & flags.flagged).sum()) / n, None, None, n, "")


def _delta(study: StudyData, flags: _Flags, faults: BoolArray) -> Estimate:
    """Return Δ over the judged pairs of some faults; zero by structure if none reaches the view."""
    fault, parent = study.fault, study.parent
    rows = faults[fault] & flags.scored[fault] & flags.scored[parent]
    if not rows.any():
        return undefined(flags.undefined_reason or NO_PAIR)
    difference = flags.flagged[fault][rows].astype(np.int64) - flags.flagged[parent][rows]
    instance = study.runs.instance.codes[fault][rows]
    size, total = np.bincount(instance), np.bincount(instance, difference).astype(np.int64)
    hits, reverses = int((difference > 0).sum()), int((difference < 0).sum())
    pairs = Clustered(total[size > 0], size[size > 0].astype(np.int64), hits, reverses)
    delta = Estimate(pairs.delta, None, None, pairs.n, "")
    if flags.reach is not None and not flags.reach[rows].any():
        return without_interval(delta, "structural zero", "no fault reaches the view")
    if flags.undefined_reason is not None:  # a baseline is known without sampling
        return delta
    low, high = score_interval(pairs)
    return Estimate(pairs.delta, low, high, pairs.n, "")
