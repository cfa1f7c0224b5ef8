"""Declared contrasts: differences between two judges, tested by sign flips over instances.

Under the null the two judges are exchangeable within an instance, so the sign of
each instance's summed difference is a coin toss. Up to 13 instances that differ,
every assignment of signs is counted; beyond, 10,000 are drawn and the observed
one is counted with them. Holm's step-down holds the family of declared contrasts.

References
----------
Holm (1979), Scand. J. Statist. 6, 65-70; Phipson and Smyth (2010), SAGMB 9, 39.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np

from faultpair.env.errors import StudyError

from ..data.columns import BoolArray, FloatArray, IntArray
from ..data.contrasts import Contrast
from ..data.study_data import LABELLER, StudyData
from ..stats.bootstrap import Replicates, UnitColumns, ratio, raw_words
from ..stats.estimate import Estimate, undefined
from ..stats.intervals import from_draws
from .pairs import PairDesign, PairOutcomes

__all__ = ["contrast_numbers", "holm", "sign_flip"]

N_FLIPS = 10_000
COUNT_ALL_UP_TO = 13
KEPT_UP_TO = 5
"""Signs for up to so many times 64 instances are kept, for the next contrast."""

NOTHING = "the two judges share no judged pair or run in this group"


def contrast_numbers(
    study: StudyData, design: PairDesign, fates: list[PairOutcomes], n_resamples: int
) -> dict[str, Estimate]:
    """Return difference, p and Holm-adjusted p of every declared contrast."""
    found: dict[str, Estimate] = {}
    for contrast in study.contrasts:
        name = f"contrast/{contrast.name}"
        open_one = _not_yet(study, contrast)
        if open_one is not None:
            found |= {f"{name}/difference": open_one, f"{name}/p": open_one}
            continue
        total, units = _by_instance(study, design, fates, contrast)
        found[f"{name}/difference"] = _difference(total, units, n_resamples)
        found[f"{name}/p"] = sign_flip(total)
    names = [f"contrast/{contrast.name}" for contrast in study.contrasts]
    adjusted = holm([found[f"{name}/p"].estimate for name in names])
    for name, p in zip(names, adjusted, strict=True):
        raw = found[f"{name}/p"]
        found[f"{name}/p-holm"] = (
            raw
            if p is None
            else Estimate(p, None, None, raw.n, f"Holm over {len(names)} contrasts", "a p-value")
        )
    return found


def sign_flip(total: IntArray) -> Estimate:
    """Return the two-sided p of a sum of instance differences under random signs."""
    moved = total[total != 0]
    if not len(total):
        return undefined(NOTHING)
    if not len(moved):
        return Estimate(1.0, None, None, len(total), "sign flips", "no instance differs")
    observed = abs(int(moved.sum()))
    if len(moved) <= COUNT_ALL_UP_TO:
        p = float(np.mean(np.abs(_every_sign(len(moved)) @ moved) >= observed))
        return Estimate(p, None, None, len(total), "sign flips over instances, all", "a p-value")
    extreme = sum(int((np.abs(block @ moved) >= observed).sum()) for block in _signs(len(moved)))
    p = (1 + extreme) / (1 + N_FLIPS)
    return Estimate(p, None, None, len(total), "sign flips over instances, drawn", "a p-value")


def holm(p_values: list[float | None]) -> list[float | None]:
    """Return the adjusted p-values, in the order given; undefined ones stay out.

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    order = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, place) in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p))
        adjusted[place] = largest
    return adjusted


@cache
def _every_sign(n: int) -> FloatArray:
    return np.array(list(product((-1.0, 1.0), repeat=n)))


def _signs(n: int) -> Iterator[FloatArray]:
    """Yield blocks of ±1 of shape (flips, n), from the bits of raw words."""
    per_flip = -(-n // 64)
    kept = _kept_signs(per_flip) if per_flip <= KEPT_UP_TO else _drawn_signs(per_flip)
    return (block[:, :n] for block in kept)


@cache
def _kept_signs(per_flip: int) -> tuple[FloatArray, ...]:
    return tuple(_drawn_signs(per_flip))


def _drawn_signs(per_flip: int) -> Iterator[FloatArray]:
    words = raw_words("sign-flips")
    for _ in range(10):
        bits = words.random_raw(N_FLIPS // 10 * per_flip).astype("<u8").view(np.uint8)
        toss = np.unpackbits(bits).reshape(N_FLIPS // 10, per_flip * 64)
        yield toss.astype(np.float64) * 2 - 1


def _by_instance(
    study: StudyData, design: PairDesign, fates: list[PairOutcomes], contrast: Contrast
) -> tuple[IntArray, IntArray]:
    """Return the summed difference and the number of units of every instance that has any."""
    left, right = (_judge(study, contrast, name) for name in (contrast.judge, contrast.against))
    if contrast.metric == "delta":
        rows = _group(design, contrast) & fates[left].judged & fates[right].judged
        value = fates[left].difference - fates[right].difference
        instance = study.runs.instance.codes[design.fault]
    else:
        scored, flagged = study.verdicts.scored, study.verdicts.flagged.astype(np.int64)
        rows = study.runs.clean & scored[left] & scored[right]
        value = flagged[left] - flagged[right]
        instance = study.runs.instance.codes
    _, unit = np.unique(instance[rows], return_inverse=True)
    total = np.bincount(unit, value[rows]).astype(np.int64)
    return total, np.bincount(unit).astype(np.int64)


def _difference(total: IntArray, units: IntArray, n_resamples: int) -> Estimate:
    ledger = UnitColumns(len(total))
    ledger.add("total", total)
    ledger.add("units", units)
    sums = ledger.sums(np.zeros(len(total), np.int64), purpose="contrast", n_resamples=n_resamples)
    values = ratio(sums["total"], sums["units"])
    drawn = Replicates(values, int(units.sum()), NOTHING)
    return from_draws(drawn, "percentile bootstrap over instances")


def _not_yet(study: StudyData, contrast: Contrast) -> Estimate | None:
    """Return why a contrast waits: for a judge that is to answer, or for none that could."""
    for name in (contrast.judge, contrast.against):
        if name not in study.judges and name in study.expected:
            is_labeller = bool(study.episodes) and name in LABELLER.split()
            reason = "is the labeller, not a judge" if is_labeller else "has not answered yet"
            return undefined(f"{name} {reason}")
    return None


def _judge(study: StudyData, contrast: Contrast, name: str) -> int:
    if name not in study.judges:
        raise StudyError(
            f"Contrast '{contrast.name}' names judge '{name}', which has no verdicts here. "
            f"Judges: {', '.join(study.judges)}."
        )
    return study.judges.index(name)


def _group(design: PairDesign, contrast: Contrast) -> BoolArray:
    if contrast.group not in design.groups:
        raise StudyError(
            f"Contrast '{contrast.name}' names group '{contrast.group}', which has no pairs here. "
            f"Groups: {', '.join(design.groups)}."
        )
    return design.groups[contrast.group]
