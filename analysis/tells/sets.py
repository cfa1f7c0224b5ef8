"""The sets that the table is made of: all pairs of a study, with the pages of both runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from faultpair.env.records import Label
from faultpair.judges.exhibit import exhibit_of
from faultpair.judges.external import document_of
from faultpair.sets.build import built_set
from faultpair.studies.folder import StudyFolder
from faultpair.studies.manifest import read_manifest
from faultpair.studies.runs import Run, read_runs

from .orders import Orders
from .pages import Page, Pair, page_of

__all__ = ["PairedSet", "paired_set"]


@dataclass(frozen=True, slots=True)
class PairedSet:
    """A set as pairs of pages: each fault and each control beside the clean run it is made of.

    ``across`` pairs each fault with the first control of its instance. ``sha256`` is that of
    the file of runs.
    """

    name: str
    domain: str
    sha256: str
    faults: tuple[Pair, ...]
    controls: tuple[Pair, ...]
    across: tuple[Pair, ...]
    orders: Orders = field(repr=False)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The types of fault, by name."""
        return tuple(sorted({pair.kind for pair in self.faults}))


def paired_set(name: str, folder: StudyFolder) -> PairedSet:
    """Return a study's set, built if it is not there, as pairs of pages."""
    with built_set(folder) as made:
        runs = list(read_runs(made.trajectories, made.instances))
        sha256 = read_manifest(made.manifest).sha256[made.trajectories.name]
    pages = {run.trajectory_id: _page(run, instance) for run, instance in runs}
    orders = Orders(runs, pages)
    for run_id, places in orders.places(folder.study.seed).items():
        pages[run_id] = {**pages[run_id], "places": places}
    faults, controls, across = _pairs(runs, pages)
    domain = folder.study.domain
    return PairedSet(name, domain, sha256, faults, controls, across=across, orders=orders)


def _page(run: Any, instance: Any) -> Page:
    return page_of(document_of(exhibit_of(run, instance)))


def _pairs(runs: list[Run], pages: dict[str, Page]) -> list[tuple[Pair, ...]]:
    """Return the pairs of faults, of controls, and of faults with controls."""

    def pair(kind: str, one: str, other: str) -> Pair:
        return Pair(kind, instances[one], (one, other), (pages[one], pages[other]))

    instances = {run.trajectory_id: instance.instance_id for run, instance in runs}
    labels: dict[str, Label] = {run.trajectory_id: run.label for run, _ in runs}
    faults, controls = [], []
    first: dict[str, str] = {}
    for run_id, label in labels.items():
        if label.parent_id is None:
            continue
        if label.faulty:
            faults.append(pair(str(label.failure_type), run_id, label.parent_id))
        else:
            controls.append(pair(str(label.control), run_id, label.parent_id))
            first.setdefault(instances[run_id], run_id)
    across = (
        pair(one.kind, one.names[0], first[one.instance]) for one in faults if one.instance in first
    )
    return [tuple(faults), tuple(controls), tuple(across)]
