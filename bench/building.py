"""How fast labelled sets are built and judged, and how much memory that takes."""

from __future__ import annotations

import cProfile
import gc
import pstats
import resource
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import msgspec
import simpy

from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Trajectory
from faultpair.judges.catalog import find_judge
from faultpair.judges.exhibit import exhibit_of
from faultpair.sets.build import build, runs_by_instance
from faultpair.studies.folder import StudyFolder
from faultpair.studies.spec import PlantSpec, StudySpec

__all__ = ["report"]

Events = Iterator[simpy.Event]
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
REFERENCE_PACE = 35_000


def report() -> None:
    """Print what was measured, medians of five.

    Absolute rates depend on the load of the machine. So the build is also
    set against the simplest SimPy episodes, measured right before each of its
    runs, and stated at the pace at which 35,000 of those run a second.
    """
    _line("minimal SimPy episodes, six time-outs", _rate(_minimal_episodes, 20_000), "a second")
    _line("the same, each call a process", _rate(_episodes_of_processes, 20_000), "a second")
    sizes = {n: _build_seconds(n) for n in (4_000, 40_000, 400_000)}
    for n, seconds in sizes.items():
        _line(f"built and written, n = {n:,}", 1 / seconds, "trajectories a second")
    _line("n = 40,000, where 35,000 of the processes run", _at_reference_pace(40_000), "a second")
    print(f"{'cost of one, n = 400,000 : 4,000':<48}{sizes[400_000] / sizes[4_000]:>10.2f}")
    _line("peak memory", _peak_mib(), "MiB")
    _line("rule verdicts", _rule_verdicts_a_second(), "a second")
    _profile(4_000)


def _at_reference_pace(n: int) -> float:
    return median(
        REFERENCE_PACE / _rate(_episodes_of_processes, 20_000, repeats=1) / seconds
        for seconds in (_seconds_a_trajectory(study_of(n)) for _ in range(REPEATS))
    )


def _line(what: str, figure: float, unit: str) -> None:
    print(f"{what:<48}{figure:>10,.0f} {unit}", flush=True)


def study_of(n: int) -> StudySpec:
    """Return the study of the paper at about n trajectories, a third of them clean parents."""
    plants = tuple(
        PlantSpec(name=name, variant=variant, count=n // 9) for name, variant in PAPER_TYPES
    )
    return StudySpec(title="bench", domain=DESK.name, seed=7, clean=n // 5, faults=plants)


def _build_seconds(n: int) -> float:
    """Return the median seconds that one labelled trajectory takes, written to disk."""
    return median(_seconds_a_trajectory(study_of(n)) for _ in range(REPEATS))


def _seconds_a_trajectory(study: StudySpec) -> float:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "study.toml"
        file.touch()
        gc.collect()
        start = time.perf_counter()
        built = build(StudyFolder(study, file, Path(folder)))
        return (time.perf_counter() - start) / built.n_trajectories


def _rule_verdicts_a_second() -> float:
    rules = find_judge("rules", DESK.name)
    decode = msgspec.json.decode
    exhibits = [
        exhibit_of(decode(run, type=Trajectory), decode(instance, type=DESK.instance_type))
        for instance, runs in islice(runs_by_instance(DESK, study_of(12_000)), 4_000)
        for _, run in runs
    ]

    def once(_: int) -> None:
        for exhibit in exhibits:
            rules.judge(exhibit)

    return _rate(once, len(exhibits))


def _minimal_episodes(n: int) -> None:
    def agent(sim: simpy.Environment) -> Events:
        for _ in range(6):
            yield sim.timeout(3)

    for _ in range(n):
        sim = simpy.Environment()
        sim.run(until=sim.process(agent(sim)))


def _episodes_of_processes(n: int) -> None:
    def call(sim: simpy.Environment) -> Events:
        yield sim.timeout(3)

    def agent(sim: simpy.Environment) -> Events:
        for _ in range(6):
            yield sim.process(call(sim))

    for _ in range(n):
        sim = simpy.Environment()
        sim.run(until=sim.process(agent(sim)))


def _rate(job: Callable[[int], None], n: int, *, repeats: int = REPEATS) -> float:
    return n / median(_seconds(lambda: job(n)) for _ in range(repeats))


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
    _ = list(runs_by_instance(DESK, study_of(n)))
    profile.disable()
    print(f"\nwhere the time goes, n = {n:,}:")
    pstats.Stats(profile).sort_stats("tottime").print_stats(15)
