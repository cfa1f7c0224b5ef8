"""Hostile names in the files of tables: Markdown shows them as they are, a spreadsheet, too."""

import csv
import io

import pytest
from markdown_it import MarkdownIt

from faultpair.analysis.stats.estimate import undefined
from faultpair.analysis.tables.escapes import csv_text
from faultpair.analysis.tables.table import Column, Style, Table, as_csv, as_markdown
from faultpair.env.plain_text import plain

from ...hostile import HOSTILE, SURROGATES, named

TEXTS = [*HOSTILE, *SURROGATES]
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def parsed(markdown):
    """Return the kinds of all tokens, and the texts of each line of text that hold no markup."""
    tokens = READER.parse(markdown)
    lines = [token.children for token in tokens if token.type == "inline"]
    for line in lines:
        assert {token.type for token in line} <= {"text", "strong_open", "strong_close"}
    return [token.type for token in tokens], ["".join(t.content for t in line) for line in lines]


def table(text, notes=()):
    columns = (Column("Judge"), Column(text or "-"))
    return Table("t", f"Title, {text}.", columns, ((text, "end"), ("second", text)), notes)


@pytest.mark.parametrize("text", TEXTS, ids=named)
def test_markdown_shows_a_title_a_heading_and_a_cell_as_they_are(text):
    kinds, lines = parsed(as_markdown(table(text)))
    shown = plain(text)
    assert lines == [f"Title, {shown}.", "Judge", shown or "-", shown, "end", "second", shown]
    assert (kinds.count("table_open"), kinds.count("tr_open")) == (1, 3)


@pytest.mark.parametrize("text", [text for text in TEXTS if text], ids=named)
def test_markdown_shows_a_note_and_a_reason_as_they_are(text):
    unknown = Column("n", Style.RATE)
    made = Table("t", "T", (unknown,), ((undefined(text),),), (text, f"{text}: rests on 2."))
    kinds, lines = parsed(as_markdown(made))
    shown = plain(text)
    assert lines[-3:] == [shown, f"{shown}: rests on 2.", f"n/a: {shown}."]
    assert (kinds.count("list_item_open"), kinds.count("bullet_list_open")) == (3, 1)


@pytest.mark.parametrize("text", TEXTS, ids=named)
def test_no_mark_of_a_block_or_of_a_number_comes_out_of_a_table(text):
    assert "<!--" not in as_markdown(table(text, (text,)))


@pytest.mark.parametrize("text", TEXTS, ids=named)
def test_csv_has_one_line_a_row_and_no_formula(text):
    made = as_csv(table(text))
    assert len(made.splitlines()) == 3
    (_, heading), (cell, _), (_, last) = csv.reader(io.StringIO(made))
    assert cell == last
    assert cell.removeprefix("'") == plain(text).removeprefix("'")
    for shown in (heading, cell):
        is_number = shown.replace(".", "").removeprefix("-").isdigit()
        assert is_number or not shown.strip().startswith(tuple("=+-@\uff1d\uff0b\uff0d\uff20"))


@pytest.mark.parametrize("number", ["-0.064", "+0.2", "-3", "1e-5", "-1.5E+3"])
def test_a_number_stays_a_number_in_csv(number):
    assert csv_text(number) == number


@pytest.mark.parametrize("name", ["type=wrong_tool", "p < 0.05", "step-1.5b", "a_b: c (d) [0, 1]"])
def test_an_ordinary_name_is_written_as_it_is(name):
    made = table(name, (name,))
    assert as_markdown(made).count(name) == as_csv(made).count(name) + 2
