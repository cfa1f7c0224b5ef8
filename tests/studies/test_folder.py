"""Study files: what is wrong with one is said in a sentence, with exit code 2."""

import pytest

from faultpair.env.errors import StudyError
from faultpair.env.records import ReplyPolicy
from faultpair.studies.folder import open_study, read_study

HEAD = 'title = "t"\ndomain = "support_desk"\nseed = 1\nclean = 3\n'


def plant(name, count=2, section="faults", **more):
    lines = [f"[[{section}]]", f'name = "{name}"', f"count = {count}"]
    return "\n".join([*lines, *(f'{key} = "{value}"' for key, value in more.items())]) + "\n"


CONTRAST = """
[[contrasts]]
name = "order or rules"
judge = "rules"
against = "sequence"
reading = "above zero: rules see more than the order of the steps"
"""


def test_a_study_is_read_from_its_file_or_its_folder(study_file):
    file = study_file(HEAD + plant("wrong_tool", policy="consistent"))
    by_file, by_folder = open_study(file), open_study(file.parent)
    assert by_file == by_folder
    (spec,) = by_file.study.faults
    assert (spec.name, spec.count, spec.policy) == ("wrong_tool", 2, ReplyPolicy.CONSISTENT)
    assert spec.variant is None


def test_records_go_beside_the_study_or_where_one_says(study_file, tmp_path):
    file = study_file(HEAD)
    assert open_study(file).trajectories == tmp_path / "trajectories.jsonl"
    assert open_study(file, tmp_path / "out").manifest == tmp_path / "out" / "manifest.json"


def test_a_study_may_begin_with_a_byte_order_mark_and_have_windows_line_ends(tmp_path):
    file = tmp_path / "study.toml"
    file.write_bytes(b"\xef\xbb\xbf" + HEAD.replace("\n", "\r\n").encode())
    assert open_study(file).study.clean == 3


MALFORMED = {
    "not TOML": ("title = ", "is not TOML: "),
    "a field twice": (HEAD + "seed = 2\n", "is not TOML: "),
    "an unknown field": (HEAD + "colour = 3\n", "colour: there is no such key here"),
    "an unknown field of a fault": (HEAD + plant("wrong_tool", size="x"), "faults.0.size: "),
    "a missing field": (HEAD.replace("seed = 1\n", ""), "seed: it is missing"),
    "text for a number": (HEAD.replace("= 3", '= "3"'), "clean: Input should be a valid integer"),
    "a fraction": (HEAD.replace("= 3", "= 3.5"), "clean: Input should be a valid integer"),
    "yes for a number": (HEAD.replace("= 3", "= true"), "clean: Input should be a valid integer"),
    "a negative number": (HEAD.replace("= 3", "= -3"), "clean: Input should be greater than or"),
    "count 0": (HEAD + plant("wrong_tool", 0), "faults.0.count: Input should be greater than or"),
    "an empty name": (HEAD + plant(""), "faults.0.name: "),
    "an unknown policy": (HEAD + plant("wrong_tool", policy="k"), "faults.0.policy: "),
}


@pytest.mark.parametrize(("text", "problem"), MALFORMED.values(), ids=list(MALFORMED))
def test_a_malformed_study_is_refused_by_file_and_field(faultpair, study_file, text, problem):
    file = study_file(text)
    done = faultpair("build", file)
    assert done.code == 2
    assert done.err.startswith(f"faultpair: The study {file} ")
    assert problem in done.err


UNKNOWN = {
    "domain": (HEAD.replace("support_desk", "moon"), "No domain is named 'moon'. Known domains: "),
    "fault": (HEAD + plant("skiped_check"), "No fault is named 'skiped_check'. Known faults: "),
    "control under faults": (
        HEAD + plant("extra_read"),
        "'extra_read' is a control: list it under [[controls]].",
    ),
    "fault under controls": (
        HEAD + plant("wrong_tool", section="controls"),
        "'wrong_tool' is a fault: list it under [[faults]].",
    ),
    "policy that a fault lacks": (
        HEAD + plant("misstated_fee", policy="consistent"),
        "'misstated_fee' has no policy 'consistent'; it has: keep.",
    ),
}


@pytest.mark.parametrize(("text", "problem"), UNKNOWN.values(), ids=list(UNKNOWN))
def test_an_unknown_name_is_reported_and_nothing_is_written(
    faultpair, study_file, tmp_path, text, problem
):
    done = faultpair("build", study_file(text), "--out", tmp_path / "out")
    assert done.code == 2
    assert problem in done.err
    assert not (tmp_path / "out").exists()


def test_an_unknown_judge_is_refused_before_anything_is_built(faultpair, study_file, tmp_path):
    file = study_file(HEAD + 'judges = ["rules", "oracle-of-delphi"]\n')
    done = faultpair("run", file, "--out", tmp_path / "out")
    assert done.code == 2
    assert "No judge is named 'oracle-of-delphi'. Known judges: rules, " in done.err
    assert not (tmp_path / "out").exists()


