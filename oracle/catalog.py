"""Who acts correctly in which domain, and the clean run that comes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faultpair.env.domain import AnyDomain
from faultpair.env.kernel import Agent, run_episode
from faultpair.env.records import Instance, Label, Trajectory
from faultpair.env.registry import Registry

from .support_desk import support_desk_oracle
from .toy import toy_oracle
from .workflow import workflow_oracle

__all__ = ["ORACLES", "Oracle", "clean_run"]

Oracle = Callable[[AnyDomain, Any], Agent]
"""Takes a domain and one of its instances and returns the agent that gets it right."""

ORACLES: Registry[Oracle] = Registry("oracle")
ORACLES.add("toy", toy_oracle)
ORACLES.add("support_desk", support_desk_oracle)
ORACLES.add("workflow", workflow_oracle)


def clean_run(domain: AnyDomain, instance: Instance) -> Trajectory:
    """Return the oracle's run of an instance: the clean parent of its faults."""
    agent = ORACLES[domain.name](domain, instance)
    episode = run_episode(domain, instance, agent)
    label = Label(
        faulty=False,
        failure_step=None,
        failure_type=None,
        outcome_correct=domain.reached(instance, episode.end_state),
    )
    return episode.recorded(f"{instance.instance_id}-clean", instance, label, domain=domain.name)
