"""The oracle of each domain, and the clean run of an instance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faultpair.env.domain import AnyDomain
from faultpair.env.kernel import Agent, run_episode
from faultpair.env.plugins import Plugins, Refusal
from faultpair.env.records import Instance, Label, Trajectory
from faultpair.env.registry import Registry

from .support_desk import support_desk_oracle
from .toy import toy_oracle
from .workflow import workflow_oracle

__all__ = ["ORACLES", "clean_run"]

Oracle = Callable[[Any], Agent]
"""Takes an instance of its domain and returns the agent that acts correctly in it."""


def _checked(part: Any, name: str) -> Oracle:
    if not callable(part):
        raise Refusal("it is no function but {part}")
    oracle: Oracle = part
    return oracle


OUTSIDE: Plugins[Oracle] = Plugins(
    "oracle", "faultpair.oracles", _checked, place=f"{__name__}:OUTSIDE"
)
ORACLES: Registry[Oracle] = Registry("oracle", OUTSIDE)
"""The oracles by the name of their domain."""
ORACLES.add("toy", toy_oracle)
ORACLES.add("support_desk", support_desk_oracle)
ORACLES.add("workflow", workflow_oracle)


def clean_run(domain: AnyDomain, instance: Instance) -> Trajectory:
    """Return the oracle's run of an instance: the clean parent of its faults."""
    agent = ORACLES[domain.name](instance)
    episode = run_episode(domain, instance, agent)
    label = Label(
        faulty=False,
        failure_step=None,
        failure_type=None,
        outcome_correct=domain.reached(instance, episode.end_state),
    )
    return episode.recorded(f"{instance.instance_id}-clean", instance, label, domain=domain.name)
