"""Equivalence and non-inferiority within a margin that was declared beforehand.

A difference is not inferior if the low end of its interval is above −margin, and equivalent
if the high end is below the margin too. The ends are those of `interval` at the level asked
for, so the test is the inverse of the interval that is published, at another level. A floor
is a margin of its own: Δ ≥ floor is non-inferiority to 0 with margin −floor.

References
----------
Schuirmann (1987), J. Pharmacokin. Biopharm. 15, 657-680, for two one-sided tests; Tango (1998),
Statist. Med. 17, 891-908, for the margin in paired proportions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .clusters import FEW
from .paired_difference import Clustered, interval

__all__ = ["LARGEST_P", "LEVEL", "MarginTest", "equivalence", "non_inferiority", "within"]

LEVEL = 0.05
LEAST_P, LARGEST_P = 1e-6, 0.49
"""The bounds of a p: smaller and larger ones are not looked for."""

HALVINGS = 30

EndsAt = Callable[[float], tuple[float, float] | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarginTest:
    """Whether a difference is within a margin, and the p of the hypothesis that it is not.

    Attributes
    ----------
    difference : float
        As observed.
    margin : float
        As declared.
    level : float
        The chance of each end to miss its side; 5 % if not given.
    ci_low, ci_high : float or None
        Ends whose chance to miss their side is ``level`` each; None, with the reason, where
        the instances are too few.
    p : float or None
        The least level at which the test would hold.
    is_held : bool
        Whether p is at most ``level``.
    reason : str or None
        Why there is no test.
    """

    difference: float
    margin: float
    level: float
    ci_low: float | None = None
    ci_high: float | None = None
    p: float | None = None
    is_held: bool = False
    reason: str | None = None


def non_inferiority(
    pairs: Clustered, margin: float, *, level: float = LEVEL, steps: int = 1
) -> MarginTest:
    """Test whether a difference is above −margin.

    Parameters
    ----------
    pairs : Clustered
        Pairs of a judge with its parents, or of one judge with another. A false-alarm rate
        that must not be higher is the other judge's flags minus this one's.
    margin : float
        How much less is still good enough; −floor for a floor.
    steps : int
        2 if ``pairs`` holds differences of two differences, as `Clustered.of` makes them.
    """
    return within(_of_pairs(pairs, steps), steps * pairs.delta, margin, level=level)


def equivalence(
    pairs: Clustered, margin: float, *, level: float = LEVEL, steps: int = 1
) -> MarginTest:
    """Test whether a difference is between −margin and margin."""
    if not margin > 0:
        raise ValueError(f"A margin of equivalence is above 0, and {margin} is not.")
    ends = _of_pairs(pairs, steps)
    return within(ends, steps * pairs.delta, margin, level=level, is_two_sided=True)


def within(
    ends: EndsAt,
    difference: float,
    margin: float,
    *,
    level: float = LEVEL,
    is_two_sided: bool = False,
) -> MarginTest:
    """Test a difference of any kind against a margin.

    Parameters
    ----------
    ends : function
        Returns, for the chance of an end to miss its side, both ends of the difference's
        interval, or None where there is none.
    is_two_sided : bool
        Whether the difference must be below the margin, too.
    """
    found = MarginTest(difference=difference, margin=margin, level=level)
    known = ends(level)
    if known is None:
        return replace(found, reason=FEW)
    p = _least_level(ends, (-margin, margin if is_two_sided else None))
    return replace(found, ci_low=known[0], ci_high=known[1], p=p, is_held=p <= level)


def _of_pairs(pairs: Clustered, steps: int) -> EndsAt:
    def ends(level: float) -> tuple[float, float] | None:
        found = interval(pairs, level)
        return None if found is None else (steps * found[0], steps * found[1])

    return ends


def _least_level(ends: EndsAt, bounds: tuple[float, float | None]) -> float:
    """Return the least level at which both ends are inside, by halving; `LARGEST_P` if none is."""
    floor, ceiling = bounds

    def is_inside(level: float) -> bool:
        found = ends(level)
        if found is None:
            return False
        return found[0] > floor and (ceiling is None or found[1] < ceiling)

    low, high = LEAST_P, LARGEST_P
    if not is_inside(high):
        return high
    if is_inside(low):
        return low
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_inside(middle) else (middle, high)
    return high
