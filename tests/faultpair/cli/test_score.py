"""`faultpair score`: tables of your own pairs."""

import json

import pytest

HEAD = "judge,unit,run,parent,flagged,type,control\n"


def rows(judge, n, caught, alarms=0, unscored=0, type_="stop"):
    lines = []
    for task in range(n):
        flag = "" if task >= n - unscored else int(task < caught)
        lines.append(f"{judge},t{task},t{task}-c,,{int(task < alarms)},,\n")
        lines.append(f"{judge},t{task},t{task}-f,t{task}-c,{flag},{type_},\n")
    return "".join(lines)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(
        HEAD + rows("small", 40, 10, alarms=2) + rows("large", 40, 30), encoding="utf-8"
    )
    return path


def test_the_judges_are_in_the_order_of_the_low_end_of_their_delta(faultpair, file):
    done = faultpair("score", file)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "Judges of mine: 40 pairs in 40 units, 0 controls"
    judges = [line.split()[:2] for line in lines if line.startswith(("small", "large"))]
    assert judges[:2] == [["large", "+0.750"], ["small", "+0.200"]]
    assert (
        "Without a control, a judge that reacts to any edit looks like one that finds" in done.out
    )
    assert "Holm p: Holm over 2 tests, of each type and judge." in done.out


def test_a_silent_judge_shows_both_readings_and_its_coverage(faultpair, file):
    file.write_text(HEAD + rows("shy", 40, 40, unscored=20), encoding="utf-8")
    out = faultpair("score", file).out
    assert "Coverage" in out
    assert "Δ is the cautious one: an unscored fault counts as missed" in out
    line = next(line for line in out.splitlines() if line.startswith("shy"))
    assert line.split()[1] == "+0.500"
    assert "+1.000" in line
    assert "Δ is the gate one" in faultpair("score", file, "--reading", "gate").out


def test_two_judges_are_compared_within_a_margin(faultpair, file):
    out = faultpair("score", file, "--compare", "large", "small", "--margin", "0.1").out
    assert "large on mine minus small on mine" in out
    assert "40 pairs of 40 units that both judged" in out
    (line,) = (line for line in out.splitlines() if line.startswith("Δ not lower within 0.1"))
    assert "yes" in line


def test_one_judge_alone_is_shown_on_request(faultpair, file):
    out = faultpair("score", file, "--judge", "small").out
    assert "small" in out
    assert "large" not in out


def test_json_holds_the_same_numbers(faultpair, file):
    done = faultpair("score", file, "--compare", "large", "small", "--json")
    found = json.loads(done.out)
    assert [judge["judge"] for judge in found["judges"]] == ["large", "small"]
    assert found["judges"][0]["delta"]["estimate"] == 0.75
    assert found["comparison"]["cautious"]["estimate"] == pytest.approx(0.55)
    assert done.err == ""


def test_a_threshold_makes_flags_of_scores(faultpair, tmp_path):
    path = tmp_path / "scores.csv"
    lines = [f"t{n},t{n}-c,,0.1\nt{n},t{n}-f,t{n}-c,0.{n % 10}\n" for n in range(40)]
    path.write_text("unit,run,parent,score\n" + "".join(lines), encoding="utf-8")
    out = faultpair("score", path, "--threshold", "0.5").out
    assert "+0.500" in out
    assert "  AUC" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--judge", "nobody"], "mine has no judge 'nobody'. Judges: large, small."),
        (["--margin", "0.1"], "--margin is for a comparison. Give --compare with two judges."),
        (["--format", "xml"], "Expected one that ends in .csv, .jsonl, .ndjson, .parquet"),
        (["--compare", "large", "small", "--margin", "2"], "A margin is above 0 and below 1"),
    ],
)
def test_a_wrong_option_ends_in_one_sentence(faultpair, file, options, message):
    done = faultpair("score", file, *options)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_wrong_row_ends_in_one_sentence_with_its_line(faultpair, file):
    file.write_text(HEAD + "a,t,c,,0,,\na,t,f,d,1,,\n", encoding="utf-8")
    done = faultpair("score", file)
    assert done.code == 2
    assert f"{file}, line 3: run 'f' names the parent 'd', of which there is no row" in done.err


def test_a_missing_file_is_named(faultpair, tmp_path):
    done = faultpair("score", tmp_path / "none.csv")
    assert done.code == 2
    assert "none.csv: No such file" in done.err


def test_names_with_control_characters_and_markup_are_shown_as_text(faultpair, file):
    name = '"\x1b[31m[red]evil[/red]\u202e=cmd"'
    text = HEAD + rows(name, 40, 30, type_="[bold]$\\frac{1}$")
    file.write_text(text, encoding="utf-8")
    out = faultpair("score", file).out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "\\x1b[31m[red]evil[/red]\\u202e=cmd" in out
    assert "\x1b" not in faultpair("score", file, "--json").out


def test_json_lines_are_scored_as_csv(faultpair, file, tmp_path):
    lines = file.read_text(encoding="utf-8").splitlines()
    names = lines[0].split(",")
    other = tmp_path / "sub" / "mine.jsonl"
    other.parent.mkdir()
    text = "".join(
        json.dumps(dict(zip(names, line.split(","), strict=True))) + "\n" for line in lines[1:]
    )
    other.write_text(text, encoding="utf-8")
    assert faultpair("score", other).out == faultpair("score", file).out


def test_a_file_may_have_columns_that_are_left_out(faultpair, file):
    lines = file.read_text(encoding="utf-8").splitlines()
    notes = ("note", *["x"] * (len(lines) - 1))
    text = "".join(f"{line},{note}\n" for line, note in zip(lines, notes, strict=True))
    file.write_text(text, encoding="utf-8")
    assert faultpair("score", file).code == 2
    assert faultpair("score", file, "--ignore", "note").code == 0
