"""Studies and a fault plug-in of version 0.1 are read, resumed and finished to the same bytes.

The folders in ``version_0_1`` were written by that version. The answers in them are those of
scripted engines; the plans are those of a script that the command line cannot open.
"""

import json
import shutil
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from faultpair import check_fault
from faultpair.analysis.data.study_data import load_study
from faultpair.studies.folder import open_study
from faultpair.studies.manifest import read_manifest
from faultpair.studies.runs import read_runs

KEPT = Path(__file__).parent / "version_0_1"
STUDIES = ("judged", "played", "planned")
LOGS = ("study.toml", "manifest.json", "replies.jsonl", "turns.jsonl")


def contents_of(folder):
    """Return the bytes of each file, of the manifest without what this version seals besides."""
    files = {file.name: file.read_bytes() for file in folder.iterdir()}
    manifest = json.loads(files["manifest.json"])
    manifest["sha256"].pop("verdicts.jsonl", None)
    for key in ("sealed_logs", "digest"):
        manifest.pop(key, None)
    return files | {"manifest.json": manifest}


@pytest.fixture
def copied(tmp_path):
    """Return a function that copies what cannot be made again of a study, and says where to."""

    def copy(name):
        folder = tmp_path / name
        folder.mkdir()
        for file in LOGS:
            if (KEPT / name / file).exists():
                shutil.copy(KEPT / name / file, folder / file)
        return folder

    return copy


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_is_read_with_its_set_and_its_verdicts(name):
    folder = open_study(KEPT / name)
    runs = list(read_runs(folder.trajectories, folder.instances))
    manifest, study = read_manifest(folder.manifest), load_study(KEPT / name)
    assert manifest.n_trajectories == len(runs) == len(study.runs.ids)
    assert set(manifest.judges) <= set(study.judges)
    assert (manifest.agent is not None, bool(manifest.planners)) == (
        name == "played",
        name == "planned",
    )


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_is_made_again_from_its_logs_without_a_call(faultpair, copied, name):
    folder = copied(name)
    assert faultpair("run", folder, "--limit", "0").code == 0
    assert contents_of(folder) == contents_of(KEPT / name)


@pytest.mark.parametrize(
    ("name", "log"),
    [
        ("judged", "replies.jsonl"),
        ("played", "replies.jsonl"),
        ("played", "turns.jsonl"),
        ("planned", "replies.jsonl"),
    ],
)
def test_a_study_that_stopped_half_way_is_resumed(faultpair, copied, name, log):
    folder = copied(name)
    lines = (folder / log).read_bytes().splitlines(keepends=True)
    (folder / log).write_bytes(b"".join(lines[: len(lines) // 2]))
    if log == "turns.jsonl":  # until all turns are taken, there is no set with digests
        manifest = json.loads((folder / "manifest.json").read_bytes())
        del manifest["sha256"]
        (folder / "manifest.json").write_text(json.dumps(manifest))
    assert faultpair("run", folder).code == 0
    assert contents_of(folder) == contents_of(KEPT / name)


def test_a_fault_plug_in_that_imports_only_faultpair_is_accepted():
    spec = spec_from_file_location("reason_withheld", KEPT / "reason_withheld.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    report = check_fault(module.ReasonWithheld(), 60)
    assert report.ok
    assert report.n_hosts > 0
