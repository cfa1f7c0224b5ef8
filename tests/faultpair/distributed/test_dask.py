"""Work on a cluster: the same bytes, and nothing lost or doubled when a worker is killed."""

import json
import os
import signal
import threading
import warnings
from collections import Counter
from pathlib import Path

import pytest

distributed = pytest.importorskip("distributed")

from faultpair.calls.client import RetryPolicy  # noqa: E402
from faultpair.calls.session import EngineFactory, RunLimits  # noqa: E402
from faultpair.distributed import build as distributed_build  # noqa: E402
from faultpair.distributed.backend import Executor, open_backend  # noqa: E402
from faultpair.distributed.build import building_on  # noqa: E402
from faultpair.distributed.cluster import cluster  # noqa: E402
from faultpair.distributed.engine import judging_on  # noqa: E402
from faultpair.engines.engine import EngineOptions  # noqa: E402
from faultpair.env.errors import InfrastructureError, StudyError, UsageError  # noqa: E402
from faultpair.runner.run import run_study  # noqa: E402
from faultpair.sets.build import build, build_from  # noqa: E402
from faultpair.studies.folder import open_study  # noqa: E402

FILES = ("trajectories.jsonl", "instances.jsonl", "manifest.json")
# Dask's own processes and sockets are closed in its own time.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

PLANS = """\
title = "Plans at two tiers"
domain = "workflow"
seed = 7
tiers = ["easy", "hard"]
clean = { linear = 3, loop_like = 2, fan_in = 0 }

[[faults]]
name = "missing_call"
count = 7

[[faults]]
name = "irrelevant_call"
count = 4

[[controls]]
name = "siblings_swapped"
count = 4
"""
SLOW = """\
import os, time
def judge(exhibit):
    with open(CALLS, "a") as calls:
        calls.write(os.environ["WORKER"] + "\\n")
    time.sleep(0.05)
    return {"faulty": len(exhibit["reply"]) % 2 == 0, "confidence": 0.9}
"""


@pytest.fixture(scope="module")
def client():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with cluster(workers=2) as client:
            yield client


@pytest.fixture
def slow(lab, tmp_path, monkeypatch, client):
    """The laboratory with a judge that takes its time and notes on which worker."""
    calls = tmp_path / "calls"
    name = f"slow_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(SLOW.replace("CALLS", repr(str(calls))))
    # A function of this module could not be imported by a worker.
    note = "os.environ['WORKER'] = str(os.getpid())"
    client.run(exec, f"import os, sys; sys.path.append({str(tmp_path)!r}); {note}")
    lab.study({"s": f'engine = "python:{name}:judge"\nrepeats = 3\nenv = ["WORKER"]\n'})
    lab.calls = lambda: calls.read_text().split() if calls.exists() else []
    lab.module = tmp_path
    return lab


def scattered(lab, client, *, parallel=None, **limits):
    limits = {"retry_policy": RetryPolicy(attempts=20, pause_s=0.1, longest_pause_s=0.2), **limits}
    return run_study(
        lab.folder,
        limits=RunLimits(**limits),
        engines=EngineFactory(EngineOptions(parallel=parallel), judging_on(client)),
        source=building_on(client),
    )


@pytest.mark.parametrize("study", ["paper", "balanced"])
def test_a_set_that_is_built_on_a_cluster_has_the_same_bytes(study, client, tmp_path, request):
    plain = request.getfixturevalue(study)
    build_from(building_on(client), open_study(plain.folder.file, tmp_path))
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (plain.folder.out / name).read_bytes()


@pytest.mark.parametrize("n_instances", [1, 250])
def test_plans_at_two_tiers_have_the_same_bytes(
    n_instances, client, study_file, tmp_path, monkeypatch
):
    file = study_file(PLANS)
    here, there = (open_study(file, tmp_path / name) for name in ("here", "there"))
    build(here)
    monkeypatch.setattr(distributed_build, "INSTANCES_A_TASK", n_instances)
    build_from(building_on(client), there)
    for name in FILES:
        assert (there.out / name).read_bytes() == (here.out / name).read_bytes()
    strata = json.loads(there.manifest.read_text())["strata"]
    assert strata["control:siblings_swapped"] == 8
    assert sum(n for name, n in strata.items() if name.startswith("missing_call")) == 14


def test_small_tasks_make_the_same_set(small, client, tmp_path, monkeypatch):
    monkeypatch.setattr(distributed_build, "INSTANCES_A_TASK", 1)
    build_from(building_on(client), open_study(small.folder.file, tmp_path))
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (small.folder.out / name).read_bytes()


