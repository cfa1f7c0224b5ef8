"""How fast `faultpair score` reads and scores a table of 200,000 verdicts.

The least of a few runs of a fresh process, and the largest size of any of them.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from .memory import PEAK

__all__ = ["report", "write_rows"]

ROOT = Path(__file__).resolve().parent.parent
JUDGES, UNITS, FAULTS, TYPES = 5, 8_000, 3, 40
TIMES = 3


def report() -> None:
    """Print the seconds on the wall, and the memory."""
    with TemporaryDirectory() as name:
        file = Path(name, "verdicts.csv")
        n_rows = write_rows(file)
        seconds, megabytes = min(_scored(file) for _ in range(TIMES))
    print(f"{f'score of {n_rows:,} verdicts':37} {seconds:>10.2f} s (target 5)")
    print(f"{'its memory':37} {megabytes:>10.0f} MB")


def write_rows(file: Path) -> int:
    """Write a table of judges that see some of the faults; return its rows."""
    rows = list(_rows(Random(3)))
    head = "judge,unit,run,parent,flagged,type,scenario,control\n"
    file.write_text(head + "".join(rows), encoding="utf-8")
    return len(rows)


def _rows(rng: Random) -> Iterator[str]:
    for judge in range(JUDGES):
        for unit in range(UNITS):
            of_all, clean = f"judge-{judge},task-{unit}", f"task-{unit}-clean"
            group = f"group-{unit % 6}"
            yield f"{of_all},{clean},,{int(rng.random() < 0.1)},,{group},\n"
            for fault in range(FAULTS):
                kind, flag = f"type-{(unit + fault) % TYPES}", int(rng.random() < 0.4)
                yield f"{of_all},task-{unit}-{fault},{clean},{flag},{kind},{group},\n"
            yield f"{of_all},task-{unit}-edit,{clean},{int(rng.random() < 0.1)},,{group},tidy\n"


def _scored(file: Path) -> tuple[float, float]:
    start = time.perf_counter()
    command = [sys.executable, "-c", PEAK, "score", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - start
    return seconds, int(done.stderr.rsplit("VmHWM:", 1)[1].split()[0]) / 1024
