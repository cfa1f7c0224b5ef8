"""Text from outside is shown without the characters that are invisible or control a display."""

import unicodedata

import pytest

from faultpair.env.plain_text import make_plain, plain, plain_lines

from ..hostile import BIDI, HOSTILE, INVISIBLE, SURROGATES

JOINERS = "\u200c\u200d"


def test_there_are_300_hostile_texts():
    assert len(HOSTILE) + len(SURROGATES) >= 300


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("a\nb\tc\rd", r"a\nb\tc\rd"),
        ("\x00\x7f\x9b", r"\x00\x7f\x9b"),
        ("\u202eabc", r"\u202eabc"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
        ("wrong_tool – 5 € ✓ é 日本", "wrong_tool – 5 € ✓ é 日本"),
        (r"C:\new", r"C:\new"),
    ],
)
def test_a_character_that_does_something_is_shown_as_its_escape(text, shown):
    assert plain(text) == shown


def test_every_control_and_format_character_of_the_basic_plane_is_escaped():
    # Signs of some scripts are format characters that are seen; the joiners are part of words.
    seen = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2" + JOINERS
    kinds = ("Cc", "Cf", "Cs", "Zl", "Zp")
    marks = [chr(code) for code in range(0x10000) if unicodedata.category(chr(code)) in kinds]
    assert [mark for mark in marks if mark in plain(mark) and mark not in seen] == []
    assert not {*BIDI, *INVISIBLE} & {*plain(BIDI + INVISIBLE)}


@pytest.mark.parametrize("show", [plain, plain_lines])
def test_what_is_escaped_once_stays_as_it_is(show):
    for text in (*HOSTILE, *SURROGATES):
        assert show(show(text)) == show(text)
        show(text).encode()


def test_lines_keep_their_newlines_and_tabs_alone():
    assert plain_lines("a\n\tb\r\x0b\u2028c") == "a\n\tb" + r"\r\x0b\u2028c"


def test_the_message_of_an_error_is_escaped_in_place():
    error = ValueError()
    error.message = "no option \x1b[2J"
    make_plain(error)
    assert error.message == r"no option \x1b[2J"
    make_plain(ValueError("has no message"))
