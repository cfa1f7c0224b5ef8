"""The scripted planner: it makes the calls of the reference plan."""

from __future__ import annotations

from faultpair.env.kernel import Action, Agent
from faultpair.env.workflow.instances import WorkflowInstance

__all__ = ["workflow_oracle"]


def workflow_oracle(instance: WorkflowInstance) -> Agent:
    """Make the calls of the record's plan and say nothing."""
    for call in instance.plan:
        yield Action(call)
    return None
