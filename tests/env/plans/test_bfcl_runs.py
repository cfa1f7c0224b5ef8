"""The four shapes of a result, answers that hold no plan, and BFCL's verdict by absence."""

from pathlib import Path

import msgspec
import pytest

from faultpair.env.errors import RecordError
from faultpair.env.plans.bfcl_runs import Answer, Failure, read_answers, read_scoring
from faultpair.env.records import Call


def written(folder: Path, *lines: object) -> Path:
    path = folder / "file.json"
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return path


def answer(folder: Path, result: object) -> Answer:
    (found,) = read_answers(written(folder, {"id": "a", "result": result, "latency": 0.1}))
    return found


@pytest.mark.parametrize(
    "result",
    [
        [{"f": '{"x": 4}'}, {"g": "{}"}],
        [{"f": {"x": 4}}, {"g": {}}],
        "[f(x=4), g()]<end_of_turn>",
        "f(x=4), g()",
    ],
)
def test_of_one_turn_all_shapes_give_the_same_plan(tmp_path, result):
    assert answer(tmp_path, result).plan == (Call("f", {"x": 4}), Call("g", {}))


@pytest.mark.parametrize(
    "result",
    [
        [[[{"f": '{"x": 4}'}], [{"g": "{}"}, {"f": "{}"}]], [[]]],
        [["[f(x=4)]", "[g(), f('y')]", "That is all."], []],
    ],
)
def test_of_several_turns_the_names_are_kept_in_their_order(tmp_path, result):
    assert answer(tmp_path, result).plan == (Call("f", {}), Call("g", {}), Call("f", {}))


def test_no_call_is_a_plan(tmp_path):
    assert answer(tmp_path, []).plan == ()


@pytest.mark.parametrize(
    ("result", "problem"),
    [
        ("Error during inference: 429 Too Many Requests", "no list of calls"),
        (None, "neither text nor a list"),
        ([{"f": '{"x": '}], "the arguments of f are no JSON"),
        ([{"f": "[4]"}], "the arguments of f are no object"),
        (["f(x=4)"], "a call is no object"),
        ([["It is 1871."]], "no turn holds a call"),
        ([[[{"f": "{"}]]], "the arguments of f are no JSON"),
        ([{"f": "{}"}, []], "a turn is no list"),
        ([[4]], "a step is neither text nor a list"),
    ],
)
def test_an_answer_without_a_plan_is_a_problem_with_its_reason(tmp_path, result, problem):
    found = answer(tmp_path, result)
    assert found.plan is None
    assert problem in found.problem


def test_a_line_that_is_no_result_is_refused_by_file_and_line(tmp_path):
    path = written(tmp_path, {"id": "a", "result": []}, {"id": "b"})
    with pytest.raises(RecordError, match=r"file\.json, line 2: .*result"):
        list(read_answers(path))


HEAD = {"accuracy": 0.5, "correct_count": 1, "total_count": 2}


def failure(folder: Path, error_type: str | None, error: object) -> Failure:
    line = {"id": "a", "error": error} | ({"error_type": error_type} if error_type else {})
    return read_scoring(written(folder, HEAD, line)).failed["a"]


@pytest.mark.parametrize(
    ("error_type", "kind"),
    [
        ("value_error:string", Failure.VALUE),
        ("type_error:nested", Failure.TYPE),
        ("simple_function_checker:wrong_count", Failure.COUNT),
        ("simple_function_checker:missing_optional", Failure.ARGUMENTS),
        ("simple_function_checker:wrong_func_name", Failure.TOOL),
        ("irrelevance_error:decoder_success", Failure.CALLED),
        ("something_new", Failure.OTHER),
    ],
)
def test_a_failure_has_the_kind_of_its_error(tmp_path, error_type, kind):
    assert failure(tmp_path, error_type, ["…"]) is kind


def test_an_unmatched_call_fails_as_the_first_call_left_over_does(tmp_path):
    tried = [
        "No match.",
        {"Model Result Index 1": {"sub_error_type": "value_error:others"}},
        {"Model Result Index 2": {"sub_error_type": "type_error:simple"}},
    ]
    found = failure(tmp_path, "parallel_function_checker_no_order:cannot_find_match", tried)
    assert found is Failure.VALUE


def test_an_error_of_several_turns_holds_its_type(tmp_path):
    assert failure(tmp_path, None, {"error_type": "multi_turn:x"}) is Failure.OTHER


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "the first line does not give correct_count"),
        ([{"id": "a"}], "the first line does not give correct_count"),
        ([HEAD], "1 passed and 0 failed cases are not the 2 "),
        ([HEAD, {"id": "a"}, {"id": "a"}], "line 3: field id: expected a new case, got 'a'"),
        ([HEAD, {"error": []}], "line 2: field id: expected a new case, got None"),
    ],
)
def test_counts_that_do_not_add_up_are_refused(tmp_path, lines, message):
    with pytest.raises(RecordError, match=message):
        read_scoring(written(tmp_path, *lines))


@pytest.mark.parametrize(
    ("file", "n", "unread"),
    [
        ("v4-gemma4-pr1344/result/non_live/BFCL_v4_simple_python_result.json", 400, 0),
        ("v4-gemma4-pr1344/result/non_live/BFCL_v4_parallel_result.json", 200, 1),
        ("v4-gemma4-pr1344/result/live/BFCL_v4_live_simple_result.json", 258, 3),
        ("v4-glyphh-pr1308/result/multi_turn/BFCL_v4_multi_turn_base_result.json", 200, 0),
    ],
)
def test_real_answers_in_every_shape_are_read(shared_dir, file, n, unread):
    found = list(read_answers(shared_dir / "benchmarks" / "bfcl" / file))
    assert len(found) == n
    assert sum(answer.plan is None for answer in found) == unread
