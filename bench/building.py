"""How fast labelled sets are built and judged, and how much memory that takes."""

from __future__ import annotations

import cProfile
import gc
import pstats
import resource
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import msgspec
import simpy

from env.catalog import DOMAINS
from faultpair.building import build, labelled_runs
from faultpair.study import PlantSpec, Study, StudyFolder
from judges.catalog import find_judge
from judges.exhibit import exhibit_of

__all__ = ["report"]

DESK = DOMAINS["support_desk"]
PAPER_TYPES = (
    ("wrong_tool", None),
    ("hallucinated_argument", None),
    ("skipped_precondition", None),
    ("ignored_observation", None),
    ("premature_stop", None),
    ("unsupported_claim", "four"),
)
REPEATS = 5


def report() -> None:
    """Print what was measured, medians of five."""
    print(
        f"minimal SimPy episodes of six calls   {_rate(_minimal_episodes, 20_000):>10,.0f} a second"
    )
    per_run = {n: _build_seconds(n) / n for n in (4_000, 40_000, 400_000)}
    for n, seconds in per_run.items():
        print(f"built and written, n = {n:<14,} {1 / seconds:>10,.0f} trajectories a second")
    print(f"cost a trajectory, 400,000 : 4,000    {per_run[400_000] / per_run[4_000]:>10.2f}")
    print(f"peak memory                           {_peak_mib():>10,.0f} MiB")
    print(f"rule verdicts                         {_rule_verdicts_a_second():>10,.0f} a second")
    _profile(4_000)


def study_of(n: int) -> Study:
    """Return the study of the paper at a size: about a quarter clean, six types evenly."""
    plants = tuple(
        PlantSpec(name=name, variant=variant, count=n // 8) for name, variant in PAPER_TYPES
    )
    return Study(title="bench", domain=DESK.name, seed=7, clean=n // 4, faults=plants)


def _build_seconds(n: int) -> float:
    """Return the median seconds to build n labelled trajectories, parents that join not counted."""

    def once() -> None:
        with TemporaryDirectory() as folder:
            file = Path(folder) / "study.toml"
            file.touch()
            build(StudyFolder(study_of(n), file, Path(folder)))

    return _median_seconds(once)


def _rule_verdicts_a_second() -> float:
    rules = find_judge("rules", DESK.name)
    exhibits = [
        exhibit_of(run, instance)
        for instance, runs in islice(labelled_runs(DESK, study_of(12_000)), 4_000)
        for run in runs
    ]

    def once(_: int) -> None:
        for exhibit in exhibits:
            rules.judge(exhibit)

    return _rate(once, len(exhibits))


def _minimal_episodes(n: int) -> None:
    def six_calls(sim: simpy.Environment):  # type: ignore[no-untyped-def]
        for _ in range(6):
            yield from one_call(sim)

    def one_call(sim: simpy.Environment):  # type: ignore[no-untyped-def]
        yield sim.timeout(3)

    for _ in range(n):
        sim = simpy.Environment()
        sim.run(until=sim.process(six_calls(sim)))


def _rate(job: Callable[[int], None], n: int) -> float:
    return n / _median_seconds(lambda: job(n))


def _median_seconds(job: Callable[[], None]) -> float:
    return median(_seconds(job) for _ in range(REPEATS))


def _seconds(job: Callable[[], None]) -> float:
    gc.collect()
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _profile(n: int) -> None:
    profile = cProfile.Profile()
    profile.enable()
    _ = [msgspec.json.encode(run) for _, runs in labelled_runs(DESK, study_of(n)) for run in runs]
    profile.disable()
    print(f"\nwhere the time goes, n = {n:,}:")
    pstats.Stats(profile).sort_stats("tottime").print_stats(15)
