"""One more fault type for the support desk: a case handed over without a reason."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from faultpair import Call, Calls, Cell, Edit, Example, Fault, Replace, Site, Trajectory, pick

REASONS = ("as discussed", "see above", "the usual", "please have a look")


@dataclass(frozen=True, slots=True)
class ReasonWithheld(Fault):
    """Hand the case over and leave the reason out: the specialist will find it."""

    name: ClassVar[str] = "reason_withheld"
    domain: ClassVar[str] = "support_desk"

    def sites(self, instance: Any, run: Trajectory) -> Iterator[Site]:
        """Yield the step that hands the case over."""
        return (Site(step.index) for step in run.steps if step.call.tool == "escalate")

    def edit(self, instance: Any, run: Calls, site: Site, rng: Random) -> Edit:
        """Say next to nothing where the reason of the check was."""
        said = pick(rng, REASONS)
        call = Call("escalate", {"reason": said})
        return Edit(Replace(site.step, call), f'the case is handed over with "{said}" as reason')

    def examples(self) -> tuple[Example, ...]:
        """Show that the case is handed over all the same."""
        reads = ("get_customer", "lookup_order", "get_policy", "check_eligibility")
        return (Example(2, (*reads, "escalate", "reply"), 4, Cell.UNCHANGED_SURVIVES),)
