"""The seals of the records that a command reads, by the folder that holds them.

The check refuses records that are not what was sealed. If edits are accepted, it returns the
mark of what is shown; the mark is empty if there is no edit. No study file is parsed here: its
digest is sealed, and a command that shows one run need not load a domain for it.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from faultpair.runner.current_verdicts import checked_records
from faultpair.studies.seals import edited_mark

from .terminal import say

__all__ = ["check_folder"]


def check_folder(
    folder: Path,
    *,
    study: Path | None = None,
    accept_edits: bool = False,
    except_for: Collection[str] = (),
) -> str:
    """Check the records of a folder; ``study`` is the study file if it lies elsewhere."""
    checked = checked_records(
        folder, say, study=study, accept_edits=accept_edits, except_for=except_for
    )
    return edited_mark(checked.edited)
