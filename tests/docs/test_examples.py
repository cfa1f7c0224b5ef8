"""Each example judge runs from its folder as its README says, and the README shows what comes."""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from faultpair import build, open_study
from faultpair.env.jsonl import read_records
from faultpair.env.records import Trajectory, Verdict
from faultpair.runner.panel import panel_of
from faultpair.runner.requests import plan_requests
from faultpair.studies.runs import read_runs

ADDRESS = "http://127.0.0.1:8765"


@pytest.fixture
def endpoint(checkout, surroundings) -> Iterator[str]:
    """The address of the example server, at a port that was free."""
    server = subprocess.Popen(
        [sys.executable, "reply_judge.py", "0"],
        cwd=checkout / "docs" / "examples" / "http-judge",
        env=surroundings,
        stderr=subprocess.PIPE,
        text=True,
    )
    with server:
        yield server.stderr.readline().split()[-1]
        server.terminate()


def spaced(text: str) -> list[str]:
    """Return the lines of a table without what depends on the width of its columns."""
    return [re.sub(r"[ ─]+", " ", line).strip() for line in text.strip().splitlines()]


def flags(out: Path) -> Counter[tuple[str | None, bool | None]]:
    """Count what a judge said, by kind of fault; clean runs are of the kind None."""
    kinds = {
        run.trajectory_id: run.label.failure_type
        for run in read_records(out / "trajectories.jsonl", Trajectory)
    }
    verdicts = read_records(out / "verdicts.jsonl", Verdict)
    return Counter((kinds[verdict.trajectory_id], verdict.faulty) for verdict in verdicts)


@pytest.mark.parametrize(
    ("example", "missed"),
    [("python-judge", "misstated_amount"), ("command-judge", "ignored_observation")],
)
def test_an_example_runs_and_misses_one_kind_of_fault_as_its_readme_says(
    shell, blocks, checkout, example, missed
):
    page = f"docs/examples/{example}/README.md"
    (commands,), (shown,) = blocks(page, "sh"), blocks(page, "text")
    assert spaced(shell(commands)) == spaced(shown)
    counts = flags(checkout / "build" / example)
    flagged = {kind for kind, faulty in counts if faulty}
    assert missed not in flagged
    assert len(flagged) == 3
    assert {counts[kind, True] for kind in flagged} == {counts[missed, False]}


def test_the_example_endpoint_is_asked_and_has_the_flaw_that_its_readme_tells(
    shell, blocks, checkout, endpoint
):
    page = "docs/examples/http-judge/README.md"
    (_, commands), (shown,) = blocks(page, "sh"), blocks(page, "text")
    assert ADDRESS in commands
    came = shell(commands.replace(ADDRESS, endpoint))
    assert spaced(came.replace(endpoint, ADDRESS)) == spaced(shown)
    counts = flags(checkout / "build" / "http-judge")
    assert counts[None, True] > 0
    assert counts["misstated_action", True] == counts["misstated_amount", False] == 10


def test_the_example_endpoint_refuses_a_document_of_another_format(endpoint):
    response = httpx.post(endpoint, json={"format": "faultpair-exhibit-2"})
    assert response.status_code == 400
    assert "faultpair-exhibit-1" in response.json()["error"]


def test_the_first_run_asks_a_small_model_about_24_runs_and_half_of_them_are_clean(checkout):
    folder = open_study(checkout / "docs" / "examples" / "first-run")
    assert build(folder).n_trajectories == 24
    runs = list(read_runs(folder.trajectories, folder.instances))
    kinds = Counter(run.label.failure_type for run, _ in runs)
    assert kinds.pop(None) == 12
    assert len(kinds) == 6
    assert set(kinds.values()) == {2}
    panel = panel_of(folder.study)
    assert panel.ids == ("rules", "composite", "smollm2")
    assert len(list(plan_requests(panel.assignments, runs))) == 24
