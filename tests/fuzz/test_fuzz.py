"""Damaged files through every command that reads them: each call ends in a sentence.

Each call is a process forked from one that has imported the commands, with at most 30 s and
1 GiB. A damaged file is refused, or its output is that of the whole file, or a sentence names
the file that differs. ``FAULTPAIR_FUZZ=SEED`` tries one file again.
"""

import json
import os
import resource
import shutil
import signal
import sys
import traceback
from dataclasses import dataclass
from random import Random

import pytest

from .mutator import damaged_bytes, damaged_json_lines, damaged_toml

LONGEST_S = 30
MOST_BYTES = 1 << 30

STUDY = """\
title = "Fuzzed"
domain = "support_desk"
seed = 5
clean = 6
judges = ["rules", "flag-none"]

[[faults]]
name = "wrong_tool"
count = 4

[[faults]]
name = "unsupported_claim"
count = 4

[[controls]]
name = "thought_reworded"
count = 2

[[model_judges]]
id = "coin"
engine = "scripted:coin"
samples = 3

[[votes]]
id = "vote"
of = "coin"

[[contrasts]]
name = "c"
judge = "coin"
against = "vote"
reading = "What it means."
"""

PLANS = """\
title = "Fuzzed plans"
domain = "workflow"
seed = 5
clean = 6
judges = ["rules"]

[[faults]]
name = "missing_call"
count = 4

[[plan_judges]]
id = "grader"
engine = "scripted:coin"
"""

COMMANDS = (
    "report {study}",
    "rebuild --results {results} --study {name} --no-figures",
    "rebuild --results {results} --study {name} --check --no-figures",
    "run {study} --limit 0",
    "run {study} --max-calls 20",
    "run {study} --dry-run",
    "build {study} --out {other}",
    "power {study}",
    "show {planted} --study {study}",
    "replay --trajectories {study}/trajectories.jsonl --instances {study}/instances.jsonl",
    "judge --judge rules --trajectories {study}/trajectories.jsonl "
    "--instances {study}/instances.jsonl --out {other}/judged.jsonl",
    "run {study}/study.toml --out {other} --judge replay:{study}/replies.jsonl",
)
FILES = ("study.toml", "manifest.json", "instances.jsonl", "trajectories.jsonl", "replies.jsonl",
         "verdicts.jsonl")  # fmt: skip


@dataclass(frozen=True)
class Ended:
    """How a call ended."""

    code: int
    out: str
    err: str
    resident_bytes: int


def call(arguments, folder):
    """Run a command in a forked process and return how it ended."""
    from faultpair.cli.app import main

    printed, complaints = folder / "stdout", folder / "stderr"
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_AS, (4 * MOST_BYTES, 4 * MOST_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for file, number in ((printed, 1), (complaints, 2)):
            os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        signal.alarm(LONGEST_S)
        code = 70
        try:
            main(arguments)
            code = 0
        except SystemExit as ended:
            code = ended.code or 0
        except BaseException:  # noqa: BLE001 — whatever it is, it is a finding
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code if isinstance(code, int) else 71)
    _, status, used = os.wait4(child, 0)
    return Ended(
        os.waitstatus_to_exitcode(status),
        printed.read_text(encoding="utf-8", errors="replace"),
        complaints.read_text(encoding="utf-8", errors="replace"),
        used.ru_maxrss * 1024,
    )


@pytest.fixture(scope="module", params=[STUDY, PLANS], ids=["desk", "plans"])
def whole(request, tmp_path_factory):
    """Return a judged study, and the values of the places in the commands."""
    results = tmp_path_factory.mktemp("whole")
    study = results / "fuzzed"
    study.mkdir()
    (study / "study.toml").write_text(request.param, encoding="utf-8")
    scratch = tmp_path_factory.mktemp("scratch")
    assert call(["run", str(study)], scratch).code == 0
    rebuild = ["rebuild", "--results", str(results), "--study", "fuzzed", "--no-figures"]
    assert call(rebuild, scratch).code == 0
    runs = map(json.loads, (study / "trajectories.jsonl").read_bytes().splitlines())
    planted = next(run["trajectory_id"] for run in runs if run["label"]["faulty"])
    return study, {"planted": planted}


def damaged(content, name, rng):
    """Return a damaged file, and whether it was damaged so that it should parse."""
    if rng.random() < 0.4:
        return damaged_bytes(content, rng)
    return (damaged_toml if name.endswith(".toml") else damaged_json_lines)(content, rng)


def tried(whole, seed, folder):
    """Damage one file of a copy of the study, run one command, and return what went wrong."""
    study, places = whole
    rng = Random(seed)
    name, form = rng.choice(FILES), rng.choice(COMMANDS)
    results, other = folder / "results", folder / "other"
    shutil.copytree(study, results / study.name)
    other.mkdir()
    file = results / study.name / name
    file.write_bytes(damaged(file.read_bytes(), name, rng))
    texts = places | {"study": file.parent, "results": results, "name": study.name, "other": other}
    ended = call(form.format_map(texts).split(), folder)
    shutil.rmtree(results)
    shutil.rmtree(other)
    return [f"{problem} ({seed}: {name}, {form})\n{ended.err[-1500:]}" for problem in wrong(ended)]


def wrong(ended):
    """Yield what no call may do, whatever its input."""
    if "Traceback" in ended.err or ended.code not in (0, 1, 2, 3, 4):
        yield f"ended with {ended.code}"
    if ended.resident_bytes > MOST_BYTES:
        yield f"took {ended.resident_bytes / 1e6:.0f} MB"
    if ended.code and not (ended.err + ended.out).strip():
        yield "said nothing"


def fuzz(whole, seeds, folder):
    """Try all seeds; fail with what went wrong, each kind once."""
    problems = [problem for seed in seeds for problem in tried(whole, seed, folder)]
    assert not problems, f"{len(problems)} problems:\n" + "\n".join(problems[:20])


@pytest.mark.slow
def test_damaged_files_end_in_a_sentence(whole, tmp_path):
    fuzz(whole, chosen(150), tmp_path)


@pytest.mark.extra
def test_many_damaged_files_end_in_a_sentence(whole, tmp_path):
    fuzz(whole, chosen(1500), tmp_path)


def chosen(n):
    """Return the seeds of a test, or the one of the environment."""
    seed = os.environ.get("FAULTPAIR_FUZZ")
    return range(n) if seed is None else [int(seed)]
