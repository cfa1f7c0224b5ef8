"""The records of one study in memory: runs, verdicts, pairs, settings and contrasts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from faultpair.agents.episode_facts import EpisodeFacts
from faultpair.env.errors import RecordError, StudyError
from faultpair.env.jsonl import read_records
from faultpair.studies.manifest import MANIFEST, STUDY_FILE, SealedJudge, read_manifest

from .columns import BoolArray, IntArray
from .episode_calls import EpisodeCalls, read_episode_calls
from .runs import RunRecord, Runs, columns_of, read_run_records
from .stream import read_batches
from .verdict_loader import read_verdicts
from .verdicts import Verdicts

if TYPE_CHECKING:
    from faultpair.studies.manifest import Manifest, SealedContrast
    from faultpair.studies.sealed_stop import SealedStop
    from faultpair.studies.spec import ContrastSpec, StudySpec, VoteSpec

__all__ = [
    "LABELLER", "LABELLER_ROW", "Contrast", "StudyData", "assemble", "load_study", "read_runs",
    "read_scenarios", "sealed_contrasts", "study_in",
]  # fmt: skip

LABELLER = "rules"
"""The judge whose findings are the labels of the runs that a model made."""

LABELLER_ROW = f"{LABELLER} (labeller)"
"""Its name in the tables of such a study, where its row is no result."""


class InstanceScenario(msgspec.Struct, gc=False):
    """The fields of an instance that analysis reads."""

    instance_id: str
    difficulty: str


OPEN_STUDY = "faultpair.studies.folder:open_study"
"""Imported for a folder with a study file alone: the schema of one takes a tenth of a second."""


TERMS = ("judge", "against", "metric", "group")
"""The terms of a contrast that its seal must have, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """One judge minus another, on one group of faults or on the clean runs.

    ``post_hoc`` says whether one of the judges had answered when it was declared; None if
    the contrast has no seal.
    """

    name: str
    judge: str
    against: str
    metric: str
    group: str
    reading: str
    post_hoc: bool | None = None


@dataclass(frozen=True, slots=True)
class StudyData:
    """The records of one study as columns.

    ``fault`` and ``parent`` are the rows of the two sides of every pair, in the
    order of the fault's id. ``verdicts`` holds the first pass of each judge,
    ``passes`` every pass. ``expected`` are the judges that the study file or the manifest
    names, with or without answers. ``episodes`` are present if a model made the runs.
    ``voted`` is the number of passes whose votes a judge counts, for each that does.
    ``edited`` names the files that are not what was sealed, if they were accepted. ``stop`` is
    the table `[stop]` and where its judges ended.
    """

    name: str
    runs: Runs
    verdicts: Verdicts
    passes: Verdicts
    fault: IntArray
    parent: IntArray
    contrasts: tuple[Contrast, ...] = ()
    votes: tuple[VoteSpec, ...] = ()
    sealed: dict[str, SealedJudge] = field(default_factory=dict)
    expected: tuple[str, ...] = ()
    voted: dict[str, int] = field(default_factory=dict)
    episodes: tuple[EpisodeFacts, ...] = ()
    episode_calls: tuple[EpisodeCalls, ...] = ()
    edited: tuple[str, ...] = ()
    stop: SealedStop | None = None

    @property
    def judges(self) -> tuple[str, ...]:
        """Return the ids of the judges, in the order of every table."""
        return tuple(series.judge_id for series in self.verdicts.series)

    @property
    def compared(self) -> tuple[str, ...]:
        """Return the judges that the tables compare: all but the labeller, which is last."""
        return tuple(judge for judge in self.judges if judge != LABELLER_ROW)

    @property
    def models(self) -> tuple[str, ...]:
        """Return the judges that have an engine, and the votes on their answers."""
        return tuple(name for place, name in enumerate(self.judges) if self.is_model(place))

    def is_model(self, judge: int) -> bool:
        """Return whether a judge, by its place, has an engine or votes on answers of one."""
        name, verdicts = self.verdicts.series[judge].judge_id, self.verdicts
        return (
            name in self.sealed
            or bool(verdicts.prompt_tokens[judge].any() or verdicts.completion_tokens[judge].any())
            or any(vote.id == name for vote in self.votes)
        )

    def by_instance(self, rows: BoolArray, values: IntArray | None = None) -> IntArray:
        """Return how many of these runs each instance has, or the sum of their values."""
        instance = self.runs.instance
        weights = None if values is None else values[rows]
        sums = np.bincount(instance.codes[rows], weights, minlength=len(instance.names))
        return sums.astype(np.int64)


def study_in(folder: Path) -> StudySpec | None:
    """Return the study of a folder of records; None if its file is elsewhere, as with --out."""
    if not (folder / STUDY_FILE).is_file():
        return None
    study: StudySpec = resolve_name(OPEN_STUDY)(folder).study
    return study


