"""The base class of plan faults, and the metrics that they lower or keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from faultpair.env.records import ReplyPolicy

from .fault import Fault

__all__ = ["Effect", "PlanFault"]


@dataclass(frozen=True, slots=True)
class Effect:
    """The metrics of equations 1 to 3 that a fault lowers at every site, and those at none.

    Any other metric depends on the site.
    """

    lowers: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()


class PlanFault(Fault):
    """A fault or control of a plan. Without a reply, ``keep`` is the only policy."""

    policies: ClassVar[tuple[ReplyPolicy, ...]] = (ReplyPolicy.KEEP,)
    effect: ClassVar[Effect]
