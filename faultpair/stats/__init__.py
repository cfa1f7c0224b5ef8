"""Statistics of judges on plain data of any origin: rows, files, data frames, a study folder.

::

    from faultpair.stats import PairData, compare, measure_pairs

    data = PairData.read("verdicts.csv")
    print(measure_pairs(data, judge="large").summary())

What each number means is in docs/what-the-numbers-mean.md.
"""

from __future__ import annotations

from pathlib import Path

from faultpair.analysis.data.pair_data import PairData
from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.measurement.compare import Comparison, compare
from faultpair.analysis.measurement.measure import measure_pairs, measure_study
from faultpair.analysis.measurement.result import GroupResult, Measurement
from faultpair.analysis.stats.estimate import Estimate
from faultpair.analysis.stats.hierarchy import TypeSample, types_as_a_sample
from faultpair.analysis.stats.readings import Reading
from faultpair.analysis.stats.sequential import always_valid
from faultpair.analysis.stats.tests import holm

from .matched_sets import matched_set_test
from .planning import Answers, PlannedJudge, least_delta, power

__all__ = [
    "Answers",
    "Comparison",
    "Estimate",
    "GroupResult",
    "Measurement",
    "PairData",
    "PlannedJudge",
    "Reading",
    "TypeSample",
    "always_valid",
    "compare",
    "holm",
    "least_delta",
    "matched_set_test",
    "measure",
    "measure_pairs",
    "power",
    "types_as_a_sample",
]


def measure(
    study: Path | str, judge: str | None = None, *, reading: Reading | str = Reading.CAUTIOUS
) -> Measurement:
    """Measure one judge of a study folder that holds its verdicts.

    Parameters
    ----------
    study : path
        The folder. Its records are taken as they are; `faultpair verify` checks them.
    judge : str, optional
        May be left out if there is one.
    reading : {"cautious", "judged", "gate"}
        How an unscored run counts in ``delta``.

    Raises
    ------
    StudyError
        If the folder holds no judged study.
    RecordError
        If a record does not fit.
    UsageError
        If the study has no such judge.

    Examples
    --------
    >>> found = measure("results/paper", "step-1.5b")
    >>> f"{found.judged.estimate:+.3f}", found.counts["pairs"]
    ('+0.193', 300)
    """
    return measure_study(load_study(Path(study)), judge, reading=reading)
