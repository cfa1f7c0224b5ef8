"""Small sets of a study under other seeds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from faultpair.env.catalog import DOMAINS
from faultpair.sets.build import runs_by_instance
from faultpair.studies.spec import StudySpec

from .pages import Page

__all__ = ["small_sets", "smaller"]


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
