"""The scripted planner: it knows the plan of the record and makes its calls."""

from __future__ import annotations

from faultpair.env.domain import AnyDomain
from faultpair.env.kernel import Action, Agent
from faultpair.env.workflow.instances import WorkflowInstance

__all__ = ["workflow_oracle"]


def workflow_oracle(domain: AnyDomain, instance: WorkflowInstance) -> Agent:
    """Make the calls of the record's plan and say nothing."""
    for call in instance.plan:
        yield Action(call)
    return None
