"""The sets that the table is made of: all pairs of a study, with the pages of both runs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Label
from faultpair.judges.exhibit import exhibit_of
from faultpair.judges.external import document_of
from faultpair.sets.build import build, runs_by_instance
from faultpair.studies.folder import StudyFolder
from faultpair.studies.runs import Run, read_runs
from faultpair.studies.spec import StudySpec

from .orders import Orders
from .pages import Page, Pair, page_of

__all__ = ["PairedSet", "paired_set", "small_sets", "smaller"]


@dataclass(frozen=True, slots=True)
class PairedSet:
    """A set as pairs of pages: each fault and each control beside the clean run it is made of.

    ``across`` pairs each fault with the first control of its instance.
    """

    name: str
    domain: str
    faults: tuple[Pair, ...]
    controls: tuple[Pair, ...]
    across: tuple[Pair, ...]
    orders: Orders = field(repr=False)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The types of fault, by name."""
        return tuple(sorted({pair.kind for pair in self.faults}))


def paired_set(name: str, folder: StudyFolder) -> PairedSet:
    """Build a study's set in a temporary folder and return it as pairs of pages."""
    with TemporaryDirectory(prefix="faultpair-") as scratch:
        made = replace(folder, out=Path(scratch))
        build(made)
        runs = list(read_runs(made.trajectories, made.instances))
    pages = {run.trajectory_id: _page(run, instance) for run, instance in runs}
    orders = Orders(runs, pages)
    for run_id, places in orders.places(folder.study.seed).items():
        pages[run_id] = {**pages[run_id], "places": places}
    faults, controls, across = _pairs(runs, pages)
    return PairedSet(name, folder.study.domain, faults, controls, across, orders)


def smaller(study: StudySpec, seed: int, share: float) -> StudySpec:
    """Return a study with another seed and a share of each number of faults, at least one.

    It has no control, and no clean run but the parents of its faults.
    """
    few = [
        plant.model_copy(update={"count": max(1, round(plant.count * share))})
        for plant in study.faults
    ]
    return study.model_copy(
        update={"seed": seed, "faults": tuple(few), "controls": (), "wanted": 0}
    )


def small_sets(
    study: StudySpec, seeds: Sequence[int], share: float
) -> Iterator[list[tuple[Page, Page]]]:
    """Yield for each seed the pairs of fault and clean run, without what only exhibits have."""
    domain = DOMAINS[study.domain]
    for seed in seeds:
        lines = [
            json.loads(line)
            for made in runs_by_instance(domain, smaller(study, seed, share))
            for _, line in made.runs
        ]
        runs = {run["trajectory_id"]: run for run in lines}
        yield [(run, runs[run["label"]["parent_id"]]) for run in lines if run["label"]["faulty"]]


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
