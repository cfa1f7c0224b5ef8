"""Keys of the numbers of plans: a statistic, and the names of the factors that it is of.

The text of a key is the name of the number in files, and is never taken apart again.
"""

from __future__ import annotations

from typing import NamedTuple

from ...stats.estimate import Estimate

__all__ = ["ALL_TIERS", "FACTORS", "OVERALL", "PlanKey", "PlanNumbers"]

FACTORS = ("condition", "judge", "generator", "tier", "topology", "metric")

ALL_TIERS = "all"
OVERALL = "overall"
"""In place of a metric: the mean of the four."""


class PlanKey(NamedTuple):
    """What a number is of; ``one`` and ``other`` are a pair of judges.

    >>> str(PlanKey("alignment", tier="hard", judge="a"))
    'alignment/judge=a/tier=hard'
    """

    stat: str
    of: str = ""
    part: str = ""
    one: str = ""
    other: str = ""
    condition: str = ""
    judge: str = ""
    generator: str = ""
    tier: str = ""
    topology: str = ""
    metric: str = ""
    levels: str = ""

    def __str__(self) -> str:
        head = (self.stat, self.of, self.part, self.one, self.other)
        names = zip(FACTORS, self[5:-1], strict=True)
        parts = (*head, *(f"{factor}={name}" for factor, name in names if name), self.levels)
        return "/".join(part for part in parts if part)


PlanNumbers = dict[PlanKey, Estimate]
