"""Time the analysis: rebuild the public release, and read and rebuild a hundred times as much.

Each time is the median of five runs of a fresh process after one to warm up; the
large rebuild is run three times. Needs the folder of shared data (FAULTPAIR_SHARED).
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("FAULTPAIR_SHARED", ROOT.parent / "shared"))
RELEASE = SHARED / "release"
READ = """
import sys, time
from pathlib import Path
from analysis import release, verdicts
raw, instances = Path(sys.argv[1]), Path(sys.argv[2])
start = time.perf_counter()
release.load_release(raw, instances)
print(time.perf_counter() - start)
"""


def main() -> int:
    """Run all three and print seconds beside the target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=100, help="how often the release is repeated")
    copies = parser.parse_args().copies
    if not RELEASE.is_dir():
        sys.stderr.write(f"No folder {RELEASE}; set FAULTPAIR_SHARED.\n")
        return 2
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small = _rebuild_command(RELEASE / "raw", RELEASE / "instances.jsonl", folder / "small")
        _report("rebuild of the release", _wall(small, times=5), 3.0)
        large = _repeat_release(folder / "large", copies)
        read = [sys.executable, "-c", READ, str(large), str(large / "instances.jsonl")]
        _report(f"reading {copies} releases", _inner(read, times=5), 4.0)
        big = _rebuild_command(large, large / "instances.jsonl", folder / "big")
        _report(f"rebuild of {copies} releases", _wall(big, times=3), 60.0)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    sys.stdout.write(f"{'peak memory of any of them':34} {peak:8.2f} GiB (target 1.50)\n")
    return 0


def _rebuild_command(raw: Path, instances: Path, out: Path) -> list[str]:
    options = ["--raw", str(raw), "--instances", str(instances), "--out", str(out)]
    return [sys.executable, "-m", "analysis.rebuild", *options, "--no-figures"]


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


def _repeat_release(folder: Path, copies: int) -> Path:
    """Write the release so many times over, each copy with ids of its own."""
    folder.mkdir()
    sources = {
        "trajectories.jsonl": RELEASE / "raw" / "trajectories.jsonl",
        "verdicts.jsonl": RELEASE / "raw" / "verdicts.jsonl",
        "instances.jsonl": RELEASE / "instances.jsonl",
    }
    for name, source in sources.items():
        records = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
        with (folder / name).open("w", encoding="utf-8") as out:
            for copy in range(copies):
                for record in records:
                    named = record | {
                        field: f"C{copy}-{record[field]}"
                        for field in ("trajectory_id", "instance_id")
                        if field in record
                    }
                    out.write(json.dumps(named, ensure_ascii=False, separators=(",", ":")) + "\n")
    return folder


def _report(what: str, seconds: float, target: float) -> None:
    sys.stdout.write(f"{what:34} {seconds:8.2f} s (target {target:.0f})\n")


if __name__ == "__main__":
    sys.exit(main())
