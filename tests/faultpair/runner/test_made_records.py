"""A set that is kept by its hashes alone: tables are made of it, and another set is refused."""

import shutil

import pytest

from faultpair.analysis.rebuild import main
from faultpair.env.errors import StudyError
from faultpair.runner.made_records import are_kept_by_hash, kept_or_made
from faultpair.runner.run import run_study
from faultpair.studies.folder import open_study

STUDY = """\
title = "Kept by its hashes"
domain = "toy"
seed = 3
world = 2
clean = 6
judges = ["rules", "flag-none"]

[[faults]]
name = "coat_kept"
count = 3
"""
RECORDS = ("instances.jsonl", "trajectories.jsonl", "verdicts.jsonl")
QUICK = ("--no-figures", "--resamples", "200")


def forget(folder):
    for name in (*RECORDS, "replies.jsonl"):
        (folder / name).unlink(missing_ok=True)


@pytest.fixture
def whole(tmp_path):
    """A study that has been run, and its tables."""
    folder = tmp_path / "results" / "tiny"
    folder.mkdir(parents=True)
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    run_study(open_study(folder))
    assert main(["--results", str(folder.parent), *QUICK]) == 0
    return folder


@pytest.fixture
def hashed(whole):
    forget(whole)
    return whole


def test_the_records_are_made_again_elsewhere_with_their_bytes(whole, tmp_path):
    copy = shutil.copytree(whole, tmp_path / "copy")
    forget(whole)
    before = sorted(whole.rglob("*"))
    with kept_or_made(whole) as made:
        assert made.name == whole.name
        for name in RECORDS:
            assert (made / name).read_bytes() == (copy / name).read_bytes()
    assert not made.exists()
    assert sorted(whole.rglob("*")) == before


def test_tables_are_those_of_the_kept_records(hashed, capsys):
    assert main(["--results", str(hashed.parent), "--check", *QUICK]) == 0
    assert "as committed" in capsys.readouterr().out
    (hashed / "numbers.json").write_text("{}", encoding="utf-8")
    assert main(["--results", str(hashed.parent), "--check", *QUICK]) == 1


def test_another_set_than_that_of_the_hashes_is_refused(hashed):
    file = hashed / "study.toml"
    file.write_text(STUDY.replace("seed = 3", "seed = 4"), encoding="utf-8")
    unlike = r"study.toml, instances.jsonl, trajectories.jsonl, verdicts.jsonl differ"
    with pytest.raises(StudyError, match=unlike), kept_or_made(hashed):
        pass


@pytest.mark.parametrize("name", RECORDS)
def test_a_study_with_a_record_of_its_own_is_read_as_it_is(whole, name):
    kept = (whole / name).read_bytes()
    forget(whole)
    (whole / name).write_bytes(kept)
    assert not are_kept_by_hash(whole)
    with kept_or_made(whole) as records:
        assert records == whole


@pytest.mark.parametrize(
    "text",
    [
        STUDY + '\n[[model_judges]]\nid = "s"\nengine = "scripted:clean"\n',
        STUDY.replace('judges = ["rules", "flag-none"]\n', ""),
    ],
    ids=["a judge needs a model", "there are no judges"],
)
def test_a_study_that_makes_no_verdicts_of_its_own_is_not_made(hashed, text):
    (hashed / "study.toml").write_text(text, encoding="utf-8")
    assert not are_kept_by_hash(hashed)


def test_a_study_that_was_never_built_is_not_made(hashed):
    (hashed / "manifest.json").unlink()
    assert not are_kept_by_hash(hashed)