def load_study(
    folder: Path, verdicts_file: Path | None = None, *, edited: tuple[str, ...] = ()
) -> StudyData:
    """Read a study folder: study.toml, manifest, trajectories, instances, verdicts.

    ``verdicts_file`` may hold other verdicts, such as those derived from the exchange log.
    ``edited`` names records that are not what was sealed, and are accepted. Seals are checked
    where a command begins, and only that of the manifest is checked here again.

    Raises
    ------
    StudyError
        If the folder holds no trajectories or no verdicts.
    StudyError, RecordError
        If its study file is not valid, or a record does not fit.
    """
    source = folder / "trajectories.jsonl"
    verdicts_file = verdicts_file or folder / "verdicts.jsonl"
    for file in (source, verdicts_file):
        if not file.is_file():
            name = folder.resolve().name
            raise StudyError(f"Study '{name}' has no {file.name} in {folder}; run it first.")
    scenarios = read_scenarios(folder / "instances.jsonl")
    runs = columns_of(read_run_records(source), scenarios, source)
    spec = study_in(folder)
    manifest = read_manifest(folder / MANIFEST, accept_edits=MANIFEST in edited)
    verdicts = read_verdicts(verdicts_file, runs)
    has_agent = manifest.agent is not None or (spec is not None and spec.agent is not None)
    if has_agent:
        verdicts = verdicts.with_last(LABELLER, LABELLER_ROW)
    return replace(
        assemble(folder.resolve().name, runs, verdicts),
        contrasts=sealed_contrasts(spec, manifest),
        votes=spec.votes if spec is not None else (),
        voted={vote.id: vote.k for vote in spec.votes} if spec is not None else {},
        sealed=manifest.judges,
        expected=(*(spec.judge_ids if spec is not None else ()), *manifest.judges),
        episodes=_read_episodes(folder / "episodes.jsonl", runs) if has_agent else (),
        episode_calls=read_episode_calls(source) if has_agent else (),
        edited=edited,
        stop=manifest.stop,
    )


def assemble(name: str, runs: Runs, verdicts: Verdicts) -> StudyData:
    """Join runs and verdicts, and list the pairs.

    Raises
    ------
    StudyError
        If there is no trajectory or no verdict.
    """
    if not runs.ids:
        raise StudyError(f"Study '{name}' is empty: it has no trajectory.")
    if not verdicts.series:
        raise StudyError(f"Study '{name}' is empty: its {len(runs.ids)} runs have no verdict.")
    fault = np.flatnonzero(runs.faulty & (runs.parent >= 0))
    return StudyData(
        name=name,
        runs=runs,
        verdicts=verdicts.first_passes(),
        passes=verdicts,
        fault=fault,
        parent=runs.parent[fault],
    )


def read_scenarios(path: Path) -> dict[str, str]:
    """Return the scenario of every instance; nothing if there is no such file."""
    scenarios: dict[str, str] = {}
    if not path.is_file():
        return scenarios
    for batch in read_batches(path, InstanceScenario):
        for record in batch:
            if scenarios.setdefault(record.instance_id, record.difficulty) != record.difficulty:
                raise RecordError(f"{path}: instance '{record.instance_id}' is there twice.")
    if not scenarios:  # without them, tables would lack columns
        raise RecordError(f"{path} is empty, and the runs are of instances. Restore it.")
    return scenarios


def read_runs(paths: list[Path], scenarios: dict[str, str]) -> Runs:
    """Read one or more files of trajectories into one set of columns."""
    records: list[RunRecord] = [record for path in paths for record in read_run_records(path)]
    return columns_of(records, scenarios, paths[0])


def _read_episodes(path: Path, runs: Runs) -> tuple[EpisodeFacts, ...]:
    """Return the facts of each episode, in the order of the runs."""
    if not path.is_file():
        raise StudyError(
            f"{path} is missing: it describes how a model made these runs. Restore it."
        )
    episodes = {facts.trajectory_id: facts for facts in read_records(path, EpisodeFacts)}
    if set(episodes) != set(runs.ids):
        raise RecordError(f"{path} is not about the {len(runs.ids)} runs of the study. Restore it.")
    return tuple(episodes[name] for name in runs.ids)


def sealed_contrasts(study: StudySpec | None, manifest: Manifest) -> tuple[Contrast, ...]:
    """Return the declared contrasts of a study; without a study file, the sealed ones."""
    seals = manifest.contrasts
    if study is None:
        return tuple(
            Contrast(name=name, **msgspec.structs.asdict(seal)) for name, seal in seals.items()
        )
    return tuple(_with_seal(declared, seals.get(declared.name)) for declared in study.contrasts)


def _with_seal(declared: ContrastSpec, seal: SealedContrast | None) -> Contrast:
    contrast = Contrast(**declared.model_dump())
    if seal is None:
        return contrast
    if any(getattr(seal, term) != getattr(contrast, term) for term in TERMS):
        return replace(contrast, post_hoc=True)
    return replace(contrast, reading=seal.reading, post_hoc=seal.post_hoc)
