"""A fault of a plan: it has no reply to edit, and it declares which metrics it moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from faultpair.env.records import ReplyPolicy

from .fault import Fault

__all__ = ["Effect", "PlanFault"]


@dataclass(frozen=True, slots=True)
class Effect:
    """The metrics of equations 1 to 3 that a fault lowers wherever it is planted, and nowhere.

    A metric in neither list depends on the site.
    """

    lowers: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()


class PlanFault(Fault):
    """A fault or control of a plan; there is no reply, so no policy but ``keep``."""

    policies: ClassVar[tuple[ReplyPolicy, ...]] = (ReplyPolicy.KEEP,)
    effect: ClassVar[Effect]
