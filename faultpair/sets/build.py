"""Building a set: clean runs, planted runs, one fixed order, and a manifest.

Runs are made instance by instance and set aside on disk; only the place of each
is kept in memory, so that a set of any size needs little of it.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import NamedTuple

from faultpair.env.catalog import DOMAINS
from faultpair.env.domain import AnyDomain
from faultpair.env.errors import StudyError
from faultpair.env.records import Instance, Trajectory
from faultpair.injector.fault import Site
from faultpair.injector.inject import edit_stream, inject
from faultpair.oracle.catalog import clean_run
from faultpair.studies.files import LineWriter, Spool, encode, open_spool, write_lines, write_text
from faultpair.studies.folder import StudyFolder
from faultpair.studies.manifest import (
    described,
    kept_hash,
    manifest_text,
    read_manifest,
    readable_manifest,
    sealed_parts,
)
from faultpair.studies.spec import StudySpec

from .hosts import Quota, open_quotas, site_for
from .order import stratified_order

__all__ = [
    "BuildReport",
    "InstanceRuns",
    "SetSource",
    "at_tiers",
    "build",
    "build_from",
    "labelled_runs",
    "planted_in",
    "runs_by_instance",
    "stratum_of",
]

Progress = Callable[[int], None]


class InstanceRuns(NamedTuple):
    """What comes of one instance: its line, and the stratum and the line of each run."""

    instance: bytes
    runs: list[tuple[str, bytes]]


SetSource = Callable[[AnyDomain, StudySpec], Iterator[InstanceRuns]]
"""Whoever makes the lots of a study, in their order."""


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
    """Make the lots of a study one by one; what it names that is not there is refused at once."""
    return (
        InstanceRuns(encode(instance), [(stratum_of(run), encode(run)) for run in runs])
        for instance, runs in labelled_runs(domain, study)
    )


def build(folder: StudyFolder, progress: Progress | None = None) -> BuildReport:
    """Write trajectories.jsonl, instances.jsonl and manifest.json of a study.

    All of them take their names at the end, so that a build that fails or is
    killed leaves the files of an earlier one as they were. What is sealed in the
    manifest stays if the set is the same.

    Raises
    ------
    StudyError
        If the study names an unknown domain, fault or control, or asks for
        more hosts of a fault than can be found; or if answers are kept that
        are about another set.
    InfrastructureError
        If a file cannot be written.
    """
    return build_from(runs_by_instance, folder, progress)


def build_from(
    source: SetSource, folder: StudyFolder, progress: Progress | None = None
) -> BuildReport:
    """Write a set whose lots somebody else makes, as `build` does."""
    study = folder.study
    if study.is_played:  # a build would put another set in place of the played one
        raise StudyError(f"The runs of {folder.file} are played, not built: use `faultpair run`.")
    lots = source(DOMAINS[study.domain], study)
    places = _Places()
    with (
        open_spool(folder.out) as spool,
        write_lines(folder.instances) as instances,
        write_lines(folder.trajectories) as trajectories,
    ):
        for lot in lots:
            instances.write_line(lot.instance)
            for stratum, line in lot.runs:
                places.add(stratum, spool.add(line))
            if progress is not None:
                progress(len(lot.runs))
        spool.flush()
        _write_in_order(study, places, spool, trajectories)
        instances.flush()
        trajectories.flush()
        _refuse_another_set(folder, instances, trajectories)
    report = _report(places, instances)
    write_text(folder.manifest, _manifest(folder, report, instances, trajectories))
    return report


def labelled_runs(
    domain: AnyDomain, study: StudySpec
) -> Iterator[tuple[Instance, list[Trajectory]]]:
    """Yield each instance that is used with its clean run and all that is planted in it.

    Raises
    ------
    StudyError
        Before the first instance if the study names what does not exist,
        later if it asks for more hosts than can be found.
    """
    return _recruited(domain, study, open_quotas(domain, study))


def _recruited(
    domain: AnyDomain, study: StudySpec, quotas: list[Quota]
) -> Iterator[tuple[Instance, list[Trajectory]]]:
    n_scenarios = len(domain.scenarios)
    for turn in count():
        due = [quota for quota in quotas if quota.is_due(turn)]
        first = turn * n_scenarios
        if first >= study.clean and not any(quota.missing for quota in quotas):
            return
        for index in range(first, first + n_scenarios):
            scenario = domain.scenario(index)
            suited = [quota for quota in due if scenario in quota.scenarios]
            if suited or study.wants(index):
                yield from _used(domain, study, index, suited, turn)


def _used(
    domain: AnyDomain, study: StudySpec, index: int, suited: list[Quota], turn: int
) -> Iterator[tuple[Instance, list[Trajectory]]]:
    """Yield an instance with its runs if it is wanted as a clean run or used as a host.

    An instance that is neither is dropped as early as that is known. One that has tiers
    comes once at each tier of the study, and the same is planted in it every time.
    """
    wanted = study.wants(index)
    made = domain.generate(study.seed, index)
    hosted = [quota for quota in suited if quota.may_use(made, turn)]
    if not hosted and not wanted:
        return
    parent = clean_run(domain, made)
    sites = [
        (quota, site)
        for quota in hosted
        if (site := site_for(quota, made, parent, seed=study.seed, turn=turn)) is not None
    ]
    if not sites and not wanted:
        return
    for instance in at_tiers(made, study):
        clean = parent if instance is made else clean_run(domain, instance)
        runs = planted_in(instance, clean, sites, domain=domain, study=study, made=made)
        yield instance, [clean, *runs]


def at_tiers(made: Instance, study: StudySpec) -> Iterator[Instance]:
    """Yield an instance as it comes in a study: once, or at each tier if it has tiers."""
    plans = DOMAINS[study.domain].plans
    if plans is None:
        yield made
        return
    for tier in study.tiers:
        yield plans.at_tier(made, tier)


def planted_in(
    instance: Instance,
    parent: Trajectory,
    sites: Iterable[tuple[Quota, Site]],
    *,
    domain: AnyDomain,
    study: StudySpec,
    made: Instance,
) -> Iterator[Trajectory]:
    """Yield what is planted in an instance: at each of its tiers the edit of the one made."""
    for quota, site in sites:
        rng = edit_stream(study.seed, made, quota.fault, site)
        policy = quota.spec.policy
        yield inject(domain, instance, parent, quota.fault, site, rng=rng, policy=policy)


def stratum_of(run: Trajectory) -> str:
    """Return the stratum of a run: clean, a control, or fault × policy × outcome."""
    label = run.label
    if label.control is not None:
        return f"control:{label.control}"
    if label.failure_type is None:
        return "clean"
    outcome = "silent" if label.outcome_correct else "loud"
    return f"{label.failure_type}:{label.reply_policy}:{outcome}"


def _write_in_order(study: StudySpec, places: _Places, spool: Spool, out: LineWriter) -> None:
    for member in stratified_order(places.members, study.seed):
        out.write_line(spool.read(places.offsets[member], places.lengths[member]))


def _report(places: _Places, instances: LineWriter) -> BuildReport:
    strata = {name: len(members) for name, members in sorted(places.members.items())}
    return BuildReport(instances.n_lines, len(places.offsets), strata)


def _refuse_another_set(
    folder: StudyFolder, instances: LineWriter, trajectories: LineWriter
) -> None:
    """Keep answers and the runs that they are about together."""
    if not folder.replies.exists() or not folder.replies.stat().st_size:
        return
    kept = read_manifest(folder.manifest)
    for file, made in ((folder.trajectories, trajectories), (folder.instances, instances)):
        if (kept_hash(kept, file.name) or _hash_of(file)) != made.sha256:
            raise StudyError(
                f"{file} is not what the study {folder.file} makes now, and the kept answers in "
                f"{folder.replies} are about the runs in it. Restore the study file, or run the "
                "new study elsewhere with --out."
            )


def _hash_of(file: Path) -> str | None:
    return sha256(file.read_bytes()).hexdigest() if file.exists() else None


def _manifest(
    folder: StudyFolder, report: BuildReport, instances: LineWriter, trajectories: LineWriter
) -> str:
    kept = readable_manifest(folder.manifest)  # one that nobody can read holds no seal
    is_same = kept_hash(kept, folder.trajectories.name) == trajectories.sha256
    hashes = {
        folder.instances.name: instances.sha256,
        folder.trajectories.name: trajectories.sha256,
    }
    manifest = {
        **described(folder, hashes),
        "n_instances": report.n_instances,
        "n_trajectories": report.n_trajectories,
        "strata": report.strata,
        **(sealed_parts(kept) if is_same else {}),
    }
    return manifest_text(manifest)
