"""What tables say of silence and of controls: which Δ is shown, and how judges are ordered."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..data.study_data import StudyData
from ..metrics.controls import CONTROL_HEADLINE, HALF_WIDTH, least_controls
from ..metrics.key import Numbers
from ..metrics.pairs import STRUCTURAL
from ..metrics.silence import is_silent

__all__ = ["GATE_NOTE", "has_controls", "reading_notes"]

GATE_NOTE = "Gate's Δ: an unscored run counts as not flagged, as where a gate lets it pass."
ORDER = "Judges are ordered by its low end."
SILENCE = (
    "Cautious Δ: an unscored fault counts as missed, an unscored clean run as flagged; a failed "
    f"call is unscored, too. {ORDER}",
    "Judged Δ: over pairs with both sides scored. Coverage: their share of the pairs asked about.",
)
WHOLE = "Nothing that was asked about is unscored, so that Δ has one reading. " + ORDER
CONTROLS = (
    "Control-Δ: flag rate on controls minus flag rate on their clean parents. Adjusted Δ: Δ minus "
    "control-Δ; at 0, the judge reacts to edits rather than to faults."
)
SILENT_CONTROLS = "In both, an unscored control counts as flagged, its unscored parent as not."
BLIND_CONTROLS = "Blind, of control-Δ: no control reaches what the judge is shown."


def has_controls(study: StudyData) -> bool:
    """Return whether the study has a control with its parent."""
    runs = study.runs
    return bool(((runs.control.codes >= 0) & (runs.parent >= 0)).any())


def reading_notes(study: StudyData, numbers: Numbers) -> Iterator[str]:
    """Yield how silence is read, and what controls say or would say; nothing without a pair."""
    if not len(study.fault):
        return
    silent = is_silent(study, numbers)
    yield from SILENCE if silent else (WHOLE,)
    if has_controls(study):
        keys = (CONTROL_HEADLINE._replace(judge=judge) for judge in study.compared)
        is_blind = any(key in numbers and numbers[key].method == STRUCTURAL for key in keys)
        extra = (SILENT_CONTROLS if silent else "", BLIND_CONTROLS if is_blind else "")
        yield " ".join(part for part in (CONTROLS, *extra) if part)
        return
    n, n_clean = least_controls(), int(np.count_nonzero(study.runs.clean))
    more = f"; there are {n_clean}" if n_clean < n else ""
    yield (
        "No controls: these numbers do not tell a judge that reacts to faults from one that reacts "
        f"to edits. {n} controls, each on a clean run of its own{more}, would bound the control-Δ "
        f"of a judge that changes no decision to ±{HALF_WIDTH}."
    )
