"""Records that are not what was sealed: refused by every command that reads them, by name."""

import json
import shutil
from pathlib import Path
from random import Random

import pytest

from ...conftest import Lab, records
from ...edits import edited

VERSION_0_1 = Path(__file__).parents[2] / "studies" / "version_0_1"
REPLY = 'view = "goal-and-reply"\ntask = "judge-reply"\n'
CONTRAST = """judges = ["rules"]
[[contrasts]]
name = "c"
judge = "s"
against = "r"
reading = "above zero: steps help"
"""
N_QUICK, N_ALL = 20, 200


def judged(folder):
    lab = Lab(folder).study({"s": 'engine = "scripted:coin"\n', "r": REPLY})
    text = lab.folder.file.read_text().replace("clean = 3\n", "clean = 3\n" + CONTRAST)
    # A table header ends the keys above it, so the contrast goes to the end.
    head, _, contrast = text.partition('judges = ["rules"]\n')
    contrast, _, rest = contrast.partition("\n\n")
    lab.folder.file.write_text(f'{head}judges = ["rules"]\n\n{rest}\n{contrast}\n')
    return folder


def copy_of(name):
    def copy(folder):
        shutil.copytree(VERSION_0_1 / name, folder)
        return folder

    return copy


STUDIES = {"judged": judged, "played": copy_of("played"), "planned": copy_of("planned")}


class Kept:
    """A study that was run, the commands that read it, and its files as they were."""

    def __init__(self, folder, faultpair):
        self.folder, self._faultpair = folder, faultpair
        assert self.of("run").code == 0
        names = ("study.toml", "manifest.json", *(f.name for f in folder.glob("*.jsonl")))
        self.files = {name: (folder / name).read_bytes() for name in sorted(set(names))}

    def commands(self):
        folder = self.folder
        runs = records(folder / "trajectories.jsonl")
        planted = next((r["trajectory_id"] for r in runs if r["label"]["faulty"]), "none")
        files = ("--instances", folder / "instances.jsonl",
                 "--trajectories", folder / "trajectories.jsonl")  # fmt: skip
        return {
            "run": ("run", folder, "--limit", 0),
            "dry run": ("run", folder, "--dry-run"),
            "report": ("report", folder),
            "rebuild": ("rebuild", "--results", folder.parent, "--study", folder.name,
                        "--no-figures"),
            "show": ("show", planted, "--study", folder),
            "replay": ("replay", *files),
            "power": ("power", folder),
            "judge": ("judge", "--judge", "rules", *files,
                      "--out", folder.parent / "own.jsonl", "--force"),
            "human-sample": ("human-sample", folder, "--force"),
            "verify": ("verify", folder),
        }  # fmt: skip

    def of(self, name, *more):
        if name == "run" and not (self.folder / "trajectories.jsonl").exists():
            return self._faultpair("run", self.folder)
        return self._faultpair(*self._kept_commands()[name], *more)

    def _kept_commands(self):
        if not hasattr(self, "_commands"):
            self._commands = self.commands()
        return self._commands

    def restore(self):
        for name, content in self.files.items():
            (self.folder / name).write_bytes(content)

    def refusals(self, name, content, commands):
        """Write other content to a file; yield each command that is not refused."""
        (self.folder / name).write_bytes(content)
        for command in commands:
            if name == "study.toml" and command in ("run", "dry run"):
                continue  # the study file is the user's: a run takes it as the design
            done = self.of(command)
            is_named = name in (done.out if done.code == 1 else done.err)
            # `verify` goes on to its other checks, and ends with 1.
            if done.code not in ((1, 2) if command == "verify" else (2,)) or not is_named:
                yield name, command, done
            assert (self.folder / name).read_bytes() == content
        self.restore()


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return {name: make(tmp_path_factory.mktemp(name) / "study") for name, make in STUDIES.items()}