def test_more_hosts_than_there_are_is_refused_and_no_record_is_left(
    faultpair, study_file, tmp_path
):
    file = study_file(HEAD + plant("partial_refund", 1, variant="thirds"))
    done = faultpair("build", file, "--out", tmp_path / "out")
    assert done.code == 2
    assert "'partial_refund' in the variant 'thirds' lacks 1 of 1 hosts" in done.err
    assert not list((tmp_path / "out").glob("*"))


@pytest.mark.parametrize("path", ["nowhere", "nowhere/study.toml"])
def test_a_missing_study_is_refused_with_what_to_give(faultpair, tmp_path, path):
    done = faultpair("build", tmp_path / path)
    assert done.code == 2
    assert f"Cannot read the study {tmp_path / path}: No such file or directory." in done.err
    assert "Give the path of a study.toml" in done.err


def test_a_study_that_is_not_utf8_is_refused(tmp_path):
    (tmp_path / "study.toml").write_bytes(b'title = "caf\xe9"\n')
    with pytest.raises(StudyError, match="is not UTF-8 text"):
        open_study(tmp_path)


def test_a_study_may_declare_contrasts_with_the_reading_fixed_for_each(study_file):
    (contrast,) = open_study(study_file(HEAD + plant("wrong_tool") + CONTRAST)).study.contrasts
    assert (contrast.metric, contrast.group) == ("delta", "all")


def test_a_contrast_in_an_unknown_metric_is_refused(faultpair, study_file):
    done = faultpair(
        "build", study_file(HEAD + plant("wrong_tool") + CONTRAST + 'metric = "charm"\n')
    )
    assert done.code == 2
    assert "contrasts.0.metric" in done.err


def test_a_folder_of_records_may_have_no_study_file(study_file, tmp_path):
    assert read_study(tmp_path) is None
    assert read_study(study_file(HEAD).parent).clean == 3


@pytest.mark.parametrize(
    "line",
    [f"seed = {'9' * 5000}", f"seed = {'[' * 2000}{']' * 2000}", 'seed = 1\nclean = "\\uD800"'],
    ids=["long number", "deep nesting", "half a character"],
)
def test_a_file_that_no_parser_takes_is_refused_in_one_sentence(tmp_path, line):
    (tmp_path / "study.toml").write_text(f'title = "t"\ndomain = "toy"\n{line}\n')
    with pytest.raises(StudyError, match=r"study\.toml is not TOML: "):
        open_study(tmp_path)


@pytest.mark.parametrize(
    ("key", "value"),
    [("repeats", 10**9), ("samples", 1001), ("pairs", 10**22), ("max_tokens", 10**7)],
)
def test_a_count_without_bounds_is_refused_with_the_bound(tmp_path, key, value):
    text = 'title = "t"\ndomain = "toy"\nseed = 1\nclean = 1\n[[model_judges]]\nid = "j"\n'
    (tmp_path / "study.toml").write_text(f'{text}engine = "scripted:clean"\n{key} = {value}\n')
    with pytest.raises(StudyError, match=f"model_judges.0.{key}: Input should be less than"):
        open_study(tmp_path)


@pytest.mark.parametrize("key", ["seed", "judge seed"])
@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 10**30])
def test_a_seed_of_more_than_64_bits_is_refused(study_file, key, value):
    judge = f'[[model_judges]]\nid = "j"\nengine = "scripted:coin"\nseed = {value}\n'
    text = HEAD.replace("seed = 1", f"seed = {value}") if key == "seed" else HEAD + judge
    with pytest.raises(StudyError, match=r"seed: Input should be (less|greater)"):
        open_study(study_file(text))


def test_names_and_readings_have_a_longest_length(study_file):
    open_study(study_file(HEAD.replace('"t"', f'"{"t" * 1000}"')))
    with pytest.raises(StudyError, match="title: String should have at most 1000"):
        open_study(study_file(HEAD.replace('"t"', f'"{"t" * 1001}"')))
    with pytest.raises(StudyError, match=r"reading: String should have at most 10000"):
        open_study(study_file(HEAD + CONTRAST.replace("above", "above" * 2000)))


def test_a_study_file_has_a_longest_length(study_file):
    file = study_file(HEAD + "#" * 2_000_000)
    with pytest.raises(StudyError, match=r"longer than 1,000,000 bytes"):
        open_study(file)


@pytest.mark.parametrize(
    "value", ["9" * 5000, "[" * 2000 + "]" * 2000, "{a=" * 900 + "1" + "}" * 900]
)
def test_a_value_without_bounds_is_refused(study_file, value):
    with pytest.raises(StudyError, match="The study"):
        open_study(study_file(HEAD.replace("seed = 1", f"seed = {value}")))
