"""What a study can show and what it costs, said before a judge is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from analysis.runs import Runs
from analysis.study import read_runs, read_scenarios
from analysis.table import Table
from analysis.tables.planning import calls_table, power_table
from env.errors import UsageError
from judges.catalog import find_judge

from .building import build
from .study import StudyFolder

__all__ = ["plan"]

Progress = Callable[[int], None]

INSIDE_OTHERS = ("policy=", "variant=")
"""Groups inside a cell or a type, too small to plan for."""


def plan(
    folder: StudyFolder,
    progress: Progress | None = None,
    *,
    base_rates: Sequence[float],
    half_width: float,
    delta: float,
) -> list[Table]:
    """Return a table of power for every base rate, and the calls of the study's judges.

    It is about the set that the study file asks for: the one in the folder if it
    was built of this very file, else one that is built for the occasion.

    Parameters
    ----------
    base_rates : sequence of float in [0, 1)
        Shares of clean runs that a judge is thought to flag.
    half_width : float in (0, 1]
        What is wanted of an interval of Δ.
    delta : float in [0, 1]
        The Δ at which half-widths are given; no more than a base rate leaves room for.

    Raises
    ------
    UsageError
        If a number is out of range, or the study names what does not exist.
    """
    for rate in base_rates:
        _require(0 <= rate < 1, "--base-rate", "from 0 to less than 1", rate)
    _require(0 < half_width <= 1, "--half-width", "above 0 and at most 1", half_width)
    _require(0 <= delta <= 1, "--delta", "from 0 to 1", delta)
    study, name = folder.study, folder.file.resolve().parent.name
    views = {judge: find_judge(judge, study.domain).view for judge in study.judges}
    runs = _runs(folder, progress)
    tables = [
        power_table(name, runs, base_rate=rate, wanted=half_width, delta=min(delta, 1 - rate))
        for rate in base_rates
    ]
    return [*map(_brief, tables), *([calls_table(name, runs, views)] if views else [])]


def _require(holds: bool, option: str, expected: str, value: float) -> None:
    if not holds:
        raise UsageError(f"{option} must be {expected}; it is {value:g}.")


def _runs(folder: StudyFolder, progress: Progress | None) -> Runs:
    if _is_built(folder):
        return _read(folder)
    with TemporaryDirectory() as name:
        made = replace(folder, out=Path(name))
        build(made, progress)
        return _read(made)


def _is_built(folder: StudyFolder) -> bool:
    """Return whether the set in the folder was built of the study file as it is now."""
    try:
        manifest = msgspec.json.decode(folder.manifest.read_bytes(), type=_Manifest)
    except (OSError, msgspec.DecodeError):
        return False
    digest = sha256(folder.file.read_bytes()).hexdigest()
    return folder.trajectories.is_file() and manifest.sha256.get("study.toml") == digest


class _Manifest(msgspec.Struct):
    sha256: dict[str, str]


def _read(folder: StudyFolder) -> Runs:
    return read_runs([folder.trajectories], read_scenarios(folder.instances))


def _brief(table: Table) -> Table:
    rows = (row for row in table.rows if not str(row[0]).startswith(INSIDE_OTHERS))
    return replace(table, rows=tuple(rows))
