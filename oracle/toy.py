"""The scripted agent of the cloakroom."""

from __future__ import annotations

from faultpair.env.domain import AnyDomain
from faultpair.env.kernel import Action, Agent
from faultpair.env.records import Call
from faultpair.env.toy.domain import CloakroomInstance

__all__ = ["toy_oracle"]


def toy_oracle(domain: AnyDomain, instance: CloakroomInstance) -> Agent:
    """Look for the coat, hand it over if it is there, and say so."""
    steps = [(yield Action(Call("find_coat", dict(instance.given))))]
    found = steps[0].observation
    if found is not None and found.ok:
        steps.append((yield Action(Call("hand_over", dict(found.data)))))
    yield Action(Call("reply", {"text": domain.reply(instance, steps)}))
    return None
