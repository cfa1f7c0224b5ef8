"""Building a set: clean runs, planted runs, one fixed order, and a manifest.

Runs are made instance by instance and set aside on disk; only the place of each
is kept in memory, so that a set of any size needs little of it.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from faultpair.env.catalog import DOMAINS
from faultpair.env.domain import AnyDomain
from faultpair.env.errors import StudyError
from faultpair.studies.files import (
    LineWriter,
    Spool,
    open_spool,
    sha256_of,
    text_sha256,
    write_lines,
)
from faultpair.studies.folder import StudyFolder, refuse_another_study, refuse_records_of_others
from faultpair.studies.manifest import (
    STUDY_FILE,
    read_manifest,
    readable_manifest,
    set_manifest,
    write_set_manifest,
)
from faultpair.studies.seals import refuse_to_replace_edits
from faultpair.studies.spec import StudySpec

from .host_offers import InstanceRuns, offers_of, take_offers
from .hosts import open_quotas
from .order import stratified_order

__all__ = [
    "BuildReport",
    "Progress",
    "SetSource",
    "build",
    "build_from",
    "built_anew",
    "built_set",
    "runs_by_instance",
]

Progress = Callable[[int], None]

SetSource = Callable[[AnyDomain, StudySpec], Iterator[InstanceRuns]]
"""A function that makes the instances of a study with their runs, in their order."""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What was built: how many runs of each stratum."""

    n_instances: int
    n_trajectories: int
    strata: dict[str, int]


@dataclass(slots=True)
class _Places:
    """Where in the spool each run lies, and which stratum it belongs to."""

    offsets: array[int] = field(default_factory=lambda: array("Q"))
    lengths: array[int] = field(default_factory=lambda: array("I"))
    members: defaultdict[str, array[int]] = field(
        default_factory=lambda: defaultdict(lambda: array("Q"))
    )

    def add(self, stratum: str, place: tuple[int, int]) -> None:
        self.members[stratum].append(len(self.offsets))
        self.offsets.append(place[0])
        self.lengths.append(place[1])


def runs_by_instance(domain: AnyDomain, study: StudySpec) -> Iterator[InstanceRuns]:
    """Make the runs of a study in this process, instance by instance.

    Raises
    ------
    StudyError
        At once if the study names what does not exist, later if it asks for more
        hosts than can be found.
    """
    quotas = open_quotas(domain, study)
    one_round = (range(index, index + 1) for index in count())
    offers = map(partial(offers_of, domain, study, quotas), one_round)
    return take_offers(domain, study, quotas, offers)


def build(folder: StudyFolder, progress: Progress | None = None) -> BuildReport:
    """Write trajectories.jsonl, instances.jsonl and manifest.json of a study.

    All of them take their names at the end, so that a build that fails or is
    killed leaves the files of an earlier one as they were. What is sealed in the
    manifest stays if the set is the same; verdicts on another set are removed.

    Raises
    ------
    StudyError
        If the study names an unknown domain, fault or control, or asks for
        more hosts of a fault than can be found; or if answers are kept that
        are about another set.
    SealError
        If the set that is there was edited.
    InfrastructureError
        If a file cannot be written.
    """
    return build_from(runs_by_instance, folder, progress)


def build_from(
    source: SetSource, folder: StudyFolder, progress: Progress | None = None
) -> BuildReport:
    """Write a set whose runs another function makes, as `build` does."""
    study = folder.study
    if study.made_by_models:  # a build would replace the runs that models made
        raise StudyError(
            f"Models make the runs of {folder.file}, so they cannot be built: use `faultpair run`."
        )
    refuse_another_study(folder)
    refuse_records_of_others(folder)
    offered = source(DOMAINS[study.domain], study)
    places = _Places()
    with (
        open_spool(folder.out) as spool,
        write_lines(folder.instances) as instances,
        write_lines(folder.trajectories) as trajectories,
    ):
        for instance, runs in offered:
            instances.write_line(instance)
            for stratum, line in runs:
                places.add(stratum, spool.add(line))
            if progress is not None:
                progress(len(runs))
        spool.flush()
        _write_in_order(study, places, spool, trajectories)
        instances.flush()
        trajectories.flush()
        made = {
            folder.instances.name: instances.sha256,
            folder.trajectories.name: trajectories.sha256,
        }
        _refuse_another_set(folder, made)
    strata = {name: len(members) for name, members in sorted(places.members.items())}
    report = BuildReport(instances.n_lines, trajectories.n_lines, strata)
    manifest = set_manifest(folder, made, n_instances=report.n_instances, strata=strata)
    write_set_manifest(folder, manifest)
    return report


@contextmanager
def built_set(folder: StudyFolder, progress: Progress | None = None) -> Iterator[StudyFolder]:
    """Yield a folder with the set of the study file as it is now.

    It is the given folder if its set was built from this file, else a temporary one.
    """
    kept = readable_manifest(folder.manifest).sha256.get(STUDY_FILE)
    if folder.trajectories.is_file() and kept == text_sha256(folder.file.read_bytes()):
        yield folder
        return
    with built_anew(folder, progress) as made:
        yield made


@contextmanager
def built_anew(folder: StudyFolder, progress: Progress | None = None) -> Iterator[StudyFolder]:
    """Yield a temporary folder with the set that a study file makes."""
    with TemporaryDirectory(prefix="faultpair-") as name:
        made = replace(folder, out=Path(name))
        build(made, progress)
        yield made


def _write_in_order(study: StudySpec, places: _Places, spool: Spool, out: LineWriter) -> None:
    for member in stratified_order(places.members, study.seed):
        out.write_line(spool.read(places.offsets[member], places.lengths[member]))


def _refuse_another_set(folder: StudyFolder, made: Mapping[str, str]) -> None:
    """Keep answers and the runs that they are about together, and find a set that was edited."""
    if folder.replies.exists() and folder.replies.stat().st_size:
        kept = read_manifest(folder.manifest)
        for name, digest in made.items():
            if (kept.sha256.get(name) or _hash_of(folder.out / name)) != digest:
                raise StudyError(
                    f"{folder.out / name} is not what the study {folder.file} makes now, and the "
                    f"kept answers in {folder.replies} are about the runs in it. Restore the study "
                    "file, or run the new study elsewhere with --out."
                )
    if not folder.accepts_edits:
        refuse_to_replace_edits(folder.out, made)


def _hash_of(file: Path) -> str | None:
    return sha256_of(file) if file.exists() else None
