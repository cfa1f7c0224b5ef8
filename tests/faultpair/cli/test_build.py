"""`faultpair build`: the set, and the sentence about it."""

import json

import msgspec
import pytest

from faultpair.env.catalog import DOMAINS

from ...conftest import SMALL


def test_a_build_says_what_it_made(faultpair, small, tmp_path):
    done = faultpair("build", small.folder.file, "--out", tmp_path)
    assert done.code == 0
    assert (
        done.out.split()
        == (
            f"{len(small.runs)} trajectories of {len(small.instances)} instances "
            f"in {tmp_path / 'trajectories.jsonl'}"
        ).split()
    )
    assert done.err == ""


@pytest.mark.parametrize(
    ("world", "is_said"), [("", True), ("world = 1\n", False), ("world = 2\n", False)]
)
@pytest.mark.parametrize("verb", ["build", "run"])
def test_a_study_that_names_no_world_is_told_which_one_it_has(
    faultpair, study_file, verb, world, is_said
):
    done = faultpair(verb, study_file(SMALL.replace("seed = 3\nworld = 1\n", f"seed = 3\n{world}")))
    assert done.code == 0
    assert ("Write world = 2 in a new study." in done.err) == is_said
    assert (done.err.count("\n") == 1) == is_said


def test_a_domain_of_one_world_is_not_told_of_another(faultpair, study_file, monkeypatch):
    monkeypatch.setattr(DOMAINS["support_desk"], "worlds", (1,))
    assert faultpair("build", study_file(SMALL.replace("world = 1\n", ""))).err == ""


def test_the_world_of_a_set_is_in_its_manifest_and_its_instances_from_world_2_on(
    faultpair, study_file
):
    for world, marks in ((1, 0), (2, 1)):
        file = study_file(SMALL.replace("world = 1", f"world = {world}"))
        assert faultpair("build", file).code == 0
        lines = (file.parent / "instances.jsonl").read_text("utf-8").splitlines()
        assert [line.count('"world":2') for line in lines] == [marks] * len(lines)
        manifest = json.loads((file.parent / "manifest.json").read_text("utf-8"))
        assert manifest.get("world", 1) == world
        assert ("world" in manifest) == (world == 2)


@pytest.mark.parametrize(
    "text",
    [
        'title = "m"\ndomain = "toy"\nseed = 5\nworld = 2\njudges = ["flag-all"]\n'
        '[agent]\nengine = "scripted:garbage"\nepisodes = 4\n',
        'title = "m"\ndomain = "workflow"\nseed = 5\nworld = 2\nclean = 3\njudges = ["flag-all"]\n'
        '[[planners]]\nid = "p"\nengine = "scripted:garbage"\n',
    ],
    ids=["agent", "planner"],
)
def test_models_that_act_or_plan_do_so_in_the_world_of_the_study(faultpair, study_file, text):
    file = study_file(text)
    faultpair("run", file)
    lines = (file.parent / "instances.jsonl").read_bytes().splitlines()
    domain = DOMAINS[json.loads(lines[0])["domain"]]
    made = [domain.generate_in(2, 5, index) for index in range(len(lines))]
    assert lines == [msgspec.json.encode(instance) for instance in made]
