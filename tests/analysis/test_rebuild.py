"""The command: it writes the same bytes each time, and notices any byte that changed."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from faultpair.analysis.rebuild import main

ROOT = Path(__file__).resolve().parents[2]
QUICK = ("--resamples", "200")
BLOCKS = """# Readme

<!-- faultpair:main study=small --><!-- /faultpair -->

It is <!--ci:small/stepper/delta/all-->, or short <!--n:small/stepper/delta/all-->, over
<!--n:small/design/pairs-->7 pairs.
"""


@pytest.fixture
def checkout(records):
    records.study_file = (
        '[[contrasts]]\nname = "steps"\njudge = "stepper"\nagainst = "reader"\n'
        'group = "unchanged"\nreading = "above zero: the steps are needed"\n'
    )
    root = records.write().parent.parent
    (root / "README.md").write_text(BLOCKS, encoding="utf-8")
    return root


def command(root, *options):
    return main(["--results", str(root / "results"), "--no-figures", *QUICK, *options])


def test_rebuild_writes_tables_numbers_and_blocks(checkout):
    assert command(checkout) == 0
    folder = checkout / "results" / "small"
    numbers = json.loads((folder / "numbers.json").read_text(encoding="utf-8"))["numbers"]
    assert numbers["stepper/delta/all"]["n"] == 36
    assert all("reason" in n for n in numbers.values() if n["estimate"] is None)
    table = (folder / "tables" / "contrasts.md").read_text(encoding="utf-8")
    assert "above zero: the steps are needed" in table
    readme = (checkout / "README.md").read_text(encoding="utf-8")
    assert "| stepper |" in readme
    assert readme.count("<!-- /faultpair -->") == 1
    delta, pairs = numbers["stepper/delta/all"], numbers["design/pairs"]
    ends = f"[{delta['ci_low']:+.3f}, {delta['ci_high']:+.3f}]"
    assert f"-->{delta['estimate']:+.3f} {ends}, or short" in readme
    assert f"-->{delta['estimate']:+.3f}, over" in readme
    assert f"-->{pairs['estimate']} pairs." in readme
    assert r"faultpair:small/stepper/delta/all\endcsname{+" in (folder / "macros.tex").read_text(
        encoding="utf-8"
    )


def test_macros_cover_the_main_numbers_and_no_others(checkout):
    command(checkout)
    text = (checkout / "results" / "small" / "macros.tex").read_text(encoding="utf-8")
    for name in (
        "stepper/recall/silent",
        "stepper/false-alarms/high",
        "stepper/delta/cell=changed-lost/low",
        "reader/delta/type=skipped",
        "reader/brier",
        "design/pairs",
        "contrast/steps/p-holm",
    ):
        assert f"faultpair:small/{name}\\endcsname" in text
    for part in (
        "/percentile",
        "/bca",
        "confusion",
        "reliability",
        "coin",
        "flag all",
        "scenario=",
    ):
        assert part not in text


def test_check_passes_after_a_rebuild_and_a_second_rebuild_changes_nothing(checkout):
    command(checkout)
    before = {path: path.read_bytes() for path in checkout.rglob("*") if path.is_file()}
    assert command(checkout, "--check") == 0
    command(checkout)
    assert {path: path.read_bytes() for path in checkout.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    "path",
    [
        "results/small/tables/main.md",
        "results/small/tables/types.csv",
        "results/small/numbers.json",
        "results/small/macros.tex",
        "README.md",
    ],
)
def test_check_catches_a_changed_digit(checkout, path, capsys):
    command(checkout)
    text = (checkout / path).read_text(encoding="utf-8")
    place = text.index("0.", text.index("stepper"))
    changed = text[:place] + ("8" if text[place] != "8" else "3") + text[place + 1 :]
    (checkout / path).write_text(changed, encoding="utf-8")
    capsys.readouterr()
    assert command(checkout, "--check") == 1
    report = capsys.readouterr().out
    assert "(committed)" in report
    assert "\n+" in report


@pytest.mark.parametrize("mark", ["<!--n:", "<!--ci:"])
def test_check_catches_a_changed_digit_behind_a_mark_in_a_sentence(checkout, mark, capsys):
    command(checkout)
    readme = checkout / "README.md"
    before, text = readme.read_text(encoding="utf-8").split(mark, 1)
    changed = text.replace("-->+0.", "-->+7.", 1)
    assert changed != text
    readme.write_text(before + mark + changed, encoding="utf-8")
    assert command(checkout, "--check") == 1
    assert "README.md (rebuilt)" in capsys.readouterr().out


def test_check_reports_missing_files_and_files_without_a_source(checkout, capsys):
    command(checkout)
    folder = checkout / "results" / "small" / "tables"
    (folder / "main.md").unlink()
    (folder / "old.md").write_text("", encoding="utf-8")
    capsys.readouterr()
    assert command(checkout, "--check") == 1
    report = capsys.readouterr().out
    assert "main.md: missing" in report
    assert "old.md: no rebuild makes this file" in report


def test_a_rebuild_removes_tables_that_it_no_longer_makes(checkout):
    old = checkout / "results" / "small" / "tables" / "old.md"
    command(checkout)
    old.write_text("", encoding="utf-8")
    command(checkout)
    assert not old.exists()


def test_nothing_to_rebuild_is_no_failure(tmp_path, capsys):
    assert main(["--results", str(tmp_path / "results")]) == 0
    assert "nothing to rebuild" in capsys.readouterr().out


def test_a_study_without_verdicts_says_what_is_missing(checkout, capsys):
    (checkout / "results" / "small" / "verdicts.jsonl").unlink()
    assert command(checkout) == 2
    assert "Study 'small' has no verdicts.jsonl" in capsys.readouterr().err


def test_a_study_that_was_never_run_is_left_out_unless_it_is_asked_for(checkout, capsys):
    later = checkout / "results" / "later"
    later.mkdir()
    (later / "study.toml").write_text('title = "Later"\n', encoding="utf-8")
    assert command(checkout) == 0
    assert "Study 'later' has not been run yet and is left out." in capsys.readouterr().out
    assert command(checkout, "--check") == 0
    assert command(checkout, "--study", "later") == 2
    assert "Study 'later' has no trajectories.jsonl" in capsys.readouterr().err


def test_an_unknown_study_lists_those_there_are(checkout, capsys):
    assert command(checkout, "--study", "large") == 2
    assert "Known studies: small" in capsys.readouterr().err


def test_an_unknown_judge_in_a_contrast_is_named(checkout, capsys):
    file = checkout / "results" / "small" / "study.toml"
    file.write_text(file.read_text(encoding="utf-8").replace('"reader"', '"nobody"'), "utf-8")
    assert command(checkout) == 2
    assert "names judge 'nobody'" in capsys.readouterr().err


def test_a_block_about_an_unknown_table_or_number_is_refused(checkout, capsys):
    marks = {
        "<!-- faultpair:mane study=small --><!-- /faultpair -->": "which no rebuild makes",
        "<!-- faultpair:main --><!-- /faultpair -->": "does not say study=NAME",
        "<!-- faultpair:main study --><!-- /faultpair -->": "is not key=value",
        "<!--n:small/x-->0.1": "has no number named 'x'",
        "<!--ci:large/x-->": "which no rebuild makes",
    }
    for text, message in marks.items():
        (checkout / "README.md").write_text(text, encoding="utf-8")
        assert command(checkout) == 2
        assert message in capsys.readouterr().err


def test_a_block_that_is_not_closed_is_refused(checkout, capsys):
    (checkout / "README.md").write_text("<!-- faultpair:main study=small -->", encoding="utf-8")
    assert command(checkout) == 2
    assert "is not closed" in capsys.readouterr().err


def test_raw_needs_instances_and_out(capsys, tmp_path):
    assert main(["--raw", str(tmp_path)]) == 2
    assert "--raw needs --instances FILE and --out DIR" in capsys.readouterr().err


def test_other_hash_seed_zone_and_locale_give_the_same_bytes(checkout):
    command(checkout)
    settings = {"PYTHONHASHSEED": "4", "TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONPATH": str(ROOT)}
    options = ["--results", str(checkout / "results"), "--no-figures", *QUICK, "--check"]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "analysis.rebuild", *options],
        env=os.environ | settings,
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not importlib.util.find_spec("matplotlib"), reason="needs the extra 'figures'")
@pytest.mark.slow
def test_figures_are_the_same_twice_and_are_checked(checkout, capsys):
    assert main(["--results", str(checkout / "results"), *QUICK]) == 0
    figures = sorted((checkout / "results" / "small" / "figures").glob("*.svg"))
    names = {path.stem for path in figures}
    assert names == {"flags", "forest", "cells", "strata", "reliability", "confusion"}
    assert main(["--results", str(checkout / "results"), *QUICK, "--check"]) == 0
    text = figures[0].read_text(encoding="utf-8")
    assert "<dc:date>" not in text
    figures[0].write_text(text.replace("0b6e99", "0b6e98"), encoding="utf-8")
    capsys.readouterr()
    assert main(["--results", str(checkout / "results"), *QUICK, "--check"]) == 1


@pytest.mark.skipif(importlib.util.find_spec("matplotlib"), reason="matplotlib is installed here")
def test_figures_without_matplotlib_say_what_to_install(checkout, capsys):
    assert main(["--results", str(checkout / "results"), *QUICK]) == 2
    assert "faultpair[figures]" in capsys.readouterr().err


def test_a_document_that_is_not_utf8_is_named(checkout, capsys):
    (checkout / "README.md").write_bytes(b"caf\xe9")
    assert command(checkout) == 2
    assert "README.md is not UTF-8 text" in capsys.readouterr().err
