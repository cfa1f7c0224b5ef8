"""The check that requests read naturally: form, length and explicitness."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...plans.records import Tier
from ..instances import WorkflowInstance
from .explicitness import explicitness

__all__ = ["LEAST_STEP", "naturalness_problems"]

LEAST_STEP = 0.1
"""The least drop of explicitness from a tier to the next."""

_BOUNDS = {Tier.EASY: (30, 1_200), Tier.MEDIUM: (20, 900), Tier.HARD: (30, 900)}
_SENTENCE_END = re.compile(r"(?<=[.?!]) (?=[A-Z])")


def naturalness_problems(instance: WorkflowInstance) -> Iterator[str]:
    """Yield the problems of the requests of the three tiers, each as ``reason: detail``."""
    for tier in Tier:
        yield from (f"{reason}: {tier}: {instance.query(tier)}" for reason in _form(instance, tier))
    yield from _step_problems(instance)


def _form(instance: WorkflowInstance, tier: Tier) -> Iterator[str]:
    query = instance.query(tier)
    shortest, longest = _BOUNDS[tier]
    if not shortest <= len(query) <= longest:
        yield "length"
    if not query[:1].isupper() or query[-1:] not in {".", "?"}:
        yield "sentence form"
    if "{" in query or "}" in query or "  " in query or query != query.strip():
        yield "left-over"
    sentences = _SENTENCE_END.split(query)
    if len(set(sentences)) < len(sentences):
        yield "repeated sentence"
    if any(not sentence[0].isupper() for sentence in sentences):
        yield "sentence form"
    if tier is not Tier.EASY and _raw_names(instance) & set(re.findall(r"\w+", query)):
        yield "raw name"


def _raw_names(instance: WorkflowInstance) -> set[str]:
    names = {tool.name for tool in instance.tools}
    names |= {name for tool in instance.tools for name in tool.known}
    return {name for name in names if "_" in name}


def _step_problems(instance: WorkflowInstance) -> Iterator[str]:
    shares = [explicitness(instance, tier).share for tier in Tier]
    for tier, before, after in zip((Tier.MEDIUM, Tier.HARD), shares, shares[1:], strict=False):
        if before - after < LEAST_STEP - 1e-9:
            yield f"explicitness: {tier} at {after:.2f}, the tier before at {before:.2f}"
