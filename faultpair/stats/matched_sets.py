"""The exact test of whether a judge is blind to some faults."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from faultpair.analysis.stats.estimate import Estimate
from faultpair.analysis.stats.tests import matched_sets
from faultpair.env.errors import UsageError

__all__ = ["matched_set_test"]


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
