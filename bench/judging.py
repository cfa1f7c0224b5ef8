"""What the runner costs: verdicts a second, its share of an HTTP call, calls that sharing saves."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from engines.catalog import open_engine
from engines.options import EngineOptions
from faultpair.asks import all_asks, missing
from faultpair.desk import Limits, Means
from faultpair.ledger import Ledger
from faultpair.panel import panel_of
from faultpair.reading import read_runs
from faultpair.running import run_study
from faultpair.study import ModelJudgeSpec, StudyFolder, open_study

from .loopback import serving

__all__ = ["report"]

PAPER = Path(__file__).resolve().parent.parent / "results" / "paper"
PARALLEL = 16
REPEATS = 3
STEPS = ModelJudgeSpec(id="steps", engine="scripted:clean")
REPLY = ModelJudgeSpec(
    id="reply", engine="scripted:clean", view="goal-and-reply", task="judge-reply"
)


def report() -> None:
    """Print what was measured, medians of three, beside the targets."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        _line("verdicts of scripted:, set and tables of records included",
              f"{_scripted_pace(folder):,.0f} a second", "at least 800")  # fmt: skip
        with serving() as url:
            _report_http(folder, EngineOptions(base_url=url, api_key="none", parallel=PARALLEL))
        saved = _share_saved(folder)
        _line("calls of a reply-only judge that sharing saves", f"{saved:.1%}", "at least 40 %")


def _scripted_pace(scratch: Path) -> float:
    """Return the verdicts a second of a whole run: build, ask, keep, write."""
    seconds = _run_seconds(scratch, _study(scratch, STEPS, REPLY))
    n_verdicts = len(_lines(scratch / "0" / "verdicts.jsonl"))
    return n_verdicts / seconds


def _report_http(scratch: Path, options: EngineOptions) -> None:
    """Compare the runner with the same client in a pool of threads that keeps nothing.

    What the runner does without a call (building the set, writing each prompt once
    to hash it) is taken off, for the bare loop is given its prompts, too.
    """
    name = "openai:bench"
    folder = _study(scratch, STEPS.model_copy(update={"engine": name}))
    means = Means(options)
    idle = _run_seconds(scratch, folder, Limits(verdicts=0), means)
    busy = _run_seconds(scratch, folder, Limits(), means)
    (seat,) = panel_of(folder.study).seats
    built = scratch / "0"
    runs = list(read_runs(built / "trajectories.jsonl", built / "instances.jsonl"))
    requests = [ask.request() for ask in all_asks([seat], runs)]
    engine = open_engine(name, options)

    def bare() -> None:
        with ThreadPoolExecutor(PARALLEL) as pool:
            for _ in pool.map(engine.complete, requests):
                pass

    ours, theirs = ((busy - idle) / len(requests), _median_seconds(bare) / len(requests))
    engine.close()
    _line(f"a call over HTTP, {PARALLEL} at once, bare", f"{1000 * theirs:.2f} ms", "")
    _line("the same with the runner", f"{1000 * ours:.2f} ms", "")
    _line("what the runner adds", f"{1000 * (ours - theirs):.2f} ms", "at most 0.50 ms")


def _share_saved(scratch: Path) -> float:
    folder = _study(scratch, REPLY)
    (seat,) = panel_of(folder.study).seats
    runs = list(read_runs(PAPER / "trajectories.jsonl", PAPER / "instances.jsonl"))
    asks = list(all_asks([seat], runs))
    calls = missing(asks, Ledger(scratch / "none"), share=True, retry=False)
    return 1 - sum(1 for _ in calls) / len(asks)


def _study(scratch: Path, *judges: ModelJudgeSpec) -> StudyFolder:
    """Return the study of the paper under other judges; its records go to a folder of their own."""
    folder = open_study(PAPER, scratch / "0")
    study = folder.study.model_copy(update={"judges": (), "model_judges": judges})
    return replace(folder, study=study)


def _run_seconds(
    scratch: Path,
    folder: StudyFolder,
    limits: Limits = Limits(),
    means: Means | None = None,  # noqa: B008
) -> float:
    def once() -> None:
        for file in (scratch / "0").glob("*"):
            file.unlink()
        outcome = run_study(folder, limits=limits, means=means or Means())
        assert outcome.stopped is None, outcome.stopped

    return _median_seconds(once)


def _median_seconds(job: Callable[[], None]) -> float:
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        job()
        seconds.append(time.perf_counter() - start)
    return median(seconds)


def _lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines()


def _line(what: str, figure: str, target: str) -> None:
    print(f"{what:<58}{figure:>16}{target and f'  (target {target})'}", flush=True)
