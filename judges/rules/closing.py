"""A check that every pack makes: nothing follows the reply."""

from __future__ import annotations

from faultpair.env.records import Step

from .engine import Facts

__all__ = ["calls_after_reply"]


def calls_after_reply(facts: Facts, step: Step) -> str | None:
    """Say how many steps follow a reply, None if it is the last."""
    n_later = len(facts.steps) - 1 - facts.index
    return f"steps that follow the reply: {n_later}" if n_later else None
