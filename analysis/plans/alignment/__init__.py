"""Alignment: the agreement of judges of tool-call plans with a programmatic reference, by metric.

All of it works on columns of numbers (`grid.Grid`) and knows nothing of where they come
from. The equations cited are those of AgentJudgeBench, section 3.2.
"""
