"""The picture of judges: a row each, the best first, and only where a model judges pairs."""

import importlib.util

import pytest

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.catalog import compute, numbers_of

from ..conftest import sees_reply, sees_steps, small_records

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not importlib.util.find_spec("matplotlib"), reason="needs the extra 'figures'"
    ),
]


@pytest.fixture
def draw(tmp_path):
    """Return a function that draws the figures of a small study with three judges."""
    from faultpair.analysis.figures.catalog import figures_of

    def drawn(*, pairs=True, **model):
        records = small_records(tmp_path / "results" / "small", n_instances=4)
        if not pairs:
            for run in records.trajectories:
                run["label"]["parent_id"] = None
        records.judged("mule", lambda _: True, view="full-steps")
        records.judged("stepper", sees_steps, view="full-steps")
        records.judged("model", sees_reply, view="goal-and-reply", **model)
        study = load_study(records.write())
        return figures_of(study, numbers_of(compute(study, n_resamples=50)))

    return drawn


def words(svg):
    """The texts of a figure, which stand in comments beside their outlines."""
    return [line[5:-4] for line in map(str.strip, svg.splitlines()) if line.startswith("<!-- ")]


def test_judges_stand_by_their_delta_with_auc_beside_it_where_there_is_one(draw):
    shown = words(draw(prompt_tokens=5, score=0.25)["judges"])
    names = [word for word in shown if word in ("mule", "stepper", "model")]
    assert names[0] == "stepper"
    assert sorted(names) == ["model", "mule", "stepper"]
    assert "paired AUC [95 %]" in shown
    assert any(word.startswith("+0.667") for word in shown)
    assert any(word.startswith("0.500") for word in shown)


def test_without_a_score_there_is_no_column_of_auc(draw):
    shown = words(draw(prompt_tokens=5)["judges"])
    assert "paired Δ [95 %]" in shown
    assert "paired AUC [95 %]" not in shown


def test_a_study_without_models_or_without_pairs_has_no_such_picture(draw):
    assert "judges" not in draw()
    assert "judges" not in draw(prompt_tokens=5, pairs=False)


def test_the_same_numbers_give_the_same_bytes(draw):
    assert (
        draw(prompt_tokens=5, score=0.25)["judges"] == draw(prompt_tokens=5, score=0.25)["judges"]
    )
