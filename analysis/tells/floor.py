"""What judges that read no run find: by the digits of ids, or by the order of requests.

A domain that has digits to read by has a module of its own in `faultpair.judges.floor`, with
``digits_in`` and ``flags``.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from pkgutil import resolve_name
from typing import Any

import numpy as np

from faultpair.env.rng import drawn_order

from ..data.columns import FloatArray
from ..stats.estimate import significant
from .features import ids_in
from .pages import Page, Pair

__all__ = [
    "N_PERMUTATIONS",
    "by_digits_alone",
    "digit_judge",
    "gains_by_digits_alone",
    "mean_delta",
]

N_PERMUTATIONS = 200
NEAR = 0.01
"""How near to 0 the mean Δ of a judge that knows nothing must be."""

_N_RESIDUES = 6
"""The digit judges of all domains read the remainder of a number by six."""


def by_digits_alone(page: Page) -> bool | None:
    """Return whether the last digits of all ids on a page have an odd sum; None without ids."""
    shown = set(ids_in([page["steps"], page.get("reply", "")]))
    return sum(int(one[-1]) for one in shown) % 2 == 1 if shown else None


def gains_by_digits_alone(pairs: Sequence[tuple[Page, Page]]) -> tuple[int, int]:
    """Return how many more faults than clean runs the judge of digits alone flags, of how many.

    A pair with a page that shows no id is left out: there are no digits to judge by.
    """
    flags = [(by_digits_alone(fault), by_digits_alone(clean)) for fault, clean in pairs]
    gains = [fault - clean for fault, clean in flags if fault is not None and clean is not None]
    return sum(gains), len(gains)


def mean_delta(deltas: Sequence[float], pairs: int) -> dict[str, Any]:
    """Return the mean Δ over sets or orders, beside the range that it must lie in."""
    error = statistics.stdev(deltas) / math.sqrt(len(deltas))
    return {
        "repeats": len(deltas),
        "pairs": pairs,
        "delta": significant(statistics.fmean(deltas), 6),
        "error": significant(error, 6),
        "low": -NEAR,
        "high": NEAR,
    }


def digit_judge(domain: str, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return Δ of a domain's digit judge, and its quantiles with the digits permuted.

    The digits are those of the clean runs, so that a fault that hides or changes an id does
    not change them; the digits of instances are permuted over instances.
    """
    flags, digits_in = (_of(domain, name) for name in ("flags", "digits_in"))
    digits = {pair.instance: int(digits_in(pair.pages[1]) or 0) for pair in pairs}
    places = {name: place for place, name in enumerate(digits)}
    place = np.array([places[pair.instance] for pair in pairs])
    gains: FloatArray = np.array([_gains(flags, pair) for pair in pairs])
    residues = np.array(list(digits.values())) % _N_RESIDUES
    rows = np.arange(len(pairs))
    found = [
        float(gains[rows, residues[list(order)][place]].mean())
        for order in (
            range(len(digits)),
            *(drawn_order(len(digits), "tells", "digits", n) for n in range(N_PERMUTATIONS)),
        )
    ]
    low, high = np.quantile(found[1:], [0.025, 0.975])
    ends = {"low": significant(float(low), 6), "high": significant(float(high), 6)}
    counts = {"repeats": N_PERMUTATIONS, "pairs": len(pairs)}
    return counts | {"delta": significant(found[0], 6)} | ends


def _gains(flags: Callable[[Page, int], bool], pair: Pair) -> list[int]:
    """Return for each remainder whether the judge flags the fault, less whether the clean run."""
    fault, clean = pair.pages
    return [flags(fault, digit) - flags(clean, digit) for digit in range(_N_RESIDUES)]


def _of(domain: str, name: str) -> Any:
    return resolve_name(f"faultpair.judges.floor.{domain}:{name}")
