"""How fast the analysis rebuilds the public release, and a hundred times as much.

Each time is the median of five runs of a fresh process after one to warm up; the
large rebuild is run three times. The large set repeats the runs of the release
under ids of their own, with verdicts drawn at random, so that no two instances
are alike. Needs the folder of shared data (FAULTPAIR_SHARED).
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

__all__ = ["report"]

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("FAULTPAIR_SHARED", ROOT.parent / "shared"))
RELEASE = SHARED / "release"
COPIES = 100
READ = """
import sys, time
from pathlib import Path
from faultpair.analysis.data import release
raw, instances = Path(sys.argv[1]), Path(sys.argv[2])
start = time.perf_counter()
release.load_release(raw, instances)
print(time.perf_counter() - start)
"""


def report() -> None:
    """Print seconds and memory beside their targets."""
    if not RELEASE.is_dir():
        print(f"no folder {RELEASE}, so the analysis is not timed; set FAULTPAIR_SHARED")
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        small = _rebuild(RELEASE / "raw", RELEASE / "instances.jsonl", folder / "small")
        _line("rebuild of the release", _wall(small, times=5), 3.0)
        large = _repeated(folder / "large")
        instances = large / "instances.jsonl"
        read = [sys.executable, "-c", READ, str(large), str(instances)]
        _line(f"reading {COPIES} releases", _inner(read, times=5), 4.0)
        _line(f"rebuild of {COPIES} releases", _wall(_big(large, folder), times=3), 60.0)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    print(f"{'peak memory of any of them':37} {peak:>10.2f} GiB (target 1.50)")


def _big(large: Path, folder: Path) -> list[str]:
    return _rebuild(large, large / "instances.jsonl", folder / "big")


def _rebuild(raw: Path, instances: Path, out: Path) -> list[str]:
    options = ["--raw", str(raw), "--instances", str(instances), "--out", str(out)]
    return [sys.executable, "-m", "faultpair.analysis.rebuild", *options, "--no-figures"]


def _wall(command: list[str], *, times: int) -> float:
    seconds = []
    for _ in range(times + 1):
        start = time.perf_counter()
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds[1:])


def _inner(command: list[str], *, times: int) -> float:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    runs = [
        subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        for _ in range(times + 1)
    ]
    return statistics.median(float(run.stdout) for run in runs[1:])


def _repeated(folder: Path) -> Path:
    """Write the release so many times over, each copy with ids and verdicts of its own."""
    folder.mkdir()
    runs = _lines(RELEASE / "raw" / "trajectories.jsonl")
    _write(folder / "trajectories.jsonl", _copies(runs))
    _write(folder / "instances.jsonl", _copies(_lines(RELEASE / "instances.jsonl")))
    verdicts = _copies(_lines(RELEASE / "raw" / "verdicts.jsonl"))
    steps = {run["trajectory_id"]: len(run["steps"]) for run in runs}
    _write(folder / "verdicts.jsonl", _drawn(verdicts, steps))
    return folder


def _copies(records: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for copy in range(COPIES):
        for record in records:
            ids = {f: record[f] for f in ("trajectory_id", "instance_id") if f in record}
            yield record | {field: f"C{copy}-{name}" for field, name in ids.items()}


def _drawn(verdicts: Iterator[dict[str, Any]], steps: dict[str, int]) -> Iterator[dict[str, Any]]:
    """Decide every verdict anew: faulty or not, step, type and confidence."""
    rng = Random(3)
    kinds = ("wrong_tool", "skipped_precondition", "premature_stop", "unsupported_claim")
    for verdict in verdicts:
        faulty = rng.random() < 0.6
        last = steps[verdict["trajectory_id"].partition("-")[2]]
        yield verdict | {
            "faulty": faulty,
            "failure_step": rng.randrange(last) if faulty else None,
            "failure_type": rng.choice(kinds) if faulty else None,
            "confidence": round(rng.uniform(0.5, 1.0), 2),
        }


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _write(path: Path, records: Iterator[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as out:
        for record in records:
            out.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")


def _line(what: str, seconds: float, target: float) -> None:
    print(f"{what:37} {seconds:>10.2f} s (target {target:.0f})")
