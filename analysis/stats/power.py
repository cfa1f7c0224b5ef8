"""Power: what a design can show, computed before a judge is run.

The planned judge flags a clean run with chance b, and decides on each
fault afresh, with chance b + Δ. Then a pair is a hit with chance (b + Δ)(1 − b)
and reversed with b(1 − b − Δ); the pairs of one instance share their parent.

References
----------
Miettinen (1968), Biometrics 24, 339-352, and Connor (1987), Biometrics 43, 207-211,
for the test; Kish (1965), Survey Sampling, section 5.4, for the design effect.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from scipy.optimize import brentq

from ..data.columns import IntArray
from .intervals import clopper_pearson

__all__ = ["design_effect", "detectable_delta", "false_alarm_bound", "half_width", "pairs_needed"]

POWER = 0.8
Z_TEST = NormalDist().inv_cdf(0.975)
Z_POWER = NormalDist().inv_cdf(POWER)
LEAST_DELTA = 1e-12


def design_effect(size: IntArray, delta: float, base_rate: float) -> float:
    """Return by how much shared parents widen the variance of Δ.

    (f(1 − f) + k·b(1 − b)) / (f(1 − f) + b(1 − b)), with f = b + Δ and k the pairs
    that share a parent, as a pair finds them: Σnᵢ²/Σnᵢ. 1 where nothing varies.

    >>> import numpy as np
    >>> design_effect(np.array([1, 1, 1]), 0.2, 0.1)
    1.0
    """
    fault, clean = _spread(base_rate + delta), _spread(base_rate)
    sharing = float((size * size).sum() / size.sum())
    return (fault + sharing * clean) / (fault + clean) if fault + clean > 0 else 1.0


def detectable_delta(size: IntArray, base_rate: float) -> float | None:
    """Return the least Δ that a two-sided test at 5 % finds with a chance of 80 %.

    The least Δ with n / d ≥ (z₀.₉₇₅ √ψ + z₀.₈ √(ψ − Δ²))² / Δ², where ψ is the share
    of hits and reversed pairs, n the pairs and d the design effect.

    Parameters
    ----------
    size : array of int
        Pairs of every instance that has any.

    Returns
    -------
    float or None
        None if the test does not find even a judge that flags every fault.
    """
    most = 1 - base_rate
    if not len(size) or _surplus(most, size, base_rate) < 0:
        return None
    # Not from 0, where nothing varies if no clean run is flagged, and the surplus is 0 too.
    return float(brentq(_surplus, LEAST_DELTA, most, args=(size, base_rate)))


def half_width(size: IntArray, delta: float, base_rate: float) -> float:
    """Return the expected half-width of a 95 % interval: z √(d (ψ − Δ²) / n)."""
    effect = design_effect(size, delta, base_rate)
    variance = _spread(base_rate + delta) + _spread(base_rate)
    return Z_TEST * math.sqrt(effect * variance / int(size.sum()))


def pairs_needed(size: IntArray, wanted: float, delta: float, base_rate: float) -> int:
    """Return the pairs at which the half-width is as wanted: d (ψ − Δ²) z² / wanted².

    Instances are taken to bear as many faults each as they do in ``size``.
    """
    effect = design_effect(size, delta, base_rate)
    variance = _spread(base_rate + delta) + _spread(base_rate)
    return max(1, math.ceil(effect * variance * (Z_TEST / wanted) ** 2))


def false_alarm_bound(n_clean: int) -> float:
    """Return the false-alarm rate that n clean runs without a flag still allow.

    The upper exact bound 1 − 0.025^(1/n) (Clopper and Pearson 1934); 1 without a run.

    >>> round(false_alarm_bound(100), 4)
    0.0362
    """
    return clopper_pearson(0, n_clean)[1] if n_clean else 1.0


def _surplus(delta: float, size: IntArray, base_rate: float) -> float:
    """Return by how much n·Δ² is above what the test needs; it rises with Δ."""
    spread = _spread(base_rate + delta) + _spread(base_rate)
    reach = Z_TEST * math.sqrt(spread + delta**2) + Z_POWER * math.sqrt(spread)
    return float(int(size.sum()) * delta**2 - design_effect(size, delta, base_rate) * reach**2)


def _spread(chance: float) -> float:
    return max(0.0, chance * (1 - chance))