@pytest.fixture
def kept(request, folders, faultpair):
    return Kept(folders[getattr(request, "param", "judged")], faultpair)


READERS = ("report", "rebuild", "show", "replay", "power", "run", "dry run", "judge")


def attacked(kept, n_edits, commands):
    """Return each random edit that a command does not refuse."""
    rng, missed = Random(5), []
    names = list(kept.files)
    for number in range(n_edits):
        name = names[number % len(names)]
        missed += kept.refusals(name, edited(kept.files[name], rng), commands)
    return missed


@pytest.mark.parametrize("kept", ["judged", "played"], indirect=True)
def test_a_random_edit_of_any_file_is_refused_by_each_command(kept):
    assert not attacked(kept, N_QUICK, READERS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kept", "commands"),
    [
        ("judged", (*READERS, "verify")),
        ("played", (*READERS, "verify")),
        ("planned", (*(c for c in READERS if c not in ("judge",)), "human-sample", "verify")),
    ],
    indirect=["kept"],
)
def test_two_hundred_random_edits_are_refused_by_each_command(kept, commands):
    assert not attacked(kept, N_ALL, commands)


def every(file, change):
    """Return a file of records, each changed."""
    lines = []
    for record in map(json.loads, file.splitlines()):
        change(record)
        lines.append(json.dumps(record, separators=(",", ":"), ensure_ascii=False))
    return ("\n".join(lines) + "\n").encode()


def label(**values):
    return lambda run: run["label"].update(values) if run["label"]["faulty"] else None


def without_alarms(file):
    lines = file.splitlines(keepends=True)
    return b"".join(line for line in lines if b"-clean" not in line or b'"faulty":true' not in line)


EDITS = {
    "verdicts made true": (
        "verdicts.jsonl",
        lambda file: every(file, lambda verdict: verdict.update(faulty=True)),
    ),
    "false alarms deleted": ("verdicts.jsonl", without_alarms),
    "another type": (
        "trajectories.jsonl",
        lambda file: every(file, label(failure_type="skipped_precondition")),
    ),
    "faults called controls": (
        "trajectories.jsonl",
        lambda file: every(file, label(control="extra_read", faulty=False)),
    ),
    "silent made loud": (
        "trajectories.jsonl",
        lambda file: every(file, label(outcome_correct=False)),
    ),
    "observations": (
        "trajectories.jsonl",
        lambda file: every(file, lambda run: run["steps"][0]["observation"].update(ok=False)),
    ),
    "raw replies": (
        "replies.jsonl",
        lambda file: every(file, lambda reply: reply.update(text="no")),
    ),
    "post hoc": (
        "manifest.json",
        lambda file: file.replace(b'"post_hoc": false', b'"post_hoc": true'),
    ),
    "the reading": ("manifest.json", lambda file: file.replace(b"above zero", b"below zero")),
    "final answers": (
        "trajectories.jsonl",
        lambda file: every(file, lambda run: run.update(final_answer="Nothing was done.")),
    ),
    "thoughts": (
        "trajectories.jsonl",
        lambda file: every(file, lambda run: run["steps"][0].update(thought="Hm.")),
    ),
    "failure steps": ("trajectories.jsonl", lambda file: every(file, label(failure_step=0))),
}


@pytest.mark.parametrize(("name", "edit"), EDITS.values(), ids=list(EDITS))
def test_an_edit_that_would_change_a_number_is_refused_by_each_command(kept, name, edit):
    content = edit(kept.files[name])
    assert content != kept.files[name]
    assert not list(kept.refusals(name, content, READERS))


@pytest.mark.parametrize("kept", ["judged", "played"], indirect=True)
def test_records_without_an_edit_are_refused_by_none(kept):
    for command in READERS:
        done = kept.of(command)
        has_no_pairs = command == "show" and kept.folder.parent.name.startswith("played")
        assert (done.code, "sealed" in done.err) == (2 * has_no_pairs, False), (command, done)
