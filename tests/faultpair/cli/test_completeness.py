"""What a table of rates does not show is said below it."""

from faultpair.cli.completeness import Completeness

JUDGE = """
def judge(document):
    return {ANSWER}
"""


def run_with(faultpair, study_file, tmp_path, answer, *options):
    module = "says_odd" if "verdict" in answer else "says_clean"
    (tmp_path / f"{module}.py").write_text(JUDGE.replace("ANSWER", answer), encoding="utf-8")
    text = (
        'title = "t"\ndomain = "toy"\nseed = 1\nclean = 4\njudges = ["rules"]\n'
        f'[[model_judges]]\nid = "own"\nengine = "python:{module}:judge"\n'
    )
    return faultpair("run", study_file(text), "--out", tmp_path / "out", *options)


def test_a_judge_whose_every_answer_is_unreadable_is_no_success(
    faultpair, study_file, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    done = run_with(faultpair, study_file, tmp_path, '"verdict": "yes"')
    assert done.code == 3
    why = "the answer does not say whether the run is faulty (4)"
    assert f"own: 4 of 4 verdicts are unscored: {why}." in done.err


def test_a_run_that_stopped_at_its_limit_says_what_it_rests_on(
    faultpair, study_file, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    done = run_with(faultpair, study_file, tmp_path, '"faulty": False', "--limit", "1")
    assert done.code == 0
    assert "own: 1 of 4 runs are judged." in done.err
    assert "The limit is reached; 3 requests are open." in done.err


def test_a_judge_of_all_runs_without_a_loss_is_not_spoken_of():
    losses = Completeness("rules", 1, judged={"INS-1-clean"}, n_verdicts=1)
    assert list(losses.lines()) == []
    assert not losses.says_nothing
