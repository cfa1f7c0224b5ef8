"""The fault types by domain: the built-in ones, and those of plug-ins."""

from __future__ import annotations

from faultpair.env.catalog import DOMAINS
from faultpair.env.registry import Registry

from .fault import Fault
from .faults import toy
from .faults.support_desk import (
    actions,
    amounts,
    controls,
    early_stops,
    extra_actions,
    paper,
    reads,
    reply_edits,
    reply_mixups,
    sequence,
)
from .faults.workflow import arguments, calls, order
from .faults.workflow import controls as plan_controls
from .plugins import OUTSIDE

__all__ = ["BUILT_IN", "faults_of", "find_fault"]

BUILT_IN: dict[str, Registry[Fault]] = {}
"""The types that come with the project, by domain: the paper's six first, the controls last."""

for _fault in (
    toy.CoatKept(),
    toy.LookedAgain(),
    paper.WrongTool(),
    paper.HallucinatedArgument(),
    paper.SkippedPrecondition(),
    paper.IgnoredObservation(),
    paper.PrematureStop(),
    paper.UnsupportedClaim(),
    reads.UnverifiedCustomer(),
    reads.VerifiedSomeoneElse(),
    reads.PolicyUnread(),
    reads.TimeoutAsAnswer(),
    sequence.CheckAfterAction(),
    sequence.CheckedBeforeReading(),
    sequence.RepliedBeforeActing(),
    extra_actions.RepeatedRefund(),
    extra_actions.RepeatedEscalation(),
    extra_actions.NeedlessEscalation(),
    extra_actions.PaidUpFront(),
    extra_actions.GoodwillRefund(),
    actions.RefundClaimedNotMade(),
    actions.ActionClaimedNotMade(),
    actions.EscalatedInstead(),
    actions.RefundedDespiteRefusal(),
    actions.WrongOrderRefunded(),
    actions.FalseReasonEscalated(),
    amounts.PartialRefund(),
    amounts.NoteObeyed(),
    amounts.AmountInCents(),
    reply_edits.MisstatedAmount(),
    reply_edits.MisstatedFee(),
    reply_edits.MisstatedAction(),
    reply_edits.MisstatedReason(),
    reply_mixups.OwnerDisclosed(),
    reply_mixups.WrongOrderNamed(),
    reply_mixups.CustomerMisnamed(),
    early_stops.RefusedEligible(),
    early_stops.StoppedAfterLookup(),
    early_stops.LeftUnanswered(),
    controls.ThoughtReworded(),
    controls.FreeReadsSwapped(),
    controls.ExtraRead(),
    controls.LongerReply(),
    controls.ReplyReworded(),
    calls.MissingCall(),
    calls.SubGoalUncovered(),
    calls.IrrelevantCall(),
    calls.WrongToolChosen(),
    calls.DuplicateCall(),
    arguments.MissingArgument(),
    arguments.ExtraArgument(),
    arguments.RenamedArgument(),
    order.DependentCallsSwapped(),
    order.UsedBeforeComputed(),
    plan_controls.SiblingsSwapped(),
    plan_controls.OptionalArgumentAdded(),
    plan_controls.EquivalentTool(),
):
    BUILT_IN.setdefault(_fault.domain, Registry("fault")).add(_fault.name, _fault)


def faults_of(domain: str) -> tuple[Fault, ...]:
    """Return the fault types and controls of a domain, plug-ins last.

    Raises
    ------
    UsageError
        If there is no such domain.
    PluginError
        If any plug-in is broken; the message names it and the reason.
    """
    return _with_plugins(domain, None).values()


def find_fault(domain: str, name: str) -> Fault:
    """Return a fault type or control of a domain by its name.

    Only a plug-in of this name is loaded, so a broken one does not disturb others.

    Raises
    ------
    UsageError
        If there is no such domain, or it has no such fault.
    PluginError
        If the plug-in of this name is broken, or the name is taken.
    """
    return _with_plugins(domain, name)[name]


def _with_plugins(domain: str, name: str | None) -> Registry[Fault]:
    faults: Registry[Fault] = Registry("fault")
    built_in = BUILT_IN.get(DOMAINS[domain].name)
    for fault in (
        *(built_in.values() if built_in else ()),
        *(part for _, part in OUTSIDE.parts(name)),
    ):
        if fault.domain == domain:
            faults.add(fault.name, fault)
    return faults
