"""Damaged files through every command that reads them: each call ends in a sentence.

A call has 30 s and 1 GiB. If it ends with 0, its output is that of the whole file, or a
sentence names the file that differs. ``FAULTPAIR_FUZZ=SEED`` tries one file again.
"""

import csv
import json
import os
import shutil
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from random import Random

import pytest

from .forked import MOST_BYTES, call
from .inputs import TAKES_EDITS, made
from .mutator import damaged_bytes, damaged_json_lines, damaged_toml

N_FEW, N_MANY, SHARDS = 100, 3000, 30
WEIGHTS = {"desk": 6, "plans": 5, "played": 3, "planned": 3, "release": 2, "bfcl": 1}
SETTINGS = ("run", "build", "power")
"""Commands that take a study file as their user has written it."""


@dataclass(frozen=True)
class Case:
    """A file to damage, how the command is told of it, and the command."""

    kind: str
    file: str
    form: str
    is_sealed: bool
    accepts_edits: bool


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """Return a bench on which commands are tried."""
    return Bench(tmp_path_factory.mktemp("bench"))


class Bench:
    """Inputs of each kind, made once, and what each command prints of the whole files."""

    def __init__(self, folder):
        self.folder = folder
        self.results = folder / "results"
        self.other = folder / "other"
        self.n_parsed = self.n_refused = 0
        self.input = cache(self._input)
        self.whole = cache(self._whole)

    def _input(self, kind):
        folder = self.folder / "inputs" / kind
        folder.mkdir(parents=True)
        return made(kind, folder)

    def case(self, rng):
        kind = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        inputs = self.input(kind)
        form = rng.choice(inputs.commands)
        takes = form.removeprefix("faultpair ").startswith(TAKES_EDITS) and "--check" not in form
        return Case(
            kind,
            rng.choice(inputs.files),
            form,
            inputs.is_sealed and rng.random() < 0.6,
            takes and rng.random() < 0.5,
        )

    def tried(self, seed):
        """Damage a file, run a command, and return what is wrong with how it ended."""
        rng = Random(seed)
        case = self.case(rng)
        whole = self.whole(case.kind, case.form, case.is_sealed)
        study = self._laid_out(case)
        content = (study / case.file).read_bytes()
        content = damaged(content, case.file, rng)
        (study / case.file).write_bytes(content)
        self.n_parsed += parses(content, case.file)
        ended, made = self._called(case, study)
        self.n_refused += bool(ended.code)
        is_equal = (ended.out, made) == (whole[0].out, without(whole[1], case.file))
        return [
            f"{problem} (FAULTPAIR_FUZZ={seed}: {case})\n{ended.err[-1500:]}"
            for problem in wrong(case, ended, is_equal=is_equal)
        ]

    def _whole(self, kind, form, is_sealed):
        case = Case(kind, "", form, is_sealed, False)
        return self._called(case, self._laid_out(case))

    def _laid_out(self, case):
        for folder in (self.results, self.other):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        inputs = self.input(case.kind)
        study = self.results / "study"
        shutil.copytree((inputs if case.is_sealed else inputs.unsealed).folder, study)
        return study

    def _called(self, case, study):
        places = {"study": study, "results": self.results, "name": study.name,
                  "other": self.other, "planted": self.input(case.kind).planted}  # fmt: skip
        command = case.form.format_map(places)
        ended = call(f"{command} --accept-edits" if case.accepts_edits else command, self.folder)
        files = (*study.rglob("*"), *self.other.rglob("*"))
        made = {str(file): file.read_bytes() for file in files if file.is_file()}
        return ended, without(made, case.file)


def without(files, name):
    """Return files without those that are damaged, and without manifests, which name versions."""
    left_out = tuple(f"/{each}" for each in ("manifest.json", name) if each)
    return {path: text for path, text in files.items() if not path.endswith(left_out)}


def damaged(content, name, rng):
    """Return a damaged file; three of five are damaged so that they still parse."""
    if rng.random() < 0.4 or name.endswith(".csv"):
        return damaged_bytes(content, rng)
    return (damaged_toml if name.endswith(".toml") else damaged_json_lines)(content, rng)


def parses(content, name):
    """Return whether a file is still TOML, JSON or a table."""
    try:
        text = content.decode()
        if name.endswith(".toml"):
            tomllib.loads(text)
        elif name.endswith(".csv"):
            list(csv.reader(text.splitlines(), strict=True))
        else:
            for part in [text] if name == "manifest.json" else text.splitlines():
                json.loads(part)
    except (ValueError, csv.Error, RecursionError):
        return False
    return True


def wrong(case, ended, *, is_equal):
    """Yield what is wrong with how a call ended."""
    name = case.file.rpartition("/")[2]
    names_it = ended.says(name)
    if "Traceback" in ended.err or ended.code not in (0, 1, 2, 3, 4):
        yield f"ended with {ended.code}"
    if ended.resident_bytes > MOST_BYTES:
        yield f"took {ended.resident_bytes / 1e6:.0f} MB"
    if not (ended.err + ended.out).strip():
        yield "said nothing"
    if is_equal:
        return
    is_setting = name == "study.toml" and case.form.split()[1] in SETTINGS
    is_refused = ended.code not in (0, 3)
    if is_refused and case.is_sealed and not is_setting and not names_it:
        yield f"ended with {ended.code}, and named not {name}"
    has_seals = "{study}" in case.form and case.kind not in ("release", "bfcl")
    told = ("not sealed", "requests are open")  # an answer that is not there is asked for again
    is_told = names_it or (not case.is_sealed and any(map(ended.says, told)))
    if not ended.code and has_seals and not is_setting and not is_told:
        yield f"ended with 0, other than of the whole {name}, without a word"


def fuzz(bench, seeds):
    """Try all seeds; fail with what went wrong."""
    chosen = os.environ.get("FAULTPAIR_FUZZ")
    seeds = seeds if chosen is None else [int(chosen)]
    problems = [problem for seed in seeds for problem in bench.tried(seed)]
    counts = f"{len(seeds)} files, {bench.n_parsed} parse, {bench.n_refused} calls refused\n"
    sys.stdout.write(counts)
    assert not problems, f"{len(problems)} problems:\n" + "\n".join(problems[:40])
    assert chosen or bench.n_parsed >= len(seeds) / 2


@pytest.mark.slow
def test_damaged_files_end_in_a_sentence(bench):
    fuzz(bench, range(N_FEW))


@pytest.mark.extra
@pytest.mark.parametrize("shard", range(SHARDS))
def test_many_damaged_files_end_in_a_sentence(bench, shard):
    fuzz(bench, range(shard, N_MANY, SHARDS))
