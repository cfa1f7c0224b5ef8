"""A study whose every name is hostile: its files are stable, well-formed, and show plain text."""

import csv
import json
import re
from importlib.util import find_spec
from xml.etree import ElementTree

import pytest

from faultpair.analysis.rebuild import main
from faultpair.env.plain_text import plain

from ..hostile import FEW, NAMES, in_toml
from .conftest import sees_steps, small_records

BLOCKS = "# Readme\n\n<!-- faultpair:main study=small --><!-- /faultpair -->\n\nThe end.\n"
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def hostile_study(folder, texts):
    """Write a study with these texts as ids of judges, as kinds of faults and in its file."""
    made = small_records(folder / "results" / "small")
    kinds = {"skipped": texts[0], "promise": texts[-1]}
    for run in made.trajectories:
        kind = run["label"]["failure_type"]
        run["label"]["failure_type"] = kinds.get(kind, kind)
    for instance, text in zip(made.instances, texts, strict=False):
        instance["difficulty"] = text
    for text in texts:
        made.judged(text, sees_steps, view="full-steps", task="check")
    made.study_file = "".join(
        f"[[contrasts]]\nname = {in_toml(text)}\njudge = {in_toml(text)}\n"
        f"against = {in_toml(texts[0])}\nreading = {in_toml(text)}\n"
        for text in texts[1:6]
    )
    made.write()
    (folder / "README.md").write_text(BLOCKS, encoding="utf-8")
    return folder


def rebuilt(root, *options):
    return main(["--results", str(root / "results"), "--resamples", "20", *options])


def check(root, texts, *options):
    assert rebuilt(root, *options) == 0
    assert rebuilt(root, *options, "--check") == 0
    folder = root / "results" / "small"
    made = [*folder.glob("tables/*"), *folder.glob("figures/*"), folder / "macros.tex"]
    for path in (*made, root / "README.md"):
        assert not UNSAFE.search(path.read_text("utf-8")), path
    for path in folder.glob("figures/*.svg"):
        ElementTree.parse(path)
    with (folder / "tables" / "main.csv").open(encoding="utf-8", newline="") as lines:
        shown = [row[0] for row in csv.reader(lines)]
    for text in texts:
        assert plain(text) in shown or f"'{plain(text)}" in shown
    numbers = json.loads((folder / "numbers.json").read_text("utf-8"))["numbers"]
    assert all(f"{text}/delta/all" in numbers for text in texts)
    readme = (root / "README.md").read_text("utf-8")
    assert readme.count("<!-- /faultpair -->") == 1
    assert readme.endswith("The end.\n")


def test_the_tables_of_hostile_names_are_stable_and_plain(tmp_path, capsys):
    texts = [text for text in FEW if text][::5]
    check(hostile_study(tmp_path, texts), texts, "--no-figures")


def test_a_second_rebuild_of_hostile_names_writes_the_same_bytes(tmp_path, capsys):
    root = hostile_study(tmp_path, ["a", "<!-- /faultpair -->", "|\n<!-- faultpair:main -->"])
    rebuilt(root, "--no-figures")
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    rebuilt(root, "--no-figures")
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


@pytest.mark.skipif(not find_spec("matplotlib"), reason="needs the extra 'figures'")
@pytest.mark.slow
def test_the_figures_of_hostile_names_are_xml(tmp_path, capsys):
    texts = [text for text in FEW if text][::9]
    check(hostile_study(tmp_path, texts), texts)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(12))
def test_the_tables_of_all_hostile_names_are_stable_and_plain(tmp_path, capsys, first):
    texts = NAMES[first::12]
    check(hostile_study(tmp_path, texts), texts, "--no-figures")


@pytest.mark.parametrize("name", ["<b> | *a*", "a\x1b[2J", "=1+1", "50% $x$ {a}"])
def test_the_name_of_a_folder_is_plain_text(tmp_path, capsys, name):
    root = hostile_study(tmp_path, ["a", "b"])
    (root / "results" / "small").rename(root / "results" / name)
    (root / "README.md").unlink()
    assert rebuilt(root, "--no-figures") == 0
    assert rebuilt(root, "--no-figures", "--check") == 0
    assert rebuilt(root, "--study", "another") == 2
    printed = capsys.readouterr()
    assert not UNSAFE.search(printed.out + printed.err)
    title = (root / "results" / name / "tables" / "main.md").read_text("utf-8").splitlines()[0]
    assert not UNSAFE.search(title)
    assert "<b>" not in title
