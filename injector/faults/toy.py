"""The fault and the control of the cloakroom, as minimal examples."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from faultpair.env.records import Cell, Trajectory
from faultpair.env.toy.instances import CloakroomInstance

from ..fault import Calls, Delete, Edit, Example, Fault, Insert, Site


class CoatKept(Fault):
    """Say that the coat is here and turn to the next guest before handing it over."""

    name = "coat_kept"
    domain = "toy"
    scenarios = ("found",)

    def sites(self, instance: CloakroomInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the step that hands a coat over."""
        return (Site(step.index) for step in run.steps if step.call.tool == "hand_over")

    def edit(self, instance: CloakroomInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Leave the coat on its hook."""
        return Edit(Delete(site.step), f"{instance.coat} is never handed over")

    def examples(self) -> tuple[Example, ...]:
        """Lose the coat of ticket 0 and keep the words."""
        return (Example(0, ("find_coat", "reply"), 1, Cell.UNCHANGED_LOST),)


class LookedAgain(Fault):
    """Look at the rack once more before answering, which clause 1 allows."""

    name = "looked_again"
    domain = "toy"
    is_control = True

    def sites(self, instance: CloakroomInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the step that answers."""
        return (Site(step.index) for step in run.steps if step.call.tool == "reply")

    def edit(self, instance: CloakroomInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Look for the coat a second time."""
        return Edit(Insert(site.step, run[0]), "the coat is looked for once more")

    def examples(self) -> tuple[Example, ...]:
        """Look twice for a coat that is missing."""
        return (Example(1, ("find_coat", "find_coat", "reply"), None, Cell.UNCHANGED_SURVIVES),)
