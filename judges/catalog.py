"""The judges there are: those of any domain, and of each its rule packs and readers of replies."""

from __future__ import annotations

from faultpair.env.registry import Registry

from .baselines import BlindCoin, Constant
from .composite import Composite
from .judge import Judge
from .reply_grounding import ReplyGrounding
from .reply_grounding import support_desk as grounded_desk
from .rules import support_desk, toy, workflow
from .state_check import StateCheck

__all__ = ["GENERAL", "PACKS", "READERS", "find_judge", "judges_of"]

GENERAL: tuple[Judge, ...] = (
    StateCheck(),
    Constant("flag-all", "Flag every run.", faulty=True),
    Constant("flag-none", "Flag no run.", faulty=False),
    BlindCoin(),
)
"""Judges that ask for nothing but an exhibit, so that they serve every domain."""


PACKS: dict[str, tuple[Judge, ...]] = {
    "toy": toy.PACKS,
    "support_desk": support_desk.PACKS,
    "workflow": workflow.PACKS,
}
"""The rule packs of each domain."""

_DESK_READER = ReplyGrounding(grounded_desk.PACK)

READERS: dict[str, tuple[Judge, ...]] = {
    "support_desk": (
        _DESK_READER,
        Composite((support_desk.STRICT, support_desk.SEQUENCE, _DESK_READER)),
    ),
}
"""The judges of a domain that read its replies too; a domain without such a pack has none."""


def judges_of(domain: str) -> Registry[Judge]:
    """Return the judges of a domain by id; one without rules has the general judges."""
    judges: Registry[Judge] = Registry("judge")
    for judge in (*PACKS.get(domain, ()), *READERS.get(domain, ()), *GENERAL):
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