def test_a_study_that_asks_for_too_much_is_refused_alike(client, study_file, tmp_path):
    text = Path(__file__).parents[3] / "results" / "paper" / "study.toml"
    file = study_file(text.read_text().replace('"wrong_tool"', '"no_such_fault"'))
    with pytest.raises((StudyError, UsageError), match="no_such_fault"):
        build_from(building_on(client), open_study(file, tmp_path / "out"))


def test_verdicts_that_are_made_on_a_cluster_are_those_of_a_plain_run(lab, client, tmp_path):
    judges = {"s": "", "c": 'engine = "scripted:coin"\nview = "goal-and-reply"\n'}
    plain = type(lab)(tmp_path / "plain").study(judges)
    plain.run()
    scattered(lab.study(judges), client)
    assert lab.folder.verdicts.read_bytes() == plain.folder.verdicts.read_bytes()
    # The lines of a log have the order in which answers came.
    of_logs = {"sealed_logs": {}, "digest": ""}
    assert lab.manifest | of_logs == plain.manifest | of_logs


def test_every_worker_is_asked_and_the_process_that_was_started_is_not(slow, client):
    outcome = scattered(slow, client)
    assert (outcome.n_asked, outcome.n_calls) == (27, 27)
    pids = Counter(slow.calls())
    assert set(pids) == {str(pid) for pid in client.run(os.getpid).values()}
    assert min(pids.values()) > 3


def test_engines_that_wait_for_others_stay_here(client):
    engine = judging_on(client)("openai:m", EngineOptions(base_url="http://x", api_key="y"))
    assert "OpenAI" in type(engine).__name__
    engine.close()


def test_a_killed_worker_loses_and_doubles_nothing_and_its_call_is_made_again(slow, client):
    workers = client.run(os.getpid)
    victim = min(workers.values())

    def kill():
        while slow.calls().count(str(victim)) < 3:
            halt.wait(0.01)
        os.kill(victim, signal.SIGKILL)

    halt = threading.Event()
    killer = threading.Thread(target=kill)
    killer.start()
    outcome = scattered(slow, client, parallel=4)
    killer.join()
    lost = [one for one in slow.replies if one["error"]]
    assert lost
    assert all("was lost while it computed" in one["error"] for one in lost)
    assert not any(one["is_final"] for one in lost)
    assert (outcome.n_open, outcome.n_failed) == (0, 0)
    assert outcome.n_calls == len(slow.replies) == 27 + len(lost)
    final = Counter(
        (one["trajectory_id"], one["repeat"]) for one in slow.replies if one["is_final"]
    )
    assert len(final) == 27
    assert set(final.values()) == {1}
    verdicts = Counter((one["trajectory_id"], one["repeat"]) for one in slow.verdicts)
    assert verdicts == final
    tried = Counter(slow.calls())
    assert 27 <= sum(tried.values()) <= 27 + len(lost)


def test_a_worker_that_is_killed_while_it_builds_changes_no_byte(paper, client, tmp_path):
    victims = iter(client.run(os.getpid).values())

    def kill_one(n):
        victim = next(victims, None) if kill_one.calls == 0 else None
        kill_one.calls += 1
        if victim is not None:
            os.kill(victim, signal.SIGKILL)

    kill_one.calls = 0
    build_from(building_on(client), open_study(paper.folder.file, tmp_path), kill_one)
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (paper.folder.out / name).read_bytes()


def test_a_scheduler_that_runs_already_is_used(client, small, tmp_path):
    with cluster(client.scheduler.address) as guest:
        build_from(building_on(guest), open_study(small.folder.file, tmp_path))
    assert json.loads((tmp_path / "manifest.json").read_text()) == small.manifest


def test_a_scheduler_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setattr("distributed.Client", _unreachable)
    with (
        pytest.raises(InfrastructureError, match=r"No Dask scheduler can be reached at tcp://x:1"),
        cluster("tcp://x:1"),
    ):
        pass


def _unreachable(address, timeout):
    raise OSError("timed out")


@pytest.mark.parametrize(
    ("executor", "scheduler", "workers"),
    [(Executor.HERE, "tcp://x:1", None), (Executor.HERE, None, 2), (Executor.DASK, "tcp://x:1", 2)],
)
def test_options_that_do_not_go_together_are_refused(executor, scheduler, workers):
    with pytest.raises(UsageError), open_backend(executor, scheduler, workers):
        pass


def test_without_the_extra_the_message_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr("faultpair.distributed.cluster.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'faultpair\[distributed\]'"), cluster():
        pass
