"""The counts of a cell of the table: a contrast seen through a group of features."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..data.columns import BoolArray, IntArray
from ..stats.estimate import significant
from .classifier import matrix_of, out_of_fold
from .features import Group
from .pages import MASKS, Mask, Pair, masked
from .rule import ABOVE, is_of_instances, needs_masks
from .separation import Separation, folds_of, separation
from .sets import PairedSet

__all__ = ["LEAST_PAIRS", "cells_of"]

LEAST_PAIRS = 30
"""Types with fewer pairs share a contrast."""

OTHER = "other types"

Both = tuple[Any, Any]
"""The features of the two pages of a pair."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """Some pairs. ``is_pooled`` compares their runs each once, over all instances."""

    name: str
    pairs: Sequence[Pair]
    is_pooled: bool = False


def cells_of(runs: PairedSet, group: Group) -> Iterator[dict[str, Any]]:
    """Yield the counts of one group of features for every contrast of a set."""
    for contrast in _contrasts(runs):
        if contrast.pairs:
            cell = {"set": runs.name, "contrast": contrast.name, "group": group.name}
            yield cell | _counts(contrast, group)


def _contrasts(runs: PairedSet) -> list[Contrast]:
    """Return faults beside their own clean runs, by type, then all against all."""
    by_type = {kind: [pair for pair in runs.faults if pair.kind == kind] for kind in runs.kinds}
    few = {kind for kind, pairs in by_type.items() if len(pairs) < LEAST_PAIRS}
    contrasts = [Contrast(kind, by_type[kind]) for kind in by_type if kind not in few]
    contrasts.append(Contrast(OTHER, [pair for pair in runs.faults if pair.kind in few]))
    contrasts.append(Contrast("faulty against clean", runs.faults, is_pooled=True))
    contrasts.append(Contrast("controls against clean", runs.controls, is_pooled=True))
    return [*contrasts, Contrast("faulty against controls", runs.across, is_pooled=True)]


def _counts(contrast: Contrast, group: Group) -> dict[str, Any]:
    pairs = contrast.pairs
    features = _features(pairs, group)
    own = _separate(pairs, features, once=contrast.is_pooled and not group.needs_pairs)
    counts = {
        "pairs": len(pairs),
        "instances": len({pair.instance for pair in pairs}),
        "differ": _n_that_differ(features),
        "auc": significant(own.auc, 6),
        "mean": significant(own.mean, 6),
        "sd": significant(own.sd, 6),
    }
    if not needs_masks(counts):
        return counts
    return counts | {"masks": list(_masks(pairs, group, _allowed(counts, group)))}


def _allowed(counts: dict[str, Any], group: Group) -> tuple[Mask, ...]:
    """Return the masks that may explain an AUC. An edit changes no bare group."""
    if is_of_instances(counts):
        return (Mask.INSTANCE,)
    return () if group.is_bare else MASKS[1:]


def _masks(pairs: Sequence[Pair], group: Group, masks: Sequence[Mask]) -> Iterator[dict[str, Any]]:
    """Yield the AUC under one mask after the other, until one leaves at most `ABOVE`."""
    for mask in masks:
        hidden = [replace(pair, pages=masked(pair.pages, mask)) for pair in pairs]
        features = _features(hidden, group)
        own = _separate(hidden, features, once=False)
        differ = _n_that_differ(features)
        yield {"mask": mask.value, "differ": differ, "auc": significant(own.auc, 6)}
        if own.auc <= ABOVE:
            return


def _separate(pairs: Sequence[Pair], features: Sequence[Both], *, once: bool) -> Separation:
    """Return how well the first pages are told from the second ones.

    ``once``: each run is a row once, however many pairs it is in. Where the features of every
    pair are equal, a classifier cannot tell the pages of a pair apart, and none is fitted.
    """
    if not once and not _n_that_differ(features):
        return Separation(0.5, 0.5, 0.0)
    rows = [
        (name, place == 0, pair.instance, own[place])
        for pair, own in zip(pairs, features, strict=True)
        for place, name in enumerate(pair.names)
    ]
    if once:
        rows = list({row[0]: row for row in rows}.values())
    folds = folds_of([row[2] for row in rows])
    numbers = {name: place for place, name in enumerate(folds)}
    labels: BoolArray = np.array([row[1] for row in rows])
    fold: IntArray = np.array([folds[row[2]] for row in rows])
    stratum: IntArray = np.array([numbers[row[2]] for row in rows])
    scores = out_of_fold(matrix_of([row[3] for row in rows]), labels, fold)
    return separation(scores, labels, fold, stratum, in_pairs=not once)


def _features(pairs: Sequence[Pair], group: Group) -> list[Both]:
    """Return the features of both pages of each pair."""
    pages = (pair.pages for pair in pairs)
    return [(group.of(one, other), group.of(other, one)) for one, other in pages]


def _n_that_differ(features: Sequence[Both]) -> int:
    return sum(one != other for one, other in features)
