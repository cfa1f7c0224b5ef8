"""Building a set: what is in it, what it depends on, and what a failure leaves."""

import os
import signal
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from faultpair.env.errors import InfrastructureError
from faultpair.sets.build import build
from faultpair.studies.folder import open_study

ROOT = Path(__file__).resolve().parents[3]
FILES = ("trajectories.jsonl", "instances.jsonl", "manifest.json")


def counts_by_plant(runs):
    return Counter(
        (run["label"]["failure_type"] or run["label"]["control"], run["label"]["reply_policy"])
        for run in runs
        if run["label"]["parent_id"]
    )


def test_every_planted_run_has_its_clean_parent_in_the_set(small, paper, balanced):
    for made in (small, paper, balanced):
        runs = {run["trajectory_id"]: run for run in made.runs}
        assert len(runs) == len(made.runs)
        for run in made.runs:
            parent_id = run["label"]["parent_id"]
            if parent_id is not None:
                parent = runs[parent_id]
                assert parent["instance_id"] == run["instance_id"]
                assert parent["label"]["parent_id"] is None
                assert not parent["label"]["faulty"]


def test_counts_are_those_of_the_study(small, paper, balanced):
    for made in (small, paper, balanced):
        wanted = Counter()
        for plant in made.folder.study.plants:
            wanted[plant.name, plant.policy.value] += plant.count
        assert counts_by_plant(made.runs) == wanted


def test_the_wanted_clean_runs_come_first_and_only_parents_join_them(small):
    ids = [instance["instance_id"] for instance in small.instances]
    assert ids[:12] == [f"INS-{index:05d}" for index in range(12)]
    hosts = {run["instance_id"] for run in small.runs if run["label"]["parent_id"]}
    assert set(ids[12:]) <= hosts
    assert Counter(run["label"]["parent_id"] is None for run in small.runs)[True] == len(ids)


def test_a_control_is_not_faulty_and_is_named_in_its_label(small):
    controls = [run["label"] for run in small.runs if run["label"]["control"]]
    assert len(controls) == 4
    for label in controls:
        assert (label["faulty"], label["failure_step"], label["failure_type"]) == (
            False, None, None,
        )  # fmt: skip
        assert label["outcome_correct"]


def test_hosts_are_spread_so_that_no_parent_carries_a_type_twice(paper):
    hosts = Counter((run["instance_id"], run["label"]["failure_type"]) for run in paper.runs)
    assert max(hosts.values()) == 1


def test_the_manifest_holds_the_hashes_and_counts_of_the_files(small, paper):
    for made in (small, paper):
        folder, manifest = made.folder, made.manifest
        for path in (folder.file, folder.trajectories, folder.instances):
            assert manifest["sha256"][path.name] == sha256(path.read_bytes()).hexdigest()
        assert manifest["n_trajectories"] == len(made.runs) == sum(manifest["strata"].values())
        assert manifest["n_instances"] == len(made.instances)
        assert manifest["seed"] == folder.study.seed
        assert manifest["faultpair"]


def test_in_every_prefix_each_stratum_is_within_one_of_its_share(paper):
    stratum_of = {}
    for run in paper.runs:
        label = run["label"]
        outcome = "silent" if label["outcome_correct"] else "loud"
        stratum_of[run["trajectory_id"]] = (
            f"{label['failure_type']}:{label['reply_policy']}:{outcome}"
            if label["faulty"]
            else "clean"
        )
    strata, total = paper.manifest["strata"], len(paper.runs)
    assert Counter(stratum_of.values()) == strata
    seen = Counter()
    for place, run in enumerate(paper.runs, start=1):
        seen[stratum_of[run["trajectory_id"]]] += 1
        for name, size in strata.items():
            assert abs(seen[name] - place * size / total) < 1


def test_a_longer_study_starts_with_the_same_instances_and_clean_runs(small, study_file, tmp_path):
    text = small.folder.file.read_text().replace("clean = 12", "clean = 60")
    longer = tmp_path / "longer"
    build(open_study(study_file(text), longer))
    lines = (longer / "instances.jsonl").read_bytes().splitlines()
    assert lines[:12] == small.folder.instances.read_bytes().splitlines()[:12]
    assert set(lines) >= set(small.folder.instances.read_bytes().splitlines())
    clean = [
        line
        for line in small.folder.trajectories.read_bytes().splitlines()
        if b"-clean" in line[:60]
    ]
    assert set(clean) <= set((longer / "trajectories.jsonl").read_bytes().splitlines())


def test_building_twice_gives_the_same_bytes(small, tmp_path):
    build(open_study(small.folder.file, tmp_path))
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (small.folder.out / name).read_bytes()


def test_progress_counts_the_runs_that_are_made(small, tmp_path):
    told = []
    report = build(open_study(small.folder.file, tmp_path), told.append)
    assert sum(told) == report.n_trajectories == len(small.runs)


# What a build that fails leaves behind.


@pytest.fixture
def old_set(tmp_path):
    """A folder with files of an earlier build."""
    for name in FILES:
        (tmp_path / name).write_text("old\n")
    return tmp_path


