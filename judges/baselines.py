"""Baselines without discrimination: a constant answer, or a random one."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

import msgspec

from faultpair.env.rng import key_of

from .exhibit import Exhibit
from .judge import Finding

__all__ = ["CONSTANT_GRADES", "NAMES_IN_TABLES", "ROWS_IN_TABLES", "BlindCoin", "Constant"]

NAMES_IN_TABLES = ("flag all", "flag none", "state check")
"""The rows of baselines in tables of judges of runs."""

CONSTANT_GRADES = ("always 1", "always 0.5", "always 0", "random")
"""The baselines of judges of plans, whose rows begin with ``floor:``."""

ROWS_IN_TABLES = (
    *NAMES_IN_TABLES,
    *(f"floor: {name}" for name in CONSTANT_GRADES),
    "rules (labeller)",
)

_NO_KNOWLEDGE = 0.5


@dataclass(frozen=True, slots=True)
class Constant:
    """A judge that gives one answer to everything."""

    judge_id: str
    summary: str
    faulty: bool
    view: str = "full-steps"
    task: str = "check-steps"

    def judge(self, exhibit: Exhibit) -> Finding:
        """Give the answer."""
        return Finding(
            faulty=self.faulty, confidence=_NO_KNOWLEDGE, rationale="the same answer for every run"
        )


@dataclass(frozen=True, slots=True)
class BlindCoin:
    """A judge that flags a random share ``rate`` of all exhibits, in [0, 1].

    The draw is a hash of the exhibit, so that equal exhibits get equal answers.
    """

    rate: float = 0.5
    seed: int = 0
    judge_id: str = "blind-coin"
    summary: str = "Flag half of all runs, at random."
    view: str = "full-steps"
    task: str = "check-steps"

    def judge(self, exhibit: Exhibit) -> Finding:
        """Compare the hash of an exhibit with the rate."""
        try:
            digest = _digest(exhibit)
        except (ValueError, OverflowError, RecursionError, msgspec.MsgspecError) as error:
            return Finding(None, unscored=f"the exhibit cannot be written as JSON ({error})")
        draw = key_of(self.seed, "blind-coin", digest) / 2**64
        return Finding(
            faulty=draw < self.rate, confidence=_NO_KNOWLEDGE, rationale="the toss of a coin"
        )


def _digest(exhibit: Exhibit) -> str:
    """Return a digest of the exhibit as JSON with sorted keys."""
    canonical = msgspec.json.encode(exhibit, order="deterministic")
    return blake2b(canonical, digest_size=16).hexdigest()
