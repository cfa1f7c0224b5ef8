"""Keys of numbers: a statistic, the judge and the group that it is of.

Tables, figures and macros pick numbers by key. The text of a key is the name of the number
in files, and is never taken apart again: judges may have names with slashes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..stats.estimate import Estimate

__all__ = [
    "ALL",
    "CHANGED",
    "LOUD",
    "PAIRED",
    "SILENT",
    "UNCHANGED",
    "Group",
    "NumberKey",
    "Numbers",
    "design_key",
    "of_judge",
]


class Group(NamedTuple):
    """Faults or pairs that share the name of a factor, perhaps inside another group."""

    factor: str
    name: str | None = None
    inside: str | None = None

    def __str__(self) -> str:
        own = self.factor if self.name is None else f"{self.factor}={self.name}"
        return own if self.inside is None else f"{own}/{self.inside}"


ALL, SILENT, LOUD = Group("all"), Group("silent"), Group("loud")
UNCHANGED, CHANGED = Group("unchanged"), Group("changed")
PAIRED = (ALL, SILENT, LOUD, UNCHANGED, CHANGED)
"""The groups in which judges are compared."""


class NumberKey(NamedTuple):
    """What a number is of; ``family`` is what the names of numbers of no single judge begin with.

    >>> str(NumberKey("delta", Group("type", "stop"), "percentile", judge="step"))
    'step/delta/type=stop/percentile'
    """

    stat: str
    group: Group | str = ""
    part: str = ""
    judge: str = ""
    against: str = ""
    family: str = ""

    def __str__(self) -> str:
        parts = (self.family, self.judge, self.against, self.stat, self.group, self.part)
        return "/".join(str(part) for part in parts if part)


Numbers = dict[NumberKey, Estimate]


def design_key(stat: str, group: Group | str = "", part: str = "") -> NumberKey:
    """Return the key of a count of the design."""
    return NumberKey(stat, group, part, family="design")


def of_judge(judge: str, numbers: Mapping[NumberKey, Estimate]) -> Numbers:
    """Return numbers without a judge as those of one."""
    return {key._replace(judge=judge): number for key, number in numbers.items()}