def assert_untouched(folder):
    assert {name: (folder / name).read_text() for name in FILES} == dict.fromkeys(FILES, "old\n")


def test_a_build_that_breaks_off_leaves_the_old_files_and_no_others(small, old_set):
    def break_off(_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        build(open_study(small.folder.file, old_set), break_off)
    assert_untouched(old_set)
    assert len(list(old_set.iterdir())) == len(FILES)


def in_another_process(program, *arguments):
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=ROOT, env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "FORCE_COLOR": ""},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


KILLED = """
import os, signal, sys
from pathlib import Path
from faultpair import build, open_study
def kill(_): os.kill(os.getpid(), signal.SIGKILL)
build(open_study(Path(sys.argv[1]), Path(sys.argv[2])), kill)
"""


def test_a_build_that_is_killed_leaves_the_old_files_and_the_next_one_cleans_up(small, old_set):
    done = in_another_process(KILLED, small.folder.file, old_set)
    assert done.returncode == -signal.SIGKILL
    assert_untouched(old_set)
    build(open_study(small.folder.file, old_set))
    assert sorted(path.name for path in old_set.iterdir()) == sorted(FILES)
    assert (old_set / FILES[0]).read_bytes() == small.folder.trajectories.read_bytes()


FULL_DISK = """
import resource, sys
from faultpair.cli.app import main
resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
main(["build", sys.argv[1], "--out", sys.argv[2]])
"""


def test_a_full_disk_is_an_infrastructure_error_that_leaves_the_old_files(small, old_set):
    done = in_another_process(FULL_DISK, small.folder.file, old_set)
    assert done.returncode == 4
    assert done.stderr.startswith(f"faultpair: Cannot write in {old_set}: ")
    assert "Traceback" not in done.stderr
    assert_untouched(old_set)
    assert len(list(old_set.iterdir())) == len(FILES)


def test_an_out_folder_that_is_a_file_is_named(small, tmp_path):
    (tmp_path / "file").write_text("keep me")
    for out in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(InfrastructureError, match=f"Cannot write in {out}: "):
            build(open_study(small.folder.file, out))
    assert (tmp_path / "file").read_text() == "keep me"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write in any folder")
def test_an_out_folder_that_may_not_be_written_is_named(small, tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o555)
    with pytest.raises(InfrastructureError, match=f"Cannot write in {locked}: Permission denied"):
        build(open_study(small.folder.file, locked))


def test_a_folder_of_another_study_is_refused_and_left_as_it_was(faultpair, tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    for folder, seed in ((one, 1), (other, 2)):
        folder.mkdir()
        text = f'title = "{folder.name}"\ndomain = "toy"\nseed = {seed}\nclean = 2\n'
        (folder / "study.toml").write_text(text + 'judges = ["rules"]\n', encoding="utf-8")
        assert faultpair("run", folder).code == 0
    before = {file.name: file.read_bytes() for file in one.iterdir() if file.is_file()}
    for command in ("build", "run", "report"):
        done = faultpair(command, other, "--out", one)
        assert (done.code, "holds the records of another study, 'one'" in done.err) == (2, True)
    assert before == {file.name: file.read_bytes() for file in one.iterdir() if file.is_file()}


@pytest.mark.parametrize("command", ["build", "run"])
@pytest.mark.parametrize("name", ["trajectories.jsonl", "instances.jsonl", "verdicts.jsonl"])
def test_records_without_a_manifest_are_not_written_over(faultpair, tmp_path, command, name):
    design, out = tmp_path / "design", tmp_path / "mine"
    for folder in (design, out):
        folder.mkdir()
    text = 'title = "t"\ndomain = "toy"\nseed = 1\nclean = 2\njudges = ["rules"]\n'
    (design / "study.toml").write_text(text, encoding="utf-8")
    (out / name).write_text("mine\n", encoding="utf-8")
    done = faultpair(command, design, "--out", out)
    assert (done.code, str(out / name) in done.err) == (2, True)
    assert {file.name: file.read_text() for file in out.iterdir()} == {name: "mine\n"}


@pytest.mark.parametrize("command", ["build", "run"])
def test_a_set_is_not_made_beside_the_file_of_another_study(faultpair, tmp_path, command):
    text = 'title = "{}"\ndomain = "toy"\nseed = 1\nclean = 2\njudges = ["rules"]\n'
    (tmp_path / "study.toml").write_text(text.format("one"), encoding="utf-8")
    (tmp_path / "other.toml").write_text(text.format("other"), encoding="utf-8")
    assert faultpair("run", tmp_path).code == 0
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    done = faultpair(command, tmp_path / "other.toml")
    assert (done.code, "is another study, 'one'" in done.err) == (2, True)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_a_study_may_be_edited_in_its_own_folder(faultpair, tmp_path):
    for seed in (1, 2):
        text = f'title = "t{seed}"\ndomain = "toy"\nseed = {seed}\nclean = 2\njudges = ["rules"]\n'
        (tmp_path / "study.toml").write_text(text, encoding="utf-8")
        assert faultpair("run", tmp_path).code == 0
