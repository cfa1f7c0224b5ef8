"""The short form of the benchmark: whole commands, in one checkout or in two by turns.

Each job is a command in a process of its own, so that a checkout of any age can be compared.
Work by turns spreads the load of other processes over both checkouts, and the least of the
runs is what that load disturbed least.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from .loopback import serving

__all__ = ["report"]

ROOT = Path(__file__).resolve().parent.parent
RELEASE = Path(os.environ.get("FAULTPAIR_SHARED", ROOT.parent / "shared")) / "release"
TURNS = 5
DESK = """\
title = "bench"
domain = "support_desk"
seed = 7
clean = {clean}
faults = [
    {{ name = "wrong_tool", count = {count} }},
    {{ name = "skipped_precondition", count = {count} }},
    {{ name = "unsupported_claim", count = {count}, variant = "four" }},
]
"""
PLANS = """\
title = "bench"
domain = "workflow"
seed = 7
clean = 900
faults = [{ name = "missing_call", count = 150 }, { name = "extra_argument", count = 150 }]
"""
JUDGE = """
[[model_judges]]
id = "steps"
engine = "{engine}"
"""

Cost = tuple[float, float]  # seconds on the wall, seconds of the processors


def report(against: Path | None = None) -> None:
    """Print the least seconds of each job: here, and in another checkout with the ratio."""
    checkouts = [ROOT, *([against.resolve()] if against else [])]
    print(f"{'least of ' + str(TURNS) + ' runs, wall and processors':<44}", *checkouts)
    with TemporaryDirectory() as name, serving() as url:
        for job, command in _jobs(Path(name), url):
            costs: dict[Path, list[Cost]] = {checkout: [] for checkout in checkouts}
            for turn in range(TURNS):
                for checkout in checkouts if turn % 2 else reversed(checkouts):
                    costs[checkout].append(_cost(command, checkout, Path(name)))
            print(f"{job:<44}{_shown(list(costs.values()))}", flush=True)


def _jobs(folder: Path, url: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each job with its command, whose output goes to the folder ``out``."""
    faultpair = ["-m", "faultpair"]
    sets = {
        "desk": DESK.format(clean=9_000, count=4_000),
        "plans": PLANS,
        "scripted": DESK.format(clean=600, count=450) + JUDGE.format(engine="scripted:clean"),
        "http": DESK.format(clean=400, count=300) + JUDGE.format(engine="openai:bench"),
    }
    for name, text in sets.items():
        (folder / name).mkdir()
        (folder / name / "study.toml").write_text(text, encoding="utf-8")
    yield "start of the command", [*faultpair, "list", "domains"]
    for name in ("desk", "plans"):
        yield f"build of {name}", [*faultpair, "build", str(folder / name), "--out", "out"]
    kept = folder / "kept"
    _cost([*faultpair, "build", str(folder / "desk"), "--out", str(kept)], ROOT, folder)
    yield "rules", [
        *faultpair, "judge", "--judge", "rules", "--instances", f"{kept}/instances.jsonl",
        "--trajectories", f"{kept}/trajectories.jsonl", "--out", "out.jsonl",
    ]  # fmt: skip
    yield "run, scripted", [*faultpair, "run", str(folder / "scripted"), "--out", "out"]
    asked = [*faultpair, "run", str(folder / "http"), "--out", "out", "--base-url", url, "-j", "16"]
    yield "run, HTTP, 16 at once", asked
    results = ["-m", "analysis.rebuild", "--check", "--no-figures", "--study"]
    for study in ("paper", "plans"):
        yield f"rebuild of {study}", [*results, study]
    if RELEASE.is_dir():
        yield "rebuild of the release", [
            "-m", "analysis.rebuild", "--raw", str(RELEASE / "raw"), "--instances",
            str(RELEASE / "instances.jsonl"), "--out", "OUT", "--no-figures",
        ]  # fmt: skip


def _cost(command: list[str], checkout: Path, folder: Path) -> Cost:
    """Run a command of a checkout and return what it cost.

    `python -m analysis.rebuild` finds its results in the checkout, so that it runs there;
    all others write below the scratch folder.
    """
    with TemporaryDirectory(dir=folder) as scratch:
        of_checkout = "analysis.rebuild" in command
        line = [scratch if part == "OUT" else part for part in command]
        environment = os.environ | {"PYTHONPATH": str(checkout), "OPENAI_API_KEY": "none"}
        before, start = _spent(), time.perf_counter()
        done = subprocess.run(
            [sys.executable, *line], cwd=checkout if of_checkout else scratch, env=environment,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        wall = time.perf_counter() - start
        if done.returncode not in (0, 1):  # 1: the tables of another checkout may differ
            sys.exit(f"{' '.join(line)} in {checkout} ended with {done.returncode}: {done.stderr}")
        return wall, _spent() - before


def _spent() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _shown(costs: list[list[Cost]]) -> str:
    least = [tuple(map(min, zip(*runs, strict=True))) for runs in costs]
    text = "   ".join(f"{wall:6.2f} s {spent:6.2f} s" for wall, spent in least)
    if len(least) == 2:
        text += f"   here : there = {least[0][1] / least[1][1]:.3f}"
    return text
