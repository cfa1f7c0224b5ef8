"""The base class of workflow faults: their domain, and the metrics of their effects."""

from __future__ import annotations

from ...plan_fault import PlanFault

__all__ = ["COVERAGE", "GERMS", "PARAMETERS", "SEQUENCE", "TOOLS", "WorkflowFault"]

TOOLS = "tool_selection"
PARAMETERS = "parameter_structure"
SEQUENCE = "sequence"
COVERAGE = "query_coverage"

GERMS = ("compute_colony_growth_rate", "measure_batch_colony_count", "compute_remaining_safe_hours")
"""The plan of the sixth record, for the examples of fault types."""


class WorkflowFault(PlanFault):
    """A fault or control of a plan of the workflow domain."""

    domain = "workflow"
