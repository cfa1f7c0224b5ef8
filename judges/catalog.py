"""The judges there are: those of any domain, and the rule packs of each."""

from __future__ import annotations

from collections.abc import Iterable

from env.registry import Registry

from .baselines import BlindCoin, Constant
from .judge import Judge
from .rules import support_desk, toy
from .state_check import StateCheck

__all__ = ["JUDGES", "find_judge", "judges_of"]

GENERAL: tuple[Judge, ...] = (
    StateCheck(),
    Constant("flag-all", faulty=True),
    Constant("flag-none", faulty=False),
    BlindCoin(),
)
"""Judges that ask for nothing but an exhibit, so that they serve every domain."""


def _named(judges: Iterable[Judge]) -> Registry[Judge]:
    registry: Registry[Judge] = Registry("judge")
    for judge in judges:
        registry.add(judge.judge_id, judge)
    return registry


JUDGES: Registry[Registry[Judge]] = Registry("domain with rules of its own")
JUDGES.add("toy", _named((*toy.PACKS, *GENERAL)))
JUDGES.add("support_desk", _named((*support_desk.PACKS, *GENERAL)))


def judges_of(domain: str) -> Registry[Judge]:
    """Return the judges of a domain by id; one without rules has the general judges."""
    return JUDGES[domain] if domain in JUDGES else _named(GENERAL)


def find_judge(judge_id: str, domain: str) -> Judge:
    """Return a judge by its id and the domain it is to judge.

    Raises
    ------
    UsageError
        If the domain has no such judge; the message lists those it has.
    """
    return judges_of(domain)[judge_id]
