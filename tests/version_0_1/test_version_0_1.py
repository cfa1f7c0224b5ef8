"""What version 0.1 wrote is read as it is: a study with its records, verdicts, a fault plug-in.

`study/` was built and half judged by version 0.1.0; `reason_withheld.py` is the example of a
fault plug-in that it was shipped with. Neither is ever changed.
"""

import shutil
from importlib import import_module
from pathlib import Path

import pytest

from faultpair import Study, check_fault, open_study
from faultpair.env.jsonl import read_records
from faultpair.env.records import Verdict

HERE = Path(__file__).parent
OF_THE_SET = ("instances.jsonl", "trajectories.jsonl")


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return Path(shutil.copytree(HERE / "study", tmp_path / "study"))


def test_a_study_file_is_read_under_its_old_class_name():
    assert isinstance(open_study(HERE / "study").study, Study)


def test_verdicts_are_read_and_reported(faultpair):
    verdicts = list(read_records(HERE / "study" / "verdicts.jsonl", Verdict))
    assert {verdict.judge_id for verdict in verdicts} == {"rules", "strict", "steps", "steps-vote"}
    done = faultpair("report", HERE / "study")
    assert done.code == 0
    assert "steps or rules" in done.out


def test_a_set_is_built_to_the_same_bytes(faultpair, study):
    for name in OF_THE_SET:
        (study / name).unlink()
    assert faultpair("build", study).code == 0
    for name in OF_THE_SET:
        assert (study / name).read_bytes() == (HERE / "study" / name).read_bytes()


def test_a_run_resumes_with_the_requests_that_are_left(faultpair, study):
    before = (study / "replies.jsonl").read_bytes()
    assert faultpair("run", study).code == 0
    after = (study / "replies.jsonl").read_bytes()
    assert after.startswith(before)
    assert after.count(b"\n") == before.count(b"\n") + 2
    assert set((HERE / "study" / "verdicts.jsonl").read_bytes().splitlines()) < set(
        (study / "verdicts.jsonl").read_bytes().splitlines()
    )


def test_a_run_without_a_call_leaves_every_file_as_it_is(faultpair, study):
    assert faultpair("run", study, "--limit", "0").code == 0
    for file in (HERE / "study").iterdir():
        assert (study / file.name).read_bytes() == file.read_bytes()


def test_a_fault_plugin_keeps_the_contract(monkeypatch):
    monkeypatch.syspath_prepend(HERE)
    report = check_fault(import_module("reason_withheld").ReasonWithheld(), 100)
    assert report.ok
    assert report.n_hosts > 0
