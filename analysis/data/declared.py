"""What a study file declares for its analysis: judges, votes, contrasts with their readings."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faultpair.env.errors import StudyError

__all__ = ["Contrast", "Declared", "Vote", "read_declared"]

METRICS = ("delta", "false-alarms")


@dataclass(frozen=True, slots=True)
class Contrast:
    """One judge minus another, on one group of faults or on the clean runs.

    ``reading`` is what was agreed that the result would mean. ``post_hoc`` says whether
    one of the judges had answered by then; None where no seal tells.
    """

    name: str
    judge: str
    against: str
    metric: str
    group: str
    reading: str
    post_hoc: bool | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    """A judge made of the first ``k`` passes of another: their majority, or any one of them."""

    id: str
    of: str
    k: int
    rule: str


@dataclass(frozen=True, slots=True)
class Declared:
    """What analysis reads of a study file; ``judges`` are all ids that it gives a judge."""

    contrasts: tuple[Contrast, ...] = ()
    votes: tuple[Vote, ...] = ()
    judges: tuple[str, ...] = ()
    has_agent: bool = False


def read_declared(path: Path) -> Declared | None:
    """Read a study file; None if there is none.

    Raises
    ------
    StudyError
        If it is no study file; for a contrast without a name, a judge or an opponent, or
        with an unknown metric.
    """
    if not path.is_file():
        return None
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StudyError(f"{path} is not a study file: {error}.") from error
    votes = tuple(_vote(entry, path) for entry in found.get("votes", []))
    asking = (
        entry.get("id")
        for section in ("model_judges", "plan_judges")
        for entry in found.get(section, [])
    )
    return Declared(
        _contrasts(found, path),
        votes,
        (*found.get("judges", []), *asking, *(vote.id for vote in votes)),
        "agent" in found,
    )


def _contrasts(found: dict[str, Any], path: Path) -> tuple[Contrast, ...]:
    contrasts = tuple(_contrast(entry, path) for entry in found.get("contrasts", []))
    names = [contrast.name for contrast in contrasts]
    for name in names:
        if names.count(name) > 1:
            raise StudyError(f"{path}: two contrasts are named '{name}'.")
    return contrasts


def _contrast(entry: dict[str, Any], path: Path) -> Contrast:
    known = ("name", "judge", "against", "metric", "group", "reading")
    for field in entry:
        if field not in known:
            raise StudyError(f"{path}: contrasts have no field '{field}'. Known: {known}.")
    _demand(entry, ("name", "judge", "against"), "contrast", path)
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


def _vote(entry: dict[str, Any], path: Path) -> Vote:
    _demand(entry, ("id", "of"), "vote", path)
    return Vote(entry["id"], entry["of"], entry.get("k", 3), entry.get("rule", "majority"))


def _demand(entry: dict[str, Any], fields: tuple[str, ...], what: str, path: Path) -> None:
    for field in fields:
        if not isinstance(entry.get(field), str):
            raise StudyError(f"{path}: a {what} needs a text in the field '{field}'.")
