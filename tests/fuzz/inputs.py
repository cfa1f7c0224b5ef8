"""What is damaged, and the commands that read it."""

import csv
import json
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from .forked import call

__all__ = ["KINDS", "Input", "made"]

OLD = Path(__file__).parents[1] / "studies" / "version_0_1"

DESK = """\
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
clean = 12
judges = ["rules"]

[[faults]]
name = "missing_call"
count = 4

[[plan_judges]]
id = "grader"
engine = "scripted:coin"
"""

READING = (
    "faultpair report {study}",
    "faultpair rebuild --results {results} --study {name} --no-figures",
    "faultpair rebuild --results {results} --study {name} --check --no-figures",
    "faultpair run {study} --limit 0",
    "faultpair run {study} --max-calls 20",
    "faultpair run {study} --dry-run",
    "faultpair power {study}",
    "faultpair verify {study}",
    "faultpair show {planted} --study {study}",
    "faultpair replay --trajectories {study}/trajectories.jsonl "
    "--instances {study}/instances.jsonl",
    "faultpair judge --judge rules --trajectories {study}/trajectories.jsonl "
    "--instances {study}/instances.jsonl --out {other}/judged.jsonl",
    "faultpair run {study}/study.toml --out {other} --judge replay:{study}/replies.jsonl",
    "faultpair build {study} --out {other}",
)
SAMPLE = "faultpair human-sample {study} --out {other}/sample.csv"
RELEASE = "analysis.rebuild --no-figures --raw {study} --instances {study}/instances.jsonl"
TAKES_EDITS = ("report", "rebuild --results", "run", "power", "show", "replay", "human-sample")
RECORDS = ("study.toml", "manifest.json", "instances.jsonl", "trajectories.jsonl",
           "replies.jsonl", "verdicts.jsonl")  # fmt: skip
BFCL = ("q/BFCL_v4_tiny.json", "q/possible_answer/BFCL_v4_tiny.json",
        "run/result/live/BFCL_v4_tiny_result.json",
        "run/score/live/BFCL_v4_tiny_score.json")  # fmt: skip


@dataclass(frozen=True)
class Input:
    """A folder, its files that are damaged, and the commands that read them."""

    folder: Path
    files: tuple[str, ...]
    commands: tuple[str, ...]
    planted: str = "none"
    is_sealed: bool = True

    @property
    def unsealed(self):
        """The same in the form of version 0.1, without seals."""
        folder = self.folder.parents[1] / "unsealed" / self.folder.name
        return replace(self, folder=folder, is_sealed=False)


def made(kind, folder):
    """Make an input of a kind in a folder, and beside it one without seals."""
    study = folder / "sealed" / "study"
    study.mkdir(parents=True)
    made = KINDS[kind](study, folder)
    shutil.copytree(study, made.unsealed.folder)
    if (study / "manifest.json").exists():
        _unseal(made.unsealed.folder / "manifest.json")
    return made


def _unseal(file):
    manifest = json.loads(file.read_text(encoding="utf-8"))
    for key in ("digest", "sealed_logs"):
        manifest.pop(key, None)
    for name in ("verdicts.jsonl", "human.csv"):
        manifest["sha256"].pop(name, None)
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    file.write_text(text, encoding="utf-8")


def _judged(study, scratch, text, more=()):
    (study / "study.toml").write_text(text, encoding="utf-8")
    _run(study, scratch, 1000)
    runs = map(json.loads, (study / "trajectories.jsonl").read_bytes().splitlines())
    planted = next(run["trajectory_id"] for run in runs if run["label"]["faulty"])
    return Input(study, RECORDS, (*READING, *more), planted)


def _run(study, scratch, limit=0):
    ended = call(f"faultpair run {study} --limit {limit}", scratch)
    assert ended.code in (0, 3), ended.err
    rebuild = f"faultpair rebuild --results {study.parent} --study {study.name} --no-figures"
    assert call(rebuild, scratch).code == 0


def desk(study, scratch):
    return _judged(study, scratch, DESK)


def plans(study, scratch):
    made = _judged(study, scratch, PLANS, (SAMPLE,))
    file = study / "human.csv"
    assert call(f"faultpair human-sample {study} --out {file}", scratch).code == 0
    with file.open(encoding="utf-8-sig", newline="") as table:
        rows = list(csv.DictReader(table))
    agrees = {column: "yes" for column in rows[0] if column.endswith("_agrees")}
    with file.open("w", encoding="utf-8", newline="") as table:
        writer = csv.DictWriter(table, list(rows[0]))
        writer.writeheader()
        writer.writerows(row | agrees for row in rows)
    _run(study, scratch)
    commands = tuple(form for form in made.commands if "replay:" not in form)
    return Input(study, (*RECORDS, "human.csv"), commands, made.planted)


def played(study, scratch):
    return _old(study, scratch, "played", ("episodes.jsonl", "turns.jsonl"))


def planned(study, scratch):
    return _old(study, scratch, "planned", ("plans.jsonl", "turns.jsonl"))


def _old(study, scratch, name, more):
    """Return a study that version 0.1 wrote, whose set models made."""
    shutil.copytree(OLD / name, study, dirs_exist_ok=True)
    _run(study, scratch)
    commands = [form for form in READING if "show" not in form and "build {study}" not in form]
    if name == "planned":
        commands = [form for form in commands if "replay:" not in form] + [SAMPLE]
    return Input(study, (*RECORDS, *more), tuple(commands))


def release(study, scratch):
    desk(study, scratch)
    for name in ("manifest.json", "study.toml", "replies.jsonl"):
        (study / name).unlink()
    files = ("trajectories.jsonl", "verdicts.jsonl", "instances.jsonl")
    return Input(study, files, (f"{RELEASE} --out {{other}}",), is_sealed=False)


def bfcl(study, scratch):
    from tests.analysis.test_bfcl import folders

    folders(study)
    return Input(study, BFCL, ("analysis.bfcl {study}/q {study}/run",), is_sealed=False)


KINDS = {"desk": desk, "plans": plans, "played": played, "planned": planned,
         "release": release, "bfcl": bfcl}  # fmt: skip
