"""The labels of a model's episodes: from the rules, and from the end state.

Nothing was planted, so nobody knows for certain what went wrong. As in
trajectory-judge, the pack ``rules`` of a domain is the labeller: an episode is
faulty if a rule fires or the required end state is missed. A rule gives the type and
the step. Where the end state alone is wrong, no rule found a wrong call, so what
is wrong is that the run ended as it did: its type is the domain's `outcome_fault`, at
its last step. What no rule looks at, such as an invented sentence, is missed.
"""

from __future__ import annotations

from faultpair.env.domain import AnyDomain
from faultpair.env.kernel import Episode
from faultpair.env.records import Instance, Label, Trajectory
from faultpair.judges.catalog import find_judge
from faultpair.judges.exhibit import exhibit_of

__all__ = ["LABELLER", "labelled"]

LABELLER = "rules"
"""The judge whose findings are the labels, in every domain."""

_UNKNOWN = Label(faulty=False, failure_step=None, failure_type=None, outcome_correct=False)


def labelled(
    domain: AnyDomain, instance: Instance, episode: Episode, trajectory_id: str
) -> tuple[Trajectory, bool]:
    """Return an episode as a labelled run, and whether a rule fired.

    Raises
    ------
    UsageError
        If the domain has no rules.
    """
    exhibit = exhibit_of(
        episode.recorded(trajectory_id, instance, _UNKNOWN, domain=domain.name), instance
    )
    finding = find_judge(LABELLER, domain.name).judge(exhibit)
    correct = domain.reached(instance, episode.end_state)
    outcome_fault = None if domain.dialogue is None else domain.dialogue.outcome_fault
    last = len(episode.steps) - 1 if episode.steps else None
    if finding.faulty:
        label = Label(True, finding.failure_step, finding.failure_type, correct)
    elif not correct:
        label = Label(True, last, outcome_fault, correct)
    else:
        label = Label(False, None, None, correct)
    run = episode.recorded(trajectory_id, instance, label, domain=domain.name)
    return run, bool(finding.faulty)
