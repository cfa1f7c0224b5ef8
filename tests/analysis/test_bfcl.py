"""Our reference beside BFCL's verdict: the bookkeeping, the causes, and the real table."""

from pathlib import Path

import msgspec
import pytest

from faultpair.analysis.bfcl import agreement, main
from faultpair.env.errors import RecordError

FUNCTION = {
    "name": "f",
    "parameters": {"type": "dict", "properties": {"x": {}, "y": {}}, "required": ["x"]},
}
GIVEN = {
    "same": '{"x": 1}', "optional": '{"x": 1, "y": 2}', "value": '{"x": 9}', "missing": "{}",
}  # fmt: skip
FAILED = {"value": "value_error:others", "missing": "simple_function_checker:missing_required"}


def folders(
    base: Path, *, failed: dict[str, str] = FAILED, extra: tuple[object, ...] = ()
) -> tuple[Path, Path]:
    """Write the questions of a small category and a run of it, and return both folders."""
    files: dict[str, list[object]] = {
        "q/BFCL_v4_tiny.json": [
            {"id": name, "question": [[{"content": "Do."}]], "function": [FUNCTION]}
            for name in GIVEN
        ],
        "q/possible_answer/BFCL_v4_tiny.json": [
            {"id": name, "ground_truth": [{"f": {"x": [1], "y": ["", 2]}}]} for name in GIVEN
        ],
        "run/result/live/BFCL_v4_tiny_result.json": [
            *({"id": name, "result": [{"f": args}]} for name, args in GIVEN.items()),
            *extra,
        ],
        "run/score/live/BFCL_v4_tiny_score.json": [
            {"correct_count": len(GIVEN) - len(failed), "total_count": len(GIVEN)},
            *({"id": name, "error_type": kind} for name, kind in failed.items()),
        ],
    }
    for name, lines in files.items():
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return base / "q", base / "run"


def test_each_case_is_counted_once_with_the_cause_of_a_disagreement(tmp_path):
    printed, corrected = agreement(*folders(tmp_path))
    assert (printed.n, printed.both_pass, printed.both_fail) == (4, 1, 1)
    assert printed.ours_only == {"value": 1}
    assert printed.theirs_only == {"parameter_structure": 1}
    assert (corrected.n, corrected.both_pass, corrected.both_fail) == (4, 2, 1)
    assert corrected.ours_only == {"value": 1}
    assert not corrected.theirs_only


def test_an_answer_without_a_plan_is_counted_apart(tmp_path):
    questions, run = folders(tmp_path)
    file = run / "result" / "live" / "BFCL_v4_tiny_result.json"
    file.write_bytes(file.read_bytes().replace(b'[{"f":"{\\"x\\": 1}"}]', b'"Error: 500"'))
    printed, _ = agreement(questions, run)
    assert (printed.n, printed.unread) == (3, 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"extra": ({"id": "other", "result": []},)}, "'other' is no case of"),
        ({"extra": ({"id": "same", "result": []},)}, "or here twice"),
        ({"failed": {"who": "x"}}, "holds 4 cases, its score file counts 4 and fails 'who'"),
    ],
)
def test_files_of_different_cases_are_refused(tmp_path, change, message):
    with pytest.raises(RecordError, match=message):
        agreement(*folders(tmp_path, **change))


def test_a_run_without_a_category_of_one_turn_is_refused(tmp_path):
    with pytest.raises(RecordError, match="no result file of a category of one turn"):
        agreement(tmp_path, tmp_path)


def test_a_missing_file_ends_in_a_sentence_and_its_exit_code(tmp_path, capsys):
    questions, run = folders(tmp_path)
    (run / "score" / "live" / "BFCL_v4_tiny_score.json").unlink()
    assert main([str(questions), str(run)]) == 2
    assert "Cannot read" in capsys.readouterr().err


EXPECTED = """\
| irrelevance | printed | 240 | 205 | 35 | 0 | 0 | 0 |  |  |
| irrelevance | corrected | 240 | 205 | 35 | 0 | 0 | 0 |  |  |
| live_simple | printed | 258 | 199 | 17 | 24 | 18 | 0 | value 21, type 3 | parameter_structure 18 |
| live_simple | corrected | 258 | 217 | 12 | 29 | 0 | 0 | value 25, type 3, number of calls 1 |  |
| parallel | printed | 200 | 131 | 15 | 2 | 52 | 0 | value 2 | parameter_structure 52 |
| parallel | corrected | 200 | 183 | 8 | 9 | 0 | 0 | value 8, argument missing or unknown 1 |  |
| simple_python | printed | 400 | 321 | 4 | 18 | 57 | 0 | value 13, type 4, number of calls 1 \
| parameter_structure 57 |
| simple_python | corrected | 400 | 378 | 3 | 19 | 0 | 0 | value 14, type 4, number of calls 1 |  |
"""


def test_the_real_run_has_the_counted_table(shared_dir, capsys):
    folder = shared_dir / "benchmarks" / "bfcl"
    assert main([str(folder / "v4-questions"), str(folder / "v4-glyphh-pr1308")]) == 0
    assert EXPECTED in capsys.readouterr().out


def test_of_the_real_run_every_case_is_counted_once(shared_dir):
    folder = shared_dir / "benchmarks" / "bfcl"
    rows = agreement(folder / "v4-questions", folder / "v4-glyphh-pr1308", ("printed", "schema"))
    passed = {row.category: row.both_pass + row.theirs_only.total() for row in rows}
    assert passed == {
        "irrelevance": 205, "live_simple": 217, "parallel": 183, "simple_python": 378,
    }  # fmt: skip
