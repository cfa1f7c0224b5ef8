"""Who is asked and under which condition, as a study file and its seals have it."""

import json

import pytest

from faultpair.analysis.plans.settings import PlanSettings
from faultpair.env.errors import RecordError

HEAD = 'title = "t"\ndomain = "workflow"\nseed = 1\nclean = 3\n'


def settings_of(folder, sections="", manifest=None):
    (folder / "study.toml").write_text(HEAD + sections, encoding="utf-8")
    (folder / "manifest.json").write_text(json.dumps(manifest or {}), encoding="utf-8")
    return PlanSettings.of(folder)


def judge(name, **settings):
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())
    return f'[[plan_judges]]\nid = "{name}"\nengine = "local:a"\n{lines}'


def test_a_condition_is_named_after_the_ground_truth(tmp_path):
    text = judge("n") + judge("w", ground_truth="shown") + judge("c", ground_truth="corrupted")
    assert settings_of(tmp_path, text).conditions() == {
        "n": "without-gt",
        "w": "with-gt",
        "c": "corrupted-gt",
    }


@pytest.mark.parametrize(
    ("settings", "condition"),
    [
        ({"form": "binary"}, "without-gt-binary"),
        ({"form": "single", "ground_truth": "shown"}, "with-gt-single"),
        ({"default": 0.5}, "without-gt-from-half"),
        ({"thinking": True}, "without-gt-thinking"),
        ({"thinking": False, "temperature": 0.7}, "without-gt-not-thinking-temperature-0.7"),
        ({"seed": 8}, "without-gt-seed-8"),
        ({"max_tokens": 900, "retries": 0}, "without-gt-max-tokens-900-retries-0"),
    ],
)
def test_what_differs_from_the_other_judges_of_an_engine_is_named(tmp_path, settings, condition):
    plans = settings_of(tmp_path, judge("usual") + judge("other", **settings))
    assert plans.conditions() == {"usual": "without-gt", "other": condition}


def test_a_name_omits_what_all_judges_of_an_engine_share_except_the_scale(tmp_path):
    text = judge("w", ground_truth="shown", thinking=False) + judge("n", thinking=False)
    assert set(settings_of(tmp_path, text).conditions().values()) == {"with-gt", "without-gt"}
    binary = settings_of(tmp_path, judge("b", form="binary"))
    assert binary.conditions() == {"b": "without-gt-binary"}


def test_the_usual_settings_are_those_of_each_engine(tmp_path):
    other = judge("o", temperature=1.0).replace("local:a", "openai:b")
    assert settings_of(tmp_path, judge("j") + other).conditions() == {
        "j": "without-gt",
        "o": "without-gt",
    }


def test_a_judge_is_its_own_planner_where_both_ask_the_same_engine(tmp_path):
    planners = '[[planners]]\nid = "p"\nengine = "local:a"\n'
    planners += '[[planners]]\nid = "q"\nengine = "local:c"\n'
    assert settings_of(tmp_path, judge("j") + planners).own_planners() == {"local:a": "p"}


def test_seals_describe_judges_that_the_study_file_does_not_name(tmp_path):
    seal = {"engine": "local:a", "view": "plan", "ground_truth": "shown", "swap_seed": 7}
    judges = {"j": seal, "other": {"engine": "local:a", "view": "full-steps"}}
    planners = {"p": {"engine": "local:a", "seed": 7}}
    plans = settings_of(tmp_path, judge("k"), {"judges": judges, "planners": planners})
    assert plans.conditions() == {"k": "without-gt", "j": "with-gt"}
    assert plans.own_planners() == {"local:a": "p"}
    assert settings_of(tmp_path, judge("j"), {"judges": judges}).conditions() == {"j": "without-gt"}


def test_a_study_without_plans_has_no_judges_of_plans_and_no_planners(tmp_path):
    assert PlanSettings.of(tmp_path) == PlanSettings()


def test_a_sealed_judge_that_does_not_fit_is_refused_with_its_field(tmp_path):
    seal = {"engine": "local:a", "ground_truth": "guessed"}
    with pytest.raises(RecordError, match=r"seal of 'j' that does not fit:\n  ground_truth: "):
        settings_of(tmp_path, manifest={"judges": {"j": seal}})
