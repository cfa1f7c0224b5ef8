"""Which of two tools that do the same a plan uses."""

from __future__ import annotations

from random import Random

from ...rng import pick
from ..tools import Sector
from .blueprints import Blueprint

__all__ = ["with_drawn_twins"]


def with_drawn_twins(sector: Sector, blueprint: Blueprint, rng: Random) -> Blueprint:
    """Return a blueprint with each tool replaced by a twin of it or not, each as likely.

    A plan that takes a twin in the place of a tool is then no rarer than the other.
    """
    jobs = dict.fromkeys(tool.canonical for tool in blueprint.tools)
    drawn = {job: pick(rng, [tool for tool in sector.tools if tool.canonical == job]) for job in jobs}
    return Blueprint(tuple(drawn[tool.canonical] for tool in blueprint.tools), blueprint.over)
