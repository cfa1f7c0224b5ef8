"""What the runner costs: verdicts a second, its share of a call, calls that sharing saves.

A call is one over HTTP, or one to a judge in a process of its own.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir, closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from faultpair.analysis.data.columns import FloatArray
from faultpair.calls.session import EngineFactory, RunLimits
from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import Engine, EngineOptions, Request
from faultpair.engines.external.function import FunctionEngine
from faultpair.runner.panel import panel_of
from faultpair.runner.requests import RequestState, pending, plan_requests
from faultpair.runner.run import run_study
from faultpair.studies.exchanges import ExchangeLog
from faultpair.studies.folder import StudyFolder, open_study
from faultpair.studies.runs import read_runs
from faultpair.studies.spec import ModelJudgeSpec

from .loopback import serving

__all__ = ["report"]

PAPER = Path(__file__).resolve().parent.parent / "results" / "paper"
PARALLEL = 16
PASSES = 4
REPEATS = 5
CALLS = 500
JUDGE = """\
import sys

def judge(exhibit):
    return {"faulty": False}

if __name__ == "__main__":
    for line in sys.stdin:
        print('{"faulty": false}', flush=True)
"""
STEPS = ModelJudgeSpec(id="steps", engine="scripted:clean")
REPLY = ModelJudgeSpec(
    id="reply", engine="scripted:clean", view="goal-and-reply", task="judge-reply"
)


def report() -> None:
    """Print what was measured beside the targets.

    Each figure is the fastest of five, since other processes can only slow a run down.
    Processor seconds are printed beside it.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        seconds, _ = _cost_of_run(folder, _study(folder, STEPS, REPLY))
        n_verdicts = len((folder / "0" / "verdicts.jsonl").read_bytes().splitlines())
        _line(
            "verdicts of scripted:, the set built and all records written",
            f"{n_verdicts / seconds:,.0f} a second",
            "at least 800",
        )
        with serving() as url:
            options = EngineOptions(base_url=url, api_key="none", parallel=PARALLEL)
            _report_http(folder, options)
        _report_apart(folder)
        saved = _share_saved(folder)
        _line("calls of a reply-only judge that sharing saves", f"{saved:.1%}", "at least 40 %")


def _report_http(scratch: Path, options: EngineOptions) -> None:
    """Compare the runner with the same client in a pool of threads that keeps nothing.

    What the runner does without a call (building the set, writing each prompt once
    to hash it) is taken off, for the bare loop is given its prompts, too.
    """
    name = "openai:bench"
    folder = _study(scratch, STEPS.model_copy(update={"engine": name, "repeats": PASSES}))
    means = EngineFactory(options)
    requests = _requests(folder)

    def bare() -> None:
        engine = open_engine(name, options)
        engine.identify()
        with ThreadPoolExecutor(PARALLEL) as pool:
            for _ in pool.map(engine.complete, requests):
                pass
        engine.close()

    theirs = _cost(bare)
    ours = _cost_of_run(scratch, folder, RunLimits(), means)
    idle = _cost_of_run(scratch, folder, RunLimits(verdicts=0), means)
    bare_ms, idle_ms, run_ms = (1000 * cost / len(requests) for cost in (theirs, idle, ours))
    _line(f"a call over HTTP, {PARALLEL} at once, bare", _both(bare_ms))
    _line("the same with the runner", _both(run_ms - idle_ms))
    _line("what the runner adds", _both(run_ms - idle_ms - bare_ms), "at most 0.50 ms")


def _report_apart(scratch: Path) -> None:
    """Compare a judge in a process of its own with the same function in this one."""
    (scratch / "bench_judge.py").write_text(JUDGE, encoding="utf-8")
    own = ModelJudgeSpec(id="own", engine="python:bench_judge:judge")
    request = _requests(_study(scratch, own))[0]

    def call_ms(engine: Engine) -> float:
        def many() -> None:
            for _ in range(CALLS):
                engine.complete(request)

        engine.complete(request)
        return 1000 * float(_cost(many)[0]) / CALLS

    here = call_ms(FunctionEngine(lambda exhibit: {"faulty": False}))
    with chdir(scratch):
        for name in ("python:bench_judge:judge", f"cmd:{sys.executable} bench_judge.py"):
            kind = name.partition(":")[0]

            def start(name: str = name) -> None:
                with closing(open_engine(name)) as engine:
                    engine.complete(request)

            with closing(open_engine(name)) as engine:
                extra = call_ms(engine) - here
            _line(
                f"a call of {kind}: over one in this process", f"{extra:.2f} ms", "at most 0.50 ms"
            )
            started = 1000 * float(_cost(start)[0])
            _line(f"start, first call and end of {kind}:", f"{started:.0f} ms", "at most 150 ms")


def _requests(folder: StudyFolder) -> list[Request]:
    (seat,) = panel_of(folder.study).assignments
    runs = list(read_runs(PAPER / "trajectories.jsonl", PAPER / "instances.jsonl"))
    return [ask.request() for ask in plan_requests([seat], runs)]


def _share_saved(scratch: Path) -> float:
    folder = _study(scratch, REPLY)
    (seat,) = panel_of(folder.study).assignments
    runs = list(read_runs(PAPER / "trajectories.jsonl", PAPER / "instances.jsonl"))
    log = ExchangeLog(scratch / "none")
    states = [RequestState.of(request, log) for request in plan_requests([seat], runs)]
    return 1 - sum(1 for _ in pending(states, share=True)) / len(states)


def _study(scratch: Path, *judges: ModelJudgeSpec) -> StudyFolder:
    """Return the study of the paper under other judges; its records go to a folder of their own."""
    folder = open_study(PAPER, scratch / "0")
    changes = {"judges": (), "model_judges": judges, "votes": (), "contrasts": ()}
    return replace(folder, study=folder.study.model_copy(update=changes))


def _cost_of_run(
    scratch: Path,
    folder: StudyFolder,
    limits: RunLimits | None = None,
    means: EngineFactory | None = None,
) -> FloatArray:
    def once() -> None:
        for file in (scratch / "0").glob("*"):
            file.unlink()
        outcome = run_study(folder, limits=limits or RunLimits(), engines=means or EngineFactory())
        assert outcome.stopped is None, outcome.stopped

    return _cost(once)


def _cost(job: Callable[[], None]) -> FloatArray:
    """Return the least seconds on the wall and of the processor."""
    costs = []
    for _ in range(REPEATS):
        wall, processor = time.perf_counter(), time.process_time()
        job()
        costs.append((time.perf_counter() - wall, time.process_time() - processor))
    return np.min(costs, axis=0)


def _both(cost: FloatArray) -> str:
    wall, processor = cost
    return f"{wall:.2f} ms ({processor:.2f})"


def _line(what: str, figure: str, target: str = "") -> None:
    print(f"{what:<62}{figure:>18}{target and f'  (target {target})'}", flush=True)
