"""Cases become requests with plans: which keys a plan holds, and what is refused and where."""

from pathlib import Path

import msgspec
import pytest

from faultpair.env.errors import RecordError
from faultpair.env.plans.bfcl import Case, category_of, read_cases
from faultpair.env.records import Call

FUNCTION = {
    "name": "geo.area",
    "description": "Area of a shape.",
    "parameters": {
        "type": "dict",
        "properties": {
            "sides": {"type": "array", "items": {"type": "float"}},
            "unit": {"type": "string"},
            "type": {"type": "any"},
            "style": {"type": "dict", "properties": {"bold": {"type": "boolean"}}},
        },
        "required": ["sides", "unit"],
    },
}
QUESTION = {
    "id": "parallel_7",
    "question": [[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Two."}]],
    "function": [FUNCTION],
}
TRUTH = {
    "id": "parallel_7",
    "ground_truth": [
        {"geo.area": {"sides": [[3.0, 4.0], [3, 4]], "unit": ["", "m"], "type": ["", "a"]}},
        {"geo.area": {"sides": [[5]], "unit": ["m"], "style": [{"bold": [True], "big": ["", 1]}]}},
    ],
}


def cases(folder: Path, questions: list[object], truths: list[object]) -> list[Case]:
    """Write both files of a category and read them back."""
    files = folder / "BFCL_v4_parallel.json", folder / "truths.json"
    for file, lines in zip(files, (questions, truths), strict=True):
        file.write_bytes(b"\n".join(msgspec.json.encode(line) for line in lines))
    return list(read_cases(*files))


def test_a_case_keeps_its_id_and_the_text_of_its_messages(tmp_path):
    (case,) = cases(tmp_path, [QUESTION], [TRUTH])
    assert (case.case_id, case.category) == ("parallel_7", "parallel")
    assert case.goal == "Be brief.\n\nTwo."


def test_a_key_is_in_the_plan_if_its_tool_requires_it_or_no_answer_leaves_it_out(tmp_path):
    (case,) = cases(tmp_path, [QUESTION], [TRUTH])
    assert case.plan == (
        Call("geo.area", {"sides": [3.0, 4.0], "unit": "m"}),
        Call("geo.area", {"sides": [5], "unit": "m", "style": {"bold": True}}),
    )


def test_schemas_use_the_words_of_json_schema(tmp_path):
    (case,) = cases(tmp_path, [QUESTION], [TRUTH])
    (tool,) = case.tools
    assert tool.parameters["type"] == "object"
    assert tool.parameters["properties"]["sides"] == {"type": "array", "items": {"type": "number"}}
    assert tool.parameters["properties"]["type"] == {}
    assert tool.parameters["properties"]["style"]["type"] == "object"
    assert tool.required == {"sides", "unit"}


def test_of_several_turns_only_the_names_are_kept(tmp_path):
    turns = [[{"role": "user", "content": "Go."}], [{"role": "user", "content": "Sort."}]]
    truth = [["cd(folder='a')", "mv('x', 'y')"], [], ["cd(folder='b')"]]
    (case,) = cases(
        tmp_path,
        [{"id": "m_0", "question": turns, "path": ["Files.cd"]}],
        [{"id": "m_0", "ground_truth": truth}],
    )
    assert case.plan == (Call("cd", {}), Call("mv", {}), Call("cd", {}))
    assert [tool.name for tool in case.tools] == ["cd", "mv"]
    assert case.goal == "Go.\n\nSort."


@pytest.mark.parametrize(
    ("questions", "truths", "message"),
    [
        (["no object"], [TRUTH], r"BFCL_v4_parallel\.json, line 1: Expected `object`"),
        ([QUESTION, {"id": 3}], [TRUTH], r"BFCL_v4_parallel\.json, line 2: field id"),
        ([QUESTION], [TRUTH, {"id": "x", "ground_truth": [3]}], r"truths\.json, line 2: field"),
        ([QUESTION], [], r"line 1: field id: 'parallel_7' has no answer in"),
        (
            [QUESTION],
            [{"id": "parallel_7", "ground_truth": [{"geo.length": {}}]}],
            r"truths\.json, line 1: .*no tool of the question takes this call of 'geo\.length'",
        ),
        (
            [QUESTION],
            [{"id": "parallel_7", "ground_truth": [{"geo.area": {"colour": ["red"]}}]}],
            r"no tool of the question takes this call of 'geo\.area'",
        ),
        ([QUESTION], [{"id": "parallel_7", "ground_truth": [["f()"]]}], "an object for each call"),
        (
            [{"id": "parallel_7", "question": []}],
            [{"id": "parallel_7", "ground_truth": [["f("]]}],
            r"truths\.json, line 1: field ground_truth: the text is no list of calls",
        ),
    ],
)
def test_an_invalid_case_is_refused_by_file_and_line(tmp_path, questions, truths, message):
    with pytest.raises(RecordError, match=message):
        cases(tmp_path, questions, truths)


def test_the_name_of_a_file_holds_its_category():
    assert category_of(Path("x/BFCL_v4_simple_python.json")) == "simple_python"
    assert category_of(Path("BFCL_v3_live_simple_score.json")) == "live_simple"
    with pytest.raises(RecordError, match="expected a file called"):
        category_of(Path("answers.json"))


@pytest.mark.parametrize(
    ("category", "n"),
    [("simple_python", 400), ("parallel", 200), ("live_simple", 258), ("multi_turn_base", 200)],
)
def test_the_real_cases_are_read_and_their_plans_fit_their_tools(shared_dir, category, n):
    folder = shared_dir / "benchmarks" / "bfcl" / "v4-questions"
    name = f"BFCL_v4_{category}.json"
    found = list(read_cases(folder / name, folder / "possible_answer" / name))
    assert len({case.case_id for case in found}) == n
    for case in found:
        pool = {tool.name: tool for tool in case.tools}
        assert case.plan
        assert all(
            pool[call.tool].required <= call.args.keys() <= pool[call.tool].known
            for call in case.plan
        )
