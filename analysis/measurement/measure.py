"""Measuring judges: from a study, or from pairs of any origin, to one result a judge."""

from __future__ import annotations

from collections.abc import Sequence

from faultpair.env.errors import UsageError

from ..data.pair_data import PairData
from ..data.pair_study import study_of
from ..data.study_data import StudyData
from ..stats.readings import Reading
from .assembly import measure_judges
from .result import Measurement

__all__ = ["measure_pairs", "measure_study"]


def measure_pairs(
    data: PairData | object,
    *,
    judge: str | None = None,
    reading: Reading | str = Reading.CAUTIOUS,
) -> Measurement:
    """Measure one judge of plain data.

    Parameters
    ----------
    data : PairData, rows, or a data frame
        What `PairData.of` takes.
    judge : str, optional
        May be left out if there is one.
    reading : {"cautious", "judged", "gate"}
        How an unscored run counts in ``delta``: as the answer that is worse for the judge,
        not at all, or as not flagged.

    Raises
    ------
    RecordError
        If a row does not fit.
    UsageError
        If there is no such judge, or several and none is named.

    Examples
    --------
    Twenty tasks, each with a clean run and one fault made from it. The judge flags 15 faults
    and one clean run.

    >>> rows = []
    >>> for task in range(20):
    ...     clean = {"unit": task, "run": f"{task}-clean", "parent": "", "flagged": task == 0}
    ...     fault = {"unit": task, "run": f"{task}-fault", "parent": f"{task}-clean"}
    ...     rows += [clean, fault | {"flagged": task < 15}]
    >>> found = measure_pairs(rows)
    >>> print(f"{found.delta.estimate:.2f}", found.outcomes)
    0.70 {'hit': 14, 'reversed': 0, 'both': 1, 'neither': 5, 'dropped': 0}
    """
    checked = data if isinstance(data, PairData) else PairData.of(data)
    study, name = study_of(checked), _only(judge, checked.judge.names, checked.name)
    return measure_judges(study, weight=checked.weight, reading=reading, only=name)[name]


def measure_study(
    study: StudyData, judge: str | None = None, *, reading: Reading | str = Reading.CAUTIOUS
) -> Measurement:
    """Measure one judge of a study that is in memory; errors as in `measure_pairs`."""
    name = _only(judge, study.judges, study.name)
    return measure_judges(study, reading=reading, only=name)[name]


def _only(judge: str | None, judges: Sequence[str], source: str) -> str:
    """Return the judge that is asked for, or the only one."""
    known = ", ".join(judges)
    if judge is None and len(judges) != 1:
        raise UsageError(f"{source} has {len(judges)} judges; name one of them: {known}.")
    if judge is not None and judge not in judges:
        raise UsageError(f"{source} has no judge '{judge}'. Judges: {known}.")
    return judges[0] if judge is None else judge
