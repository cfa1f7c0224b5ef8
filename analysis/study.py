"""One study's records in memory: runs, verdicts, pairs, and what the study file declares."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from env.errors import RecordError, StudyError

from .columns import IntArray
from .declared import Contrast, contrasts_of
from .runs import RunRecord, Runs, columns_of, read_run_records
from .stream import read_batches
from .verdicts import Verdicts, read_verdicts

__all__ = ["Study", "assemble", "load_study", "read_scenarios"]


class InstanceScenario(msgspec.Struct, gc=False):
    """What analysis reads of an instance."""

    instance_id: str
    difficulty: str


@dataclass(frozen=True, slots=True)
class Study:
    """Records of one study, ready to be counted.

    ``fault`` and ``parent`` are the rows of the two sides of every pair, in the
    order of the fault's id. ``verdicts`` holds the first pass of each judge,
    ``passes`` every pass.
    """

    name: str
    runs: Runs
    verdicts: Verdicts
    passes: Verdicts
    fault: IntArray
    parent: IntArray
    contrasts: tuple[Contrast, ...] = ()

    @property
    def judges(self) -> tuple[str, ...]:
        """Return the ids of the judges, in the order of every table."""
        return tuple(series.judge_id for series in self.verdicts.series)


def load_study(folder: Path) -> Study:
    """Read a study folder: study.toml, trajectories, instances, verdicts.

    Raises
    ------
    StudyError
        If the folder holds no trajectories or no verdicts.
    RecordError
        If a record in it does not fit.
    """
    for file in ("trajectories.jsonl", "verdicts.jsonl"):
        if not (folder / file).is_file():
            raise StudyError(f"Study '{folder.name}' has no {file} in {folder}; run it first.")
    source = folder / "trajectories.jsonl"
    scenarios = read_scenarios(folder / "instances.jsonl")
    runs = columns_of(read_run_records(source), scenarios, source)
    declared = _declared(folder / "study.toml")
    verdicts = read_verdicts(folder / "verdicts.jsonl", runs)
    return assemble(folder.name, runs, verdicts, contrasts_of(declared, folder / "study.toml"))


def assemble(
    name: str, runs: Runs, verdicts: Verdicts, contrasts: tuple[Contrast, ...] = ()
) -> Study:
    """Join runs and verdicts, and list the pairs.

    Raises
    ------
    StudyError
        If there is no trajectory or no verdict.
    """
    if not runs.ids:
        raise StudyError(f"Study '{name}' is empty: it has no trajectory.")
    if not verdicts.series:
        raise StudyError(f"Study '{name}' is empty: nobody has judged its {len(runs.ids)} runs.")
    fault = np.flatnonzero(runs.faulty & (runs.parent >= 0))
    first = verdicts.first_passes()
    return Study(name, runs, first, verdicts, fault, runs.parent[fault], contrasts)


def read_scenarios(path: Path) -> dict[str, str]:
    """Return the scenario of every instance; nothing if there is no such file."""
    scenarios: dict[str, str] = {}
    if not path.is_file():
        return scenarios
    for batch in read_batches(path, InstanceScenario):
        for record in batch:
            if scenarios.setdefault(record.instance_id, record.difficulty) != record.difficulty:
                raise RecordError(f"{path}: instance '{record.instance_id}' stands twice.")
    return scenarios


def read_runs(paths: list[Path], scenarios: dict[str, str]) -> Runs:
    """Read one or more files of trajectories into one set of columns."""
    records: list[RunRecord] = [record for path in paths for record in read_run_records(path)]
    return columns_of(records, scenarios, paths[0])


def _declared(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StudyError(f"{path} is not a study file: {error}.") from error
