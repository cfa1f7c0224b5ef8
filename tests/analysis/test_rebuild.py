"""The command: it writes the same bytes each time, and notices any byte that changed."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from faultpair.analysis.rebuild import main
from faultpair.studies.manifest import read_manifest, write_manifest
from faultpair.studies.seals import root_digest

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


@pytest.fixture
def tables(checkout):
    """The folder of tables after a rebuild."""
    assert command(checkout) == 0
    return checkout / "results" / "small" / "tables"


def _manifest(tables):
    return tables.parent / "manifest.json"


def _listed(tables):
    return json.loads(_manifest(tables).read_text(encoding="utf-8"))["generated"]


def _list(tables, *more):
    """Put further files into the list of generated ones, as an earlier rebuild would have."""
    listed = sorted([*_listed(tables), *more])
    manifest = read_manifest(_manifest(tables)).with_entry("generated", entry=listed)
    write_manifest(_manifest(tables), manifest)


def test_the_manifest_lists_what_a_rebuild_made(tables):
    made = [path for path in tables.parent.rglob("*") if path.is_file()]
    names = {path.relative_to(tables.parent).as_posix() for path in made}
    own = {"manifest.json", "study.toml", *names & {n for n in names if n.endswith(".jsonl")}}
    assert _listed(tables) == sorted(names - own)


def test_check_reports_missing_files_and_files_without_a_source(checkout, tables, capsys):
    _list(tables, "tables/old.md")
    (tables / "main.md").unlink()
    (tables / "old.md").write_text("", encoding="utf-8")
    capsys.readouterr()
    assert command(checkout, "--check") == 1
    report = capsys.readouterr().out
    assert "main.md: missing" in report
    assert "old.md: no rebuild makes this file" in report


def test_a_rebuild_removes_tables_that_it_no_longer_makes(checkout, tables):
    _list(tables, "tables/old.md")
    (tables / "old.md").write_text("", encoding="utf-8")
    assert command(checkout) == 0
    assert not (tables / "old.md").exists()
    assert "tables/old.md" not in _listed(tables)


OWN = ("tables/notes.md", "tables/own.csv", "figures/own.svg", "notes.md")


def test_files_of_the_user_stay_and_are_no_drift(checkout, tables):
    for name in OWN:
        path = tables.parent / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine", encoding="utf-8")
    assert command(checkout, "--check") == 0
    assert command(checkout) == 0
    assert [(tables.parent / name).read_text(encoding="utf-8") for name in OWN] == ["mine"] * 4
    assert not set(OWN) & set(_listed(tables))


@pytest.mark.parametrize("name", ["tables/main.md", "numbers.json", "macros.tex"])
def test_a_file_of_the_user_with_a_generated_name_is_overwritten_with_force_alone(
    checkout, name, capsys
):
    own = checkout / "results" / "small" / name
    own.parent.mkdir(exist_ok=True)
    own.write_text("mine", encoding="utf-8")
    assert command(checkout) == 2
    message = capsys.readouterr().err
    assert str(own) in message
    assert "--force" in message
    assert own.read_text(encoding="utf-8") == "mine"
    assert not (checkout / "results" / "small" / "manifest.json").exists()
    assert command(checkout, "--force") == 0
    assert own.read_text(encoding="utf-8") != "mine"
    assert command(checkout) == 0


def test_tables_of_version_0_1_which_lists_none_are_taken_as_generated(checkout, tables):
    _manifest(tables).write_text('{"title": "Small"}', encoding="utf-8")
    (tables / "main.md").write_text("of 0.1", encoding="utf-8")
    (tables / "notes.md").write_text("mine", encoding="utf-8")
    assert command(checkout) == 0
    assert (tables / "main.md").read_text(encoding="utf-8") != "of 0.1"
    assert (tables / "notes.md").read_text(encoding="utf-8") == "mine"
    assert _manifest(tables).read_text(encoding="utf-8") == '{"title": "Small"}'  # a run seals it


@pytest.mark.parametrize("name", ["study.toml", "../../README.md", "verdicts.jsonl", "tables"])
def test_an_edited_list_removes_nothing_but_tables_and_figures(checkout, tables, name):
    _list(tables, name)
    assert command(checkout) == 0
    assert (tables.parent / name).exists()


def test_without_figures_those_that_are_listed_stay(checkout, tables):
    figure = tables.parent / "figures" / "forest.svg"
    figure.parent.mkdir()
    figure.write_text("<svg/>", encoding="utf-8")
    _list(tables, "figures/forest.svg")
    assert command(checkout) == 0
    assert figure.exists()
    assert "figures/forest.svg" in _listed(tables)


@pytest.mark.parametrize("kind", ["a file", "the folder"])
def test_a_table_that_is_a_link_is_not_replaced(checkout, tables, kind, capsys):
    elsewhere = checkout / "elsewhere"
    if kind == "a file":
        link = tables / "main.md"
        link.rename(elsewhere)
    else:
        link = tables
        tables.rename(elsewhere)
    link.symlink_to(elsewhere)
    assert command(checkout) == 2
    assert str(tables / "main.md") in capsys.readouterr().err
    assert link.is_symlink()


def test_a_page_that_is_a_link_to_elsewhere_is_refused(checkout, capsys):
    readme, elsewhere = checkout / "README.md", checkout / "elsewhere.md"
    readme.rename(elsewhere)
    readme.symlink_to(elsewhere)
    assert command(checkout) == 2
    assert f"{readme} is a link to {elsewhere}" in capsys.readouterr().err
    assert readme.is_symlink()
    assert elsewhere.read_text(encoding="utf-8") == BLOCKS
    assert not (checkout / "results" / "small" / "tables").exists()


def test_a_page_that_is_a_link_to_another_page_stays_one(checkout):
    (checkout / "docs").mkdir()
    link = checkout / "docs" / "index.md"
    link.symlink_to(checkout / "README.md")
    assert command(checkout) == 0
    assert link.is_symlink()
    assert "| stepper |" in link.read_text(encoding="utf-8")


def test_a_file_limit_leaves_the_old_page(checkout, tables):
    readme = checkout / "README.md"
    before = readme.read_text(encoding="utf-8") + "The user's own text.\n" * 20_000
    readme.write_text(before, encoding="utf-8")
    options = f"--results {checkout / 'results'} --no-figures --resamples 200"
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f 300; {sys.executable} -m analysis.rebuild {options}"],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4
    assert f"Cannot write {readme}: File too large." in done.stderr
    assert readme.read_text(encoding="utf-8") == before
    assert not list(checkout.rglob("*.partial"))


def test_a_page_states_the_root_digests_of_sealed_studies_and_a_check_compares_them(
    checkout, tables, capsys
):
    readme = checkout / "README.md"
    readme.write_text("<!-- faultpair:root-digests --><!-- /faultpair -->\n", encoding="utf-8")
    manifest = read_manifest(_manifest(tables)).with_entry("sha256", entry={"x": "1"})
    named = type(manifest).of({**manifest.document, "title": "Small"})
    write_manifest(_manifest(tables), named)
    assert command(checkout) == 0
    assert f"| small | `{root_digest(named)}` |\n" in readme.read_text(encoding="utf-8")
    write_manifest(_manifest(tables), named.with_entry("sha256", entry={"x": "2"}))
    capsys.readouterr()
    assert command(checkout, "--check") == 1
    assert "README.md (rebuilt)" in capsys.readouterr().out


def test_the_release_is_not_written_into_the_folder_of_a_study(checkout, tables, capsys):
    folder = tables.parent
    files = ["--raw", str(folder), "--instances", str(folder / "instances.jsonl")]
    assert main([*files, "--out", str(folder), "--no-figures"]) == 2
    assert "holds a study of its own" in capsys.readouterr().err


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


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"numbers": {"a": 1}}', '{"numbers": ' + "[" * 100_000]
)
def test_kept_numbers_that_a_page_cannot_show_are_named(checkout, capsys, text):
    assert command(checkout) == 0
    other = checkout / "results" / "other"
    shutil.copytree(checkout / "results" / "small", other)
    (checkout / "results" / "small" / "numbers.json").write_text(text, encoding="utf-8")
    assert command(checkout, "--study", "other") == 2
    assert f"{checkout / 'results' / 'small' / 'numbers.json'}: " in capsys.readouterr().err
