"""The memory of whole commands: the largest resident size of a process, by the number of runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

__all__ = ["peak_mb", "report", "study_of_judges", "study_of_runs"]

PEAK = """\
import sys
from pathlib import Path
from faultpair.cli.app import main
try:
    main(sys.argv[1:])
finally:
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    print(next(line for line in lines if line.startswith("VmHWM")), file=sys.stderr)
"""
"""Prints the largest size of this process alone; `ru_maxrss` counts that of its parent, too."""
HEAD = 'title = "memory"\ndomain = "support_desk"\nseed = 7\n'
JUDGE = '\n[[model_judges]]\nid = "{name}"\nengine = "scripted:clean"\n'


def report() -> None:
    """Print the largest size of a run and a report, beside the targets."""
    with TemporaryDirectory() as name:
        runs, judges = Path(name, "runs"), Path(name, "judges")
        study_of_runs(runs, 84_000)
        study_of_judges(judges, 2_000)
        _line("run of one asking judge, 84,000 runs", peak_mb("run", runs), 250)
        for command in ("run", "report"):
            _line(f"{command} of 2,000 judges, 1 run", peak_mb(command, judges), 600)


def study_of_runs(folder: Path, n_runs: int) -> None:
    """Write a study of about so many runs, half of them faulty, and one judge that asks."""
    count = int(n_runs * 0.183)
    names = ("wrong_tool", "skipped_precondition", "unsupported_claim")
    faults = "".join(f'[[faults]]\nname = "{name}"\ncount = {count}\n' for name in names)
    text = f"{HEAD}clean = {int(n_runs * 0.388)}\n{faults}{JUDGE.format(name='steps')}"
    _write(folder, text)


def study_of_judges(folder: Path, n_judges: int) -> None:
    """Write a study of one run and so many judges that ask."""
    judges = "".join(JUDGE.format(name=f"judge-{number}") for number in range(n_judges))
    _write(folder, f"{HEAD}clean = 1\n{judges}")


def peak_mb(command: str, folder: Path) -> float:
    """Run a command on a study in a process of its own, and return its largest size."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK, command, str(folder)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return int(done.stderr.rsplit("VmHWM:", 1)[1].split()[0]) / 1024


def _write(folder: Path, text: str) -> None:
    folder.mkdir()
    (folder / "study.toml").write_text(text, encoding="utf-8")


def _line(what: str, megabytes: float, target: int) -> None:
    print(f"{what:<62}{megabytes:>15,.0f} MB  (target at most {target} MB)", flush=True)
