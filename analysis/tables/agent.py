"""The table of an agent: the outcomes of a model's episodes."""

from __future__ import annotations

from faultpair.env.domain import Confirmation

from ..data.study_data import StudyData
from ..metrics.episodes import agent_key, confirmation_in, fault_kinds
from ..metrics.key import Numbers
from ..stats.estimate import Estimate, count
from .table import Row, Table, counts, rates, words

__all__ = ["agent"]

WHAT = {
    "faulty": "faulty",
    "silent": "faulty, required end state reached all the same",
    "loud": "faulty, required end state lost",
    "by-rule": "faulty by a rule",
    "by-outcome": "faulty by the end state alone",
    "outcome-wrong": "required end state lost",
    "replied": "ended by a reply",
    "turn-limit": "ended by the limit of turns",
    "unreadable": "ended by answers that hold no call",
    "too-long": "ended by a chat too long for the model",
    "oracle-reply": "replies equal to the oracle's",
    "replied-once": "exactly one reply",
    "repeats-a-call": "some call made again with the same arguments",
    "sequence-strict": "exactly the required sequence of calls",
    "sequence-lenient": "the required sequence, other calls between, the reply last",
}
TOTALS = {
    "episodes": "episodes",
    "calls": "calls to tools",
    "calls-refused": "calls that the world refused",
    "calls-repeated": "calls that equal an earlier one of the episode",
    "replies": "replies",
    "answers-unreadable": "answers of the model that hold no call",
    "prompt-tokens": "prompt tokens",
    "completion-tokens": "completion tokens",
}


def agent(study: StudyData, numbers: Numbers) -> Table:
    """Count episodes, faults by kind, and what the replies say."""
    rows: list[Row] = []
    if study.episodes:
        rows = [(title, numbers[agent_key(name)], None, None) for name, title in TOTALS.items()]
        confirmation = confirmation_in(study)
        shares = WHAT if confirmation is None else WHAT | _statements(confirmation)
        rows += [_share(title, numbers[agent_key(name)]) for name, title in shares.items()]
        kinds = fault_kinds(study).items()
        rows += [_share(f"faulty: {kind}", numbers[key]) for key, kind in kinds]
    columns = words("What") + counts("Number", "Of") + rates("Share")
    domain = study.runs.only_domain()
    outcome_fault = domain.dialogue.outcome_fault if domain and domain.dialogue else "none"
    notes = (
        "A run is faulty if a rule of the labeller fires or the required end state is lost; what "
        "no rule looks at is missed. So the labeller's row elsewhere is no result, and a check of "
        "the end state is half a labeller, too.",
        f"Where the end state alone is wrong, the kind is {outcome_fault}.",
    )
    return Table("agent", f"Episodes of the agent, {study.name}", columns, tuple(rows), notes)


def _statements(confirmation: Confirmation) -> dict[str, str]:
    """Return the rows of what replies state, for a domain that has something to confirm."""
    topic = confirmation.topic or "it"
    return {
        confirmation.name: confirmation.title,
        "mentions-done": f"replies that speak of {topic}, where it was made",
        "mentions-undone": f"replies that speak of {topic}, where it was not made",
    }


def _share(title: str, share: Estimate) -> Row:
    k = round((share.estimate or 0) * share.n)
    return (title, count(k, share.n), count(share.n, share.n), share)
