"""The large set of plans, of which only the manifest is kept."""

import json
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from faultpair.env.workflow.plan.topologies import COUNTS
from faultpair.sets.build import build
from faultpair.studies.folder import open_study

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def large():
    return open_study(ROOT / "results" / "workflow")


def test_the_large_set_has_each_topology_as_often_as_the_paper(large):
    assert large.study.wanted == {str(name): n for name, n in COUNTS.items()}
    assert sum(large.study.wanted.values()) == 3808


@pytest.mark.slow
def test_a_fresh_build_of_the_large_set_has_the_hashes_that_are_kept(large, tmp_path):
    folder = open_study(large.file, tmp_path)
    build(folder)
    made, kept = (json.loads(each.manifest.read_bytes()) for each in (folder, large))
    for own in ("generated", "digest"):  # which files a rebuild made is no part of a set
        made.pop(own), kept.pop(own, None)
    assert made == kept
    kept = json.loads(large.manifest.read_text(encoding="utf-8"))
    assert (kept["n_instances"], kept["n_trajectories"]) == (3808, 3808)
    for file in (folder.instances, folder.trajectories):
        assert kept["sha256"][file.name] == sha256(file.read_bytes()).hexdigest()
    lines = folder.instances.read_bytes().splitlines()
    topologies = Counter(json.loads(line)["difficulty"] for line in lines)
    assert topologies == large.study.wanted
