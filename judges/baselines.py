"""Baselines without discrimination: a constant answer, or a random one."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from unicodedata import category, normalize

import msgspec

from faultpair.env.rng import key_of

from .exhibit import Exhibit
from .judge import Finding

__all__ = ["CONSTANT_GRADES", "NAMES_IN_TABLES", "BlindCoin", "Constant", "baseline_like"]

NAMES_IN_TABLES = ("flag all", "flag none", "state check")
"""The rows of baselines in tables of judges of runs."""

CONSTANT_GRADES = ("always 1", "always 0.5", "always 0", "random")
"""The baselines of judges of plans, whose rows begin with ``floor:``."""

_TAKEN = (*NAMES_IN_TABLES, *(f"floor: {name}" for name in CONSTANT_GRADES), "rules (labeller)")

_NO_KNOWLEDGE = 0.5
_UNSEEN = ("Mn", "Me", "Cf", "Cc")
_ALIKE = str.maketrans(
    "1i|0\u0430\u0435\u043e\u0441\u0455\u04bb\u043a\u04cf\u0442\u0251\u0261\u1d0b",
    "lllo" + "aeocshklt" + "agk",
)
"""Signs that are read as a letter of these names."""


def baseline_like(name: str) -> str | None:
    """Return the baseline that a reader of a table would take a name for, if there is one.

    Case, blanks, accents and invisible characters do not tell names apart, nor does a sign that
    looks the same: ``Flag  all``, ``f1ag all``, or one whose ``a`` is Cyrillic.
    """
    shown = _as_shown(name)
    return next((known for known in _TAKEN if _looks_like(shown, _as_shown(known))), None)


def _as_shown(name: str) -> str:
    letters = normalize("NFKD", name).casefold().translate(_ALIKE)
    seen = (sign for sign in letters if sign.isspace() or category(sign) not in _UNSEEN)
    return " ".join("".join(seen).split())


def _looks_like(name: str, known: str) -> bool:
    """Return whether two names differ in signs beyond ASCII alone, in at most half of them."""
    if len(name) != len(known):
        return False
    other = [sign for sign, own in zip(name, known, strict=True) if sign != own]
    return 2 * len(other) <= len(known) and not any(sign.isascii() for sign in other)


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
