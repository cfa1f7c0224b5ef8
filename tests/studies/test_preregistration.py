"""The seal: what is fixed before the first answer, and what is refused afterwards."""

import pytest

from faultpair.engines.engine import Identity
from faultpair.env.errors import EngineError, SealError, StudyError
from faultpair.studies.manifest import read_manifest, write_manifest

from ..fake_engine import FakeEngine

CONTRAST = """
[[contrasts]]
name = "steps help"
judge = "s"
against = "r"
reading = "2 to 80 % leaves it open"
"""
REPLY = 'view = "goal-and-reply"\ntask = "judge-reply"\n'
BOTH = {"s": "", "r": REPLY}
YES = '{"reasoning":"","faulty":true,"failure_step":0,"failure_type":null,"confidence":0.9}'


def named(**identity):
    """Return an engine with the given model, version and build."""
    return FakeEngine(YES, identity=Identity("named", **identity))


def test_a_judge_is_sealed_with_all_that_makes_it_what_it_is(lab):
    lab.study({"s": ""}).run(named(engine_version="1.0", model="m", model_digest="d", build="b"))
    assert lab.manifest["judges"] == {
        "s": {
            "prompt_hash": lab.replies[0]["prompt_hash"],
            "view": "full-steps", "task": "check-steps", "form": "verdict-with-step",
            "engine": "scripted:clean", "temperature": 0.0, "seed": 7, "samples": 1,
            "max_tokens": 400, "graded": True,
            "engine_version": "1.0", "model": "m", "model_digest": "d",
            "joined_late": False, "builds": ["b"],
        }
    }  # fmt: skip


def test_every_judge_of_the_study_is_sealed_before_any_is_asked(lab):
    sealed = []

    def script(request):
        sealed.append(set(lab.manifest["judges"]))
        return YES

    lab.study(BOTH).run(FakeEngine(script), only=("s",), verdicts=2)
    assert sealed == [{"s", "r"}] * 2
    assert not any(judge["joined_late"] for judge in lab.manifest["judges"].values())


def test_a_judge_that_joins_when_others_have_answered_is_recorded_as_late(lab):
    lab.study({"s": ""}).run()
    lab.study(BOTH).run()
    assert {name: one["joined_late"] for name, one in lab.manifest["judges"].items()} == {
        "s": False,
        "r": True,
    }


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ("temperature = 0.5\n", r"with temperature 0\.0, and now it is 0\.5"),
        ("seed = 8\n", "with seed 7, and now it is 8"),
        ("max_tokens = 500\n", "with max_tokens 400, and now it is 500"),
        ("samples = 2\n", "with samples 1, and now it is 2"),
        ("graded = false\n", "with graded True, and now it is False"),
        ('form = "word"\n', "with prompt_hash '.*', and now it is "),
        ('view = "calls-only"\n', "with prompt_hash '.*', and now it is "),
        ('task = "name-fault"\n', "with prompt_hash '.*', and now it is "),
        ('engine = "scripted:faulty"\n', "with engine 'scripted:clean', and now it is "),
    ],
)
def test_a_changed_setting_of_a_judge_that_has_answered_is_refused_by_name(lab, changed, said):
    lab.study({"s": ""}).run(verdicts=1)
    with pytest.raises(StudyError, match=f"The judge 's' was sealed in .* {said}"):
        lab.study({"s": changed}).run()


def test_a_changed_prompt_is_refused(lab, monkeypatch):
    lab.study({"s": ""}).run(verdicts=1)
    monkeypatch.setattr("faultpair.judges.model_judge.task_text", lambda task: "Do as you please.")
    with pytest.raises(StudyError, match="with prompt_hash"):
        lab.run()


@pytest.mark.parametrize("key", ["engine_version", "model", "model_digest"])
def test_another_model_is_refused_and_the_difference_named(lab, key):
    who = {"engine_version": "1.0", "model": "m", "model_digest": "d"}
    lab.study({"s": ""}).run(named(**who), verdicts=1)
    with pytest.raises(StudyError, match=f"with {key} '.*', and now it is 'other'"):
        lab.run(named(**who | {key: "other"}))
    assert len(lab.replies) == 1


def test_another_build_of_the_same_engine_is_added(lab):
    for build in ("one", "two", "one"):
        lab.study({"s": ""}).run(named(build=build), verdicts=1)
    assert lab.manifest["judges"]["s"]["builds"] == ["one", "two"]


def test_a_judge_that_never_asked_may_still_change(lab):
    with pytest.raises(EngineError):
        lab.study({"s": ""}).run(FakeEngine(identity=EngineError("no such model")))
    lab.study({"s": "seed = 8\n"}).run()
    assert lab.manifest["judges"]["s"]["seed"] == 8
    assert len(lab.replies) == 9


def test_a_setting_that_an_older_seal_does_not_know_is_added(lab):
    lab.study({"s": ""}).run(verdicts=1)
    manifest = read_manifest(lab.folder.manifest)
    entry = manifest.entry("judges", "s")
    del entry["graded"]
    write_manifest(lab.folder.manifest, manifest.with_entry("judges", "s", entry=entry))
    lab.run()
    assert lab.manifest["judges"]["s"]["graded"] is True


