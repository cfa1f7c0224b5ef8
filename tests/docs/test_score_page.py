"""The page on scoring says what the command does, and its example gives what it shows."""

import doctest
import re
from pathlib import Path

from faultpair.analysis.data.pair_columns import COLUMNS

ROOT = Path(__file__).resolve().parents[2]


def test_the_command_of_the_page_gives_its_first_table(shell, blocks):
    (command,), (shown,) = (blocks("docs/score.md", language) for language in ("sh", "text"))
    lines = [line.rstrip() for line in shell(command).splitlines()]
    expected = shown.splitlines()
    assert lines[: len(expected)] == expected


def test_the_examples_in_python_give_what_the_page_shows(blocks, monkeypatch):
    monkeypatch.chdir(ROOT)
    shown = "\n".join(blocks("docs/score.md", "python"))
    examples = doctest.DocTestParser().get_doctest(shown, {}, "score.md", "score.md", 0)
    report: list[str] = []
    assert doctest.DocTestRunner().run(examples, out=report.append).failed == 0, "".join(report)


def test_the_table_of_columns_is_that_of_the_code(rows):
    table = {name: row[1] for name, row in rows("Columns", "score.md").items()}
    assert table == COLUMNS


def test_the_rows_that_the_page_shows_are_in_the_example(blocks):
    (shown,) = blocks("docs/score.md", "csv")
    file = ROOT / "docs" / "examples" / "score" / "verdicts.csv"
    assert set(shown.splitlines()) <= set(file.read_text(encoding="utf-8").splitlines())


def test_the_page_on_meanings_explains_every_word_of_the_summary():
    text = (ROOT / "docs" / "what-the-numbers-mean.md").read_text(encoding="utf-8")
    for word in ("cautious", "gate", "Coverage", "Control-Δ", "Holm", "Rogan", "paired AUC"):
        assert re.search(rf"\b{word}", text), word
