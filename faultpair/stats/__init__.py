"""Statistics of judges on anybody's plain data: rows, files, data frames or a study folder.

::

    from faultpair.stats import PairData, compare, measure_pairs

    data = PairData.read("verdicts.csv")
    print(measure_pairs(data, judge="large").summary())

What each number means is in docs/what-the-numbers-mean.md.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path

import numpy as np

from faultpair.analysis.data.pair_data import PairData
from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.measurement.compare import Comparison, compare
from faultpair.analysis.measurement.measure import measure_pairs, measure_study
from faultpair.analysis.measurement.result import GroupResult, Measurement
from faultpair.analysis.stats.estimate import Estimate
from faultpair.analysis.stats.hierarchy import types_as_a_sample
from faultpair.analysis.stats.planned_judge import Answers, PlannedJudge
from faultpair.analysis.stats.readings import Reading
from faultpair.analysis.stats.sequential import always_valid
from faultpair.analysis.stats.tests import holm, matched_sets
from faultpair.env.errors import UsageError

from .planning import least_delta, power

__all__ = [
    "Answers",
    "Comparison",
    "Estimate",
    "GroupResult",
    "Measurement",
    "PairData",
    "PlannedJudge",
    "Reading",
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


def matched_set_test(
    sets: Sequence[Hashable], fault: Sequence[bool], parent: Sequence[bool]
) -> Estimate:
    """Test exactly whether a judge is blind to the faults of some pairs.

    Under the null the judge flags any run of a set, a clean run and the faults made from it,
    as likely as any other. With one fault in each set it is McNemar's exact test.

    Parameters
    ----------
    sets : sequence, one entry a pair
        What names the clean run of the pair.
    fault, parent : sequence of bool, one entry a pair
        Whether the judge flags the fault, and its clean run.

    Returns
    -------
    Estimate
        The two-sided p as ``estimate``, None if no set is flagged in part; ``n`` counts
        the sets that are.

    Raises
    ------
    UsageError
        If the lengths differ, or one clean run has two flags.

    Examples
    --------
    Eight pairs with a clean run each: six faults alone are flagged, and one clean run alone.

    >>> flags = [1, 1, 1, 1, 1, 1, 0, 0], [0, 0, 0, 0, 0, 0, 1, 0]
    >>> matched_set_test(range(8), *flags).estimate
    0.125
    """
    if not len(sets) == len(fault) == len(parent):
        lengths = f"{len(sets)}, {len(fault)} and {len(parent)}"
        raise UsageError(f"Sets and flags have {lengths} entries. Expected one of each a pair.")
    place: dict[Hashable, int] = {}
    row = np.array([place.setdefault(name, len(place)) for name in sets], np.int64)
    is_parent = np.zeros(len(place), np.bool_)
    is_parent[row] = np.array(parent, np.bool_)
    if (is_parent[row] != np.array(parent, np.bool_)).any():
        raise UsageError("A clean run has two flags. Expected one flag for the parent of a set.")
    flagged = np.bincount(row, np.array(fault, np.bool_), minlength=len(place)).astype(np.int64)
    return matched_sets(flagged, np.bincount(row, minlength=len(place)), is_parent)
