"""`faultpair rebuild`: what `python -m analysis.rebuild` does, outside a checkout."""

import shutil

import pytest

BLOCK = "<!-- faultpair:summary study=mine --><!-- /faultpair -->\n"


@pytest.fixture
def results(faultpair, small, tmp_path):
    """A folder of studies beside a page of the user; it holds one that is judged."""
    folder = tmp_path / "results" / "mine"
    folder.mkdir(parents=True)
    shutil.copy(small.folder.file, folder)
    (tmp_path / "README.md").write_text(BLOCK, encoding="utf-8")
    assert faultpair("run", folder).code == 0
    return folder.parent


@pytest.fixture
def rebuild(faultpair, results):
    """Return a function that rebuilds without figures."""
    return lambda *more: faultpair("rebuild", "--results", results, "--no-figures", *more)


def test_it_writes_tables_and_fills_blocks_and_then_finds_no_drift(rebuild, results):
    done = rebuild()
    assert (done.code, done.out[:6]) == (0, "Wrote ")
    assert (results / "mine" / "numbers.json").is_file()
    assert not (results / "mine" / "figures").exists()
    assert "| rules |" in (results.parent / "README.md").read_text(encoding="utf-8")
    assert rebuild("--check").code == 0


def test_a_check_that_finds_a_difference_is_1_and_writes_nothing(rebuild, results):
    rebuild()
    table = results / "mine" / "tables" / "summary.md"
    table.write_bytes(table.read_bytes() + b"more\n")
    done = rebuild("--check")
    assert done.code == 1
    assert "-more" in done.out
    assert table.read_bytes().endswith(b"more\n")


def test_the_results_of_the_folder_one_is_in_are_the_default(faultpair, results, monkeypatch):
    monkeypatch.chdir(results.parent)
    assert faultpair("rebuild", "--no-figures", "--study", "mine").code == 0
    assert faultpair("rebuild", "--no-figures", "--check").code == 0


def test_a_study_or_a_folder_that_is_not_there_is_refused(faultpair, rebuild, tmp_path):
    done = rebuild("--study", "yours")
    assert done.code == 2
    assert "No study is named 'yours'" in done.err
    assert "Known studies: mine." in done.err
    done = faultpair("rebuild", "--check", "--results", tmp_path / "nowhere")
    assert done.code == 2
    assert f"There is no folder {tmp_path / 'nowhere'}. Name yours with --results." in done.err


def test_a_study_without_verdicts_is_refused(rebuild, results):
    (results / "mine" / "verdicts.jsonl").unlink()
    done = rebuild()
    assert done.code == 2
    assert "Study 'mine' has no verdicts.jsonl" in done.err


def test_a_set_without_judges_is_left_out_of_a_rebuild(faultpair, study_file, tmp_path):
    folder = tmp_path / "results" / "plans"
    folder.mkdir(parents=True)
    study_file('title = "t"\ndomain = "workflow"\nseed = 7\nclean = 3\n').rename(
        folder / "study.toml"
    )
    assert faultpair("build", folder).code == 0
    for more in ((), ("--check",)):
        done = faultpair("rebuild", "--results", folder.parent, "--no-figures", *more)
        assert done.code == 0
        assert "Study 'plans' is a set without judges and is left out." in done.out
    assert not (folder / "tables").exists()


def test_records_in_a_folder_inside_their_study_are_rebuilt_by_name(faultpair, tmp_path):
    text = 'title = "t"\ndomain = "toy"\nseed = 1\nclean = 3\njudges = ["rules"]\n'
    text += '[[faults]]\nname = "coat_kept"\ncount = 2\n'
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    assert faultpair("run", tmp_path, "--out", tmp_path / "inner").code == 0
    assert faultpair("rebuild", "--results", tmp_path, "--study", "inner").code == 0
    refused = faultpair("rebuild", "--results", tmp_path)
    named = f"--results {tmp_path.parent} --study {tmp_path.name}"
    assert (refused.code, named in refused.err.replace("\n", " ")) == (2, True)
