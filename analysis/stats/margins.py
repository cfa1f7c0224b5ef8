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

from dataclasses import dataclass, replace

from .clusters import FEW
from .paired_difference import Clustered, interval

__all__ = ["MarginTest", "equivalence", "non_inferiority"]

LEVEL = 0.05
LEAST_P, LARGEST_P = 1e-6, 0.49
HALVINGS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class MarginTest:
    """Whether a difference is within a margin, and the p of the hypothesis that it is not.

    Attributes
    ----------
    difference : float
        As observed.
    margin : float
        As declared.
    ci_low, ci_high : float or None
        Ends whose chance to miss their side is ``level`` each; None, with the reason, where
        the instances are too few.
    p : float or None
        The least level at which the test would hold.
    is_held : bool
        Whether p is at most ``level``.
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
    return _test(pairs, (-margin, None), margin, level=level, steps=steps)


def equivalence(
    pairs: Clustered, margin: float, *, level: float = LEVEL, steps: int = 1
) -> MarginTest:
    """Test whether a difference is between −margin and margin."""
    if not margin > 0:
        raise ValueError(f"A margin of equivalence is above 0, and {margin} is not.")
    return _test(pairs, (-margin, margin), margin, level=level, steps=steps)


def _test(
    pairs: Clustered,
    bounds: tuple[float, float | None],
    margin: float,
    *,
    level: float,
    steps: int,
) -> MarginTest:
    ends = interval(pairs, level)
    found = MarginTest(difference=steps * pairs.delta, margin=margin, level=level)
    if ends is None:
        return replace(found, reason=FEW)
    p = _least_level(pairs, bounds, steps)
    low, high = (steps * end for end in ends[:2])
    return replace(found, ci_low=low, ci_high=high, p=p, is_held=p <= level)


def _least_level(pairs: Clustered, bounds: tuple[float, float | None], steps: int) -> float:
    """Return the least level at which both ends are inside, by halving; `LARGEST_P` if none is."""
    floor, ceiling = bounds

    def is_inside(level: float) -> bool:
        ends = interval(pairs, level)
        if ends is None:
            return False
        return steps * ends[0] > floor and (ceiling is None or steps * ends[1] < ceiling)

    low, high = LEAST_P, LARGEST_P
    if not is_inside(high):
        return high
    if is_inside(low):
        return low
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_inside(middle) else (middle, high)
    return high
