"""What a manifest holds of `[stop]`: the table as it was declared, and where judges ended."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["SealedStop", "StopRecord"]


class StopRecord(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Where a judge, or one minus another, became clear; ``passed`` is None where it is not.

    ``low`` and ``high`` are ends of an always-valid interval after ``instances`` of
    ``of_instances``; of ``of_requests`` requests ``requests`` are settled. ``went_on`` says that
    more were sent after it was clear.
    """

    estimate: float
    low: float
    high: float
    passed: bool | None
    instances: int
    of_instances: int
    requests: int
    of_requests: int
    went_on: bool = False


class SealedStop(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The table `[stop]` as it was declared, whether a judge of it had answered, and what came."""

    floor: float | None = None
    margin: float | None = None
    judge: str | None = None
    against: str | None = None
    to_be: str = "non-inferior"
    over: Literal["pairs", "instances"] = "pairs"
    post_hoc: bool = True
    ended: dict[str, StopRecord] = {}