def test_a_contrast_is_sealed_with_its_reading_before_the_data(lab):
    lab.study(BOTH, CONTRAST).run()
    assert lab.manifest["contrasts"] == {
        "steps help": {
            "judge": "s", "against": "r", "metric": "delta", "group": "all",
            "reading": "2 to 80 % leaves it open", "post_hoc": False,
        }
    }  # fmt: skip


def test_a_contrast_on_data_that_are_known_is_post_hoc(lab):
    lab.study(BOTH).run(only=("r",), verdicts=1)
    lab.study(BOTH, CONTRAST).run()
    assert lab.manifest["contrasts"]["steps help"]["post_hoc"] is True


def test_a_contrast_between_judges_without_answers_is_not_post_hoc(lab):
    lab.study({"x": ""}).run()
    lab.study({"x": "", **BOTH}, CONTRAST).run()
    assert lab.manifest["contrasts"]["steps help"]["post_hoc"] is False


VOTE = '\n[[votes]]\nid = "v"\nof = "s"\nk = 1\n'
ON_VOTE = CONTRAST.replace('judge = "s"', 'judge = "v"')
ON_RULES = CONTRAST.replace('judge = "s"', 'judge = "rules"')


@pytest.mark.parametrize(
    ("before", "after", "is_late"),
    [
        (VOTE, VOTE + ON_VOTE, True),
        ("", ON_RULES.replace('against = "r"', 'against = "strict"'), False),
    ],
)
def test_votes_and_rules_count_as_known_once_they_have_a_verdict(lab, before, after, is_late):
    judges = {"s": "", "r": REPLY}
    lab.study(judges, before).run(only=("s",))
    lab.study(judges, after).run(extra=("rules", "strict"))
    assert lab.manifest["contrasts"]["steps help"]["post_hoc"] is is_late


def test_a_contrast_with_an_unknown_judge_is_refused_before_the_seal_and_the_first_request(lab):
    lab.study({"s": ""}, CONTRAST)
    with pytest.raises(StudyError, match="names the judge 'r', which the study does not have"):
        lab.run()
    assert not lab.replies
    assert not lab.folder.manifest.exists()


def test_answers_without_a_seal_are_refused(lab):
    lab.study({"s": ""}).run(verdicts=2)
    lab.folder.manifest.unlink()
    with pytest.raises(StudyError, match="has no seal of the judge 's'"):
        lab.run()
    assert len(lab.replies) == 2


def test_a_judge_that_was_edited_after_its_last_answer_is_refused(lab, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "edited_judge.py"
    file.write_text("def judge(document):\n    return {'faulty': False}\n", encoding="utf-8")
    lab.study({"own": 'engine = "python:edited_judge:judge"\n'}).run()
    lab.run()
    file.write_text("def judge(document):\n    return {'faulty': True}\n", encoding="utf-8")
    with pytest.raises(StudyError, match="'own' was sealed"):
        lab.run()


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ("2 to 80 %", "3 to 80 %", "with reading '2 to 80 % leaves it open'"),
        ('judge = "s"', 'judge = "r"', "with judge 's'"),
        ("reading", 'metric = "false-alarms"\nreading', "with metric 'delta'"),
    ],
)
def test_a_changed_contrast_is_refused(lab, was, now, said):
    lab.study(BOTH, CONTRAST).run()
    with pytest.raises(StudyError, match=f"The contrast 'steps help' was sealed in .* {said}"):
        lab.study(BOTH, CONTRAST.replace(was, now)).run()


def test_the_seal_outlives_a_build_of_the_same_set_and_not_of_another(lab):
    from faultpair.sets.build import build

    lab.study(BOTH, CONTRAST).run()
    sealed = lab.manifest
    build(lab.folder)
    assert lab.manifest == sealed
    lab.folder.replies.unlink()
    file = lab.folder.file
    file.write_text(file.read_text().replace("seed = 7", "seed = 8", 1))
    lab.folder = type(lab.folder)(_study(file), file, lab.out)
    build(lab.folder)
    assert "judges" not in lab.manifest


def _study(file):
    from faultpair.studies.folder import open_study

    return open_study(file).study


@pytest.mark.parametrize("command", ["build", "run"])
def test_another_set_is_refused_as_long_as_answers_are_kept(lab, command):
    from faultpair.sets.build import build

    lab.study(BOTH).run(verdicts=1)
    before = {file.name: file.read_bytes() for file in lab.out.iterdir()}
    file = lab.folder.file
    file.write_text(file.read_text().replace("clean = 3", "clean = 12"))
    lab.folder = type(lab.folder)(_study(file), file, lab.out)
    with pytest.raises(StudyError, match=r"jsonl is not what the study .* makes now"):
        build(lab.folder) if command == "build" else lab.run()
    after = {file.name: file.read_bytes() for file in lab.out.iterdir()}
    assert after == before | {"study.toml": file.read_bytes()}


def test_a_set_that_was_lost_is_made_again_and_one_that_was_spoilt_is_refused(lab):
    lab.study(BOTH).run(verdicts=1)
    whole = lab.folder.trajectories.read_bytes()
    lab.folder.trajectories.unlink()
    lab.run(verdicts=1)
    assert lab.folder.trajectories.read_bytes() == whole
    lab.folder.trajectories.write_text("x")
    with pytest.raises(SealError, match=r"trajectories\.jsonl is neither what was sealed nor"):
        lab.run(verdicts=1)
    assert lab.folder.trajectories.read_text() == "x"
