"""What a study file declares for its analysis: contrasts, each with the reading fixed for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from env.errors import StudyError

__all__ = ["Contrast", "contrasts_of"]

METRICS = ("delta", "false-alarms")


@dataclass(frozen=True, slots=True)
class Contrast:
    """One judge minus another, on one group of faults or on the clean runs.

    ``reading`` is what was agreed, before the runs, that the result would mean.
    """

    name: str
    judge: str
    against: str
    metric: str
    group: str
    reading: str


def contrasts_of(declared: dict[str, Any], path: Path) -> tuple[Contrast, ...]:
    """Read the ``[[contrasts]]`` of a study file.

    Raises
    ------
    StudyError
        For a contrast without a name, a judge or an opponent, or an unknown metric.
    """
    found = tuple(_contrast(entry, path) for entry in declared.get("contrasts", []))
    names = [contrast.name for contrast in found]
    for name in names:
        if names.count(name) > 1:
            raise StudyError(f"{path}: two contrasts are named '{name}'.")
    return found


def _contrast(entry: dict[str, Any], path: Path) -> Contrast:
    known = ("name", "judge", "against", "metric", "group", "reading")
    for field in entry:
        if field not in known:
            raise StudyError(f"{path}: contrasts have no field '{field}'. Known: {known}.")
    for field in ("name", "judge", "against"):
        if not isinstance(entry.get(field), str):
            raise StudyError(f"{path}: a contrast needs a text in the field '{field}'.")
    metric = entry.get("metric", "delta")
    if metric not in METRICS:
        raise StudyError(f"{path}: no metric is named '{metric}'. Known: {', '.join(METRICS)}.")
    return Contrast(
        entry["name"],
        entry["judge"],
        entry["against"],
        metric,
        entry.get("group", "all"),
        entry.get("reading", ""),
    )
