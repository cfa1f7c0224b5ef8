"""The public release of trajectory-judge: what its files lack is supplied here.

Its records name no parent, no view, no scenario, no wording and no score. A parent is
the clean run of the same instance; whether a fault changed the reply follows from the two
runs, or from its type where the parent is not in the file (41 of them are kept apart).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from .columns import fingerprint
from .runs import RunRecord, columns_of, read_run_records
from .study_data import StudyData, assemble, read_scenarios
from .verdict_loader import read_verdicts
from .verdicts import Verdicts

__all__ = ["load_release"]

JUDGE_VIEWS = {
    "programmatic": "full-steps",
    "outcome:qwen2.5:14b": "goal-and-reply",
    "step:qwen2.5:14b": "full-steps",
    "step:llama3.1:8b": "full-steps",
    "selfcons3:qwen2.5:14b": "full-steps",
}
"""The view of each judge of the release."""

REPLY_CHANGED = {
    "wrong_tool": False,
    "hallucinated_argument": False,
    "skipped_precondition": False,
    "ignored_observation": False,
    "premature_stop": True,
    "unsupported_claim": True,
}
"""Whether a fault type of the release changes the reply."""


VOTED = {"selfcons3:qwen2.5:14b": 3}
"""The judge of the release that votes, and of how many samples.

Its confidence is the share of samples that agree with its decision, so that the share that
flags follows from both.
"""


def load_release(raw: Path, instances: Path, *, late_parents: Path | None = None) -> StudyData:
    """Read ``raw/trajectories.jsonl`` and ``raw/verdicts.jsonl``, and supply what they lack.

    Parameters
    ----------
    late_parents : Path, optional
        Further clean runs, not judged.
    """
    source = raw / "trajectories.jsonl"
    records = read_run_records(source)
    if late_parents is not None:
        records += read_run_records(late_parents)
    for record in records:
        _supply(record)
    _supply_wordings(records)
    runs = columns_of(records, read_scenarios(instances), source)
    verdicts = read_verdicts(raw / "verdicts.jsonl", runs).with_views(JUDGE_VIEWS)
    return replace(assemble("release", runs, _with_vote_shares(verdicts)), voted=VOTED)


def _with_vote_shares(verdicts: Verdicts) -> Verdicts:
    """Return the verdicts with the share of votes as the score of a judge that votes."""
    votes = np.array([[series.judge_id in VOTED] for series in verdicts.series])
    share = np.where(verdicts.flagged, verdicts.confidence, 1 - verdicts.confidence)
    return replace(verdicts, score=np.where(votes & verdicts.scored, share, verdicts.score))


def _supply_wordings(records: list[RunRecord]) -> None:
    """Note what a fault appends to its parent's reply as its variant."""
    replies = {one.trajectory_id: one.final_answer for one in records if not one.label.faulty}
    for record in records:
        label = record.label
        reply = replies.get(label.parent_id or "")
        if label.variant is None and reply is not None and record.final_answer != reply:
            added = record.final_answer.removeprefix(reply)
            if added != record.final_answer:
                label.variant = added.strip().removesuffix(".")


def _supply(record: RunRecord) -> None:
    """Fill the parent, the change of reply and the end state where a record has none."""
    label = record.label
    if label.faulty and label.parent_id is None:
        label.parent_id = f"{record.instance_id}-clean"
    if label.faulty and label.reply_changed is None:
        label.reply_changed = REPLY_CHANGED.get(label.failure_type or "")
    if not record.has_end_state:
        end_state = b"as required" if label.outcome_correct else b"other"
        record.marks = record.marks[:-8] + fingerprint(end_state)
