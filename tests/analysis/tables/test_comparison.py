"""Tables that compare judges whose names begin alike, or hold slashes."""

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.catalog import compute, numbers_of
from faultpair.analysis.tables.comparison import differences, passes

from ..conftest import sees_reply, sees_steps, small_records


def test_a_judge_whose_name_begins_with_that_of_another_has_rows_of_its_own(tmp_path):
    records = small_records(tmp_path / "results" / "small")
    records.judged("rules", sees_steps)
    records.judged("s", sees_reply).judged("s/x", lambda _: True)
    study = load_study(records.write())
    table = differences(study, numbers_of(compute(study, n_resamples=50)))
    of_pairs = {}
    for one, other, what, _ in table.rows:
        of_pairs.setdefault((one, other), []).append(what)
    assert set(of_pairs) == {("rules", "s"), ("rules", "s/x"), ("s", "s/x")}
    for shown in of_pairs.values():
        assert "recall/all" in shown
        assert not [what for what in shown if what.startswith("x/")]


def test_the_passes_of_a_judge_with_a_slash_in_its_name_are_under_its_whole_name(tmp_path):
    records = small_records(tmp_path / "results" / "small", n_instances=4)
    for repeat in (0, 1):
        records.judged("s/agreement/x", sees_steps, repeat=repeat)
    study = load_study(records.write())
    table = passes(study, numbers_of(compute(study, n_resamples=50)))
    assert [row[:3] for row in table.rows] == [("s/agreement/x", "0.0", "0.1")]
