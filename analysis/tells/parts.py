"""The parts of the counts, each counted by a process that was given all sets at its start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from threadpoolctl import threadpool_limits

from faultpair.studies.spec import StudySpec

from .cells import cells_of
from .features import GROUPS
from .floor import digit_judge, gains_by_digits_alone
from .seeds import small_sets
from .sets import PairedSet

__all__ = ["DIGITS", "DIGITS_ALONE", "ORDER", "Part", "Source", "count", "start"]

DIGITS, DIGITS_ALONE, ORDER = "digits", "digits alone", "order"
"""The judges that read no run."""


@dataclass(frozen=True, slots=True)
class Source:
    """A set, its study, and the share of the study that a set of another seed has."""

    runs: PairedSet
    study: StudySpec
    share: float


class Part(NamedTuple):
    """What to count of a set: a group of features, or a judge under some seeds."""

    source: str
    what: str
    seeds: range = range(0)


_SOURCES: dict[str, Source] = {}


def start(sources: Mapping[str, Source]) -> None:
    """Give this process its sets."""
    _SOURCES.update(sources)


def count(part: Part) -> list[Any]:
    """Count a part in one thread, so that sums do not depend on the number of cores."""
    source = _SOURCES[part.source]
    runs = source.runs
    with threadpool_limits(1):
        if part.what == DIGITS:
            return [digit_judge(runs.domain, runs.faults)]
        if part.what == DIGITS_ALONE:
            made = small_sets(source.study, part.seeds, source.share)
            return [gains_by_digits_alone(pairs) for pairs in made]
        if part.what == ORDER:
            return [runs.orders.deltas(seed) for seed in part.seeds]
        group = next(group for group in GROUPS if group.name == part.what)
        return list(cells_of(runs, group))
