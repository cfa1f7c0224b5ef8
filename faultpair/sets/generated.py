"""Writing the set that models have made for a study: runs, what is told of each, the manifest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from faultpair.env.records import Instance, Record, Trajectory
from faultpair.studies.files import write_lines
from faultpair.studies.folder import StudyFolder
from faultpair.studies.manifest import read_manifest, set_manifest, write_manifest
from faultpair.studies.transcript import TURNS, Transcript

from .order import stratum_of

__all__ = ["Made", "write_made_set"]

Made = tuple[Instance, Sequence[tuple[Trajectory | None, Record]]]
"""An instance, and of all that was made of it the run, if there is one, and the facts."""


def write_made_set(
    folder: StudyFolder,
    made: Iterable[Made],
    *,
    facts_file: str,
    book: Transcript,
    makers: Mapping[str, Any],
) -> None:
    """Write the set of a study instance by instance, then its manifest.

    ``makers`` is the part of the manifest that says who made the runs.
    """
    strata: Counter[str] = Counter()
    with (
        write_lines(folder.instances) as instances,
        write_lines(folder.trajectories) as runs,
        write_lines(folder.out / facts_file) as told,
    ):
        for instance, attempts in made:
            instances.write(instance)
            for run, facts in attempts:
                told.write(facts)
                if run is not None:
                    runs.write(run)
                    strata[stratum_of(run)] += 1
    hashes = {
        TURNS: book.digest(),
        folder.instances.name: instances.sha256,
        folder.trajectories.name: runs.sha256,
        facts_file: told.sha256,
    }
    manifest = set_manifest(
        folder,
        hashes,
        n_instances=instances.n_lines,
        strata=strata,
        generators=makers,
        sealed=read_manifest(folder.manifest),
    )
    write_manifest(folder.manifest, manifest)
