"""A console prints hostile text as text: no code, no markup, nothing invisible."""

import io
import re

import pytest
from rich.console import Group
from rich.table import Table as Grid
from rich.text import Text

from faultpair.analysis.stats.estimate import undefined
from faultpair.analysis.tables.table import Column, Style, Table
from faultpair.cli.display.table_layout import laid_out
from faultpair.cli.display.terminal import Output, styled
from faultpair.env.plain_text import plain, plain_lines

from ....hostile import HOSTILE, SURROGATES

TEXTS = [*HOSTILE, *SURROGATES]
OWN_CODES = re.compile(r"\x1b\[[\d;]*m")
"""The codes by which Rich sets a style, and no others."""


def printed(*things, terminal=True, width=2000, **settings):
    out = Output(file=io.StringIO(), force_terminal=terminal, width=width, color_system="standard")
    out.print(*things, **settings)
    return OWN_CODES.sub("", out.file.getvalue())


def is_safe(text):
    text.encode()
    return plain_lines(text) == text


@pytest.mark.parametrize("terminal", [True, False])
def test_a_printed_text_is_shown_as_it_is(terminal):
    for text in TEXTS:
        shown = printed(text, terminal=terminal, soft_wrap=True)
        assert is_safe(shown)
        if "\t" not in text:
            assert shown == f"{plain_lines(text)}\n"


def test_a_text_anywhere_inside_a_layout_is_safe():
    for text in TEXTS:
        grid = Grid(text, title=text, caption=text)
        grid.add_row(text)
        grid.add_row(Group(Text(text), styled(text, "bold"), text))
        assert is_safe(printed(grid, Text(text), Group(text), width=40))


def test_a_table_shows_names_as_they_are():
    for text in TEXTS:
        columns = (Column("Judge"), Column(text or "-", Style.RATE))
        made = Table("t", text, columns, ((text, undefined(text)),), (f"{text}: note",))
        shown = printed(laid_out(made))
        assert is_safe(shown)
        assert shown.count(plain(text)) >= 4 or not text.strip()


def test_escapes_do_not_make_a_column_lose_text():
    name = "judge\x1b[31m\u202e\x9b" * 3
    made = Table("t", "T", (Column("Judge"), Column("More")), ((name, "–"),))
    letters = "".join(printed(laid_out(made), width=30).replace("–", "").split())
    assert plain(name) in letters
