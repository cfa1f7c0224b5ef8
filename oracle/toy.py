"""The scripted agent of the cloakroom."""

from __future__ import annotations

from faultpair.env.kernel import Action, Agent
from faultpair.env.records import Call
from faultpair.env.toy.domain import Attendant
from faultpair.env.toy.instances import CloakroomInstance

__all__ = ["toy_oracle"]


def toy_oracle(instance: CloakroomInstance) -> Agent:
    """Look for the coat, hand it over if it is there, and say so."""
    steps = [(yield Action(Call("find_coat", dict(instance.given))))]
    found = steps[0].observation
    if found is not None and found.ok:
        steps.append((yield Action(Call("hand_over", dict(found.data)))))
    yield Action(Call("reply", {"text": Attendant().reply(instance, steps)}))
    return None
