"""The judges without a model: general ones, those of each domain, those of plug-ins."""

from __future__ import annotations

from typing import Any

from faultpair.env.plugins import Plugins, Refusal, require_name
from faultpair.env.registry import Registry

from .baselines import BlindCoin, Constant
from .composite import Composite
from .judge import Judge
from .reply_grounding.support_desk.judge import ReplyGrounding
from .rules import support_desk, toy, workflow
from .state_check import StateCheck

__all__ = ["GENERAL", "OUTSIDE", "PACKS", "find_judge", "judges_of"]

GENERAL: tuple[Judge, ...] = (
    StateCheck(),
    Constant("flag-all", "Flag every run.", faulty=True),
    Constant("flag-none", "Flag no run.", faulty=False),
    BlindCoin(),
)
"""The judges of every domain."""


def _checked_judge(part: Any, name: str) -> Judge:
    if not isinstance(part, Judge):
        raise Refusal("it is no Judge but {part}")
    require_name(part.judge_id, name)
    return part


def _checked_pack(part: Any, name: str) -> tuple[Judge, ...]:
    judges = part if isinstance(part, tuple) else (part,)
    if not judges or not all(isinstance(judge, Judge) for judge in judges):
        raise Refusal("it is no judge and no tuple of judges but {part}")
    return judges


OUTSIDE: Plugins[Judge] = Plugins(
    "judge", "faultpair.judges", _checked_judge, place=f"{__name__}:OUTSIDE"
)
OUTSIDE_PACKS: Plugins[tuple[Judge, ...]] = Plugins(
    "rule pack", "faultpair.rule_packs", _checked_pack, place=f"{__name__}:OUTSIDE_PACKS"
)

_REPLY_GROUNDING = ReplyGrounding()

PACKS: Registry[tuple[Judge, ...]] = Registry("rule pack", OUTSIDE_PACKS)
"""The judges of one domain by its name: rule packs first, then those that read replies too."""
PACKS.add("toy", toy.PACKS)
PACKS.add(
    "support_desk",
    (
        *support_desk.PACKS,
        _REPLY_GROUNDING,
        Composite((support_desk.STRICT, support_desk.SEQUENCE, _REPLY_GROUNDING)),
    ),
)
PACKS.add("workflow", workflow.PACKS)


def judges_of(domain: str) -> Registry[Judge]:
    """Return the judges of a domain by id; one without rules has the general judges."""
    judges: Registry[Judge] = Registry("judge", OUTSIDE)
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
