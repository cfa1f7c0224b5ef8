"""The exact interval of Δ for few pairs that share nothing.

It holds every Δ that neither of two one-sided tests rejects. A test orders all results of
n pairs by Tango's score and takes the chance of the observed one or a more extreme one, at
the chance of a loss that makes it largest.

References
----------
Tango (1998), Statist. Med. 17, 891-908; Hsueh, Liu and Chen (2001), Biometrics 57, 478-483.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.special import gammaln, xlogy

from ..data.columns import FloatArray

__all__ = ["exact_interval"]

SCANNED = 41
CHANCES = 41
HALVINGS = 25
TIE = 1e-9


@cache
def exact_interval(gains: int, losses: int, n: int, tail: float) -> tuple[float, float]:
    """Return the ends of Δ for so many gains and losses in n pairs.

    >>> [round(end, 2) for end in exact_interval(5, 0, 5, 0.025)]
    [-0.04, 1.0]
    """
    return 0.0 - _high(losses, gains, n, tail), _high(gains, losses, n, tail)


def _high(gains: int, losses: int, n: int, tail: float) -> float:
    """Return the largest Δ at which so few gains, or fewer, have at least the chance ``tail``."""
    outcomes = np.array([(g, r) for g in range(n + 1) for r in range(n + 1 - g)])
    place = int(np.flatnonzero((outcomes == (gains, losses)).all(axis=1))[0])

    def is_held(delta: float) -> bool:
        score = _scores(outcomes, n, delta)
        extreme = outcomes[score <= score[place] + TIE]
        return bool(_chances(extreme, n, delta).max() >= tail)

    # The chance need not fall steadily, so the hull of all that is held is taken.
    deltas = np.linspace((gains - losses) / n, 1.0, SCANNED)
    held = [place for place, delta in enumerate(deltas) if is_held(float(delta))]
    if not held or held[-1] == len(deltas) - 1:
        return 1.0
    low, high = float(deltas[held[-1]]), float(deltas[held[-1] + 1])
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_held(middle) else (low, middle)
    return high


def _scores(outcomes: np.ndarray, n: int, delta: float) -> FloatArray:
    """Return Tango's score of each result: (g − l − nΔ) / √(n·(2q + Δ(1 − Δ)))."""
    gains, losses = outcomes[:, 0], outcomes[:, 1]
    slope = (2 * n - gains + losses) * delta - gains - losses
    constant = -losses * delta * (1 - delta)
    root = np.sqrt(np.maximum(0.0, slope**2 - 8 * n * constant))
    variance = n * (2 * (root - slope) / (4 * n) + delta * (1 - delta))
    away = gains - losses - n * delta
    return np.asarray(away / np.sqrt(np.maximum(variance, TIE)))


def _chances(outcomes: np.ndarray, n: int, delta: float) -> FloatArray:
    """Return the summed chance of some results, for each of many chances of a loss."""
    loss = np.linspace(max(0.0, -delta), (1 - delta) / 2, CHANCES)[:, np.newaxis]
    gains, losses = outcomes[:, 0], outcomes[:, 1]
    rest = n - gains - losses
    ways = gammaln(n + 1) - gammaln(gains + 1) - gammaln(losses + 1) - gammaln(rest + 1)
    gain = np.maximum(loss + delta, 0.0)
    neither = np.maximum(1 - loss - gain, 0.0)
    logs = ways + xlogy(gains, gain) + xlogy(losses, loss) + xlogy(rest, neither)
    return np.asarray(np.exp(logs).sum(axis=1))
