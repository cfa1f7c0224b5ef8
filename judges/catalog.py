"""The judges there are: those of any domain, and the rule packs of each."""

from __future__ import annotations

from env.registry import Registry

from .baselines import BlindCoin, Constant
from .judge import Judge
from .rules import support_desk, toy
from .state_check import StateCheck

__all__ = ["GENERAL", "PACKS", "find_judge", "judges_of"]

GENERAL: tuple[Judge, ...] = (
    StateCheck(),
    Constant("flag-all", "Flag every run.", faulty=True),
    Constant("flag-none", "Flag no run.", faulty=False),
    BlindCoin(),
)
"""Judges that ask for nothing but an exhibit, so that they serve every domain."""


PACKS: dict[str, tuple[Judge, ...]] = {"toy": toy.PACKS, "support_desk": support_desk.PACKS}
"""The rule packs of each domain."""


def judges_of(domain: str) -> Registry[Judge]:
    """Return the judges of a domain by id; one without rules has the general judges."""
    judges: Registry[Judge] = Registry("judge")
    for judge in (*PACKS.get(domain, ()), *GENERAL):
        judges.add(judge.judge_id, judge)
    return judges


def find_judge(judge_id: str, domain: str) -> Judge:
    """Return a judge by its id and the domain it is to judge.

    Raises
    ------
    UsageError
        If the domain has no such judge; the message lists those it has.
    """
    return judges_of(domain)[judge_id]
