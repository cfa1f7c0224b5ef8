"""What a study can show and what it costs, said before a judge is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from faultpair.analysis.data.study_data import read_runs, read_scenarios
from faultpair.analysis.tables.planning import Load, calls_table, power_table
from faultpair.analysis.tables.table import Table
from faultpair.env.errors import UsageError
from faultpair.runner.panel import JudgeAssignment, Panel, panel_of
from faultpair.runner.requests import Run, in_share, plan_requests
from faultpair.sets.build import build
from faultpair.studies.folder import StudyFolder
from faultpair.studies.manifest import kept_hash, readable_manifest
from faultpair.studies.runs import read_runs as read_pairs

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
    """Return a table of power for every base rate, and the requests of the study's judges.

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
    panel = panel_of(study)
    with _set_of(folder, progress) as made:
        runs = read_runs([made.trajectories], read_scenarios(made.instances))
        loads = _loads(panel, list(read_pairs(made.trajectories, made.instances)))
    tables = [
        power_table(name, runs, base_rate=rate, wanted=half_width, delta=min(delta, 1 - rate))
        for rate in base_rates
    ]
    return [*map(_brief, tables), *([calls_table(name, loads)] if loads else [])]


def _require(holds: bool, option: str, expected: str, value: float) -> None:
    if not holds:
        raise UsageError(f"{option} must be {expected}; it is {value:g}.")


@contextmanager
def _set_of(folder: StudyFolder, progress: Progress | None) -> Iterator[StudyFolder]:
    if _is_built(folder):
        yield folder
        return
    with TemporaryDirectory(prefix="faultpair-") as name:
        made = replace(folder, out=Path(name))
        build(made, progress)
        yield made


def _is_built(folder: StudyFolder) -> bool:
    """Return whether the set in the folder was built of the study file as it is now."""
    kept = kept_hash(readable_manifest(folder.manifest), "study.toml")
    digest = sha256(folder.file.read_bytes()).hexdigest()
    return folder.trajectories.is_file() and kept == digest


def _loads(panel: Panel, runs: Sequence[Run]) -> dict[str, Load]:
    """Return what each judge has to do, as if nobody had answered anything yet."""
    silent = {judge.judge_id: Load(judge.view, len(runs)) for judge in panel.without_model}
    seats = {seat.judge.judge_id: seat for seat in panel.assignments}
    asking = {judge_id: _load(seat, runs) for judge_id, seat in seats.items()}
    votes = {vote.id: _load_of_vote(seats[vote.of], runs) for vote in panel.votes}
    return {**silent, **asking, **votes}


def _load(seat: JudgeAssignment, runs: Sequence[Run]) -> Load:
    asked = [ask.key for ask in plan_requests([seat], runs)]
    return Load(seat.judge.view, len(asked), len(set(asked)))


def _load_of_vote(seat: JudgeAssignment, runs: Sequence[Run]) -> Load:
    return Load(seat.judge.view, len(in_share(seat, runs)))


def _brief(table: Table) -> Table:
    rows = (row for row in table.rows if not str(row[0]).startswith(INSIDE_OTHERS))
    return replace(table, rows=tuple(rows))
