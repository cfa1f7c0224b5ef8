"""Text from outside in a table's file: no markup in Markdown, no formula in CSV.

A text without such characters is written as it is, so that names are easy to find in a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from faultpair.env.plain_text import plain

__all__ = ["AsWritten", "cell_text", "csv_lines", "csv_text", "line_text", "markdown_text"]


class AsWritten(str):
    """A note of ours, in which backticks are markup. It holds no text from outside."""

    __slots__ = ()


_MARKUP = re.compile(
    r"""
    \\(?=[^\w\s]|$)          # an escape
    | [*~`$]                 # emphasis, a line through, code, mathematics
    | (?<![^\W_])_ | _(?![^\W_])  # emphasis, except inside a word
    | !(?=\[)                # a picture
    | [\[\]](?=[(\[:\]^]) | \[(?=[ xX]\])  # a link, its definition, a footnote, a box to tick
    | <(?=[a-z/!?])           # an element, a comment, an address
    | &(?=\#?\w+;)           # a character by name
    | :(?=//) | (?<=www)\.   # an address that some readers make a link
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BY_NAME = {"<": "&lt;", "&": "&amp;", ":": "&#58;", ".": "&#46;"}

_OF_A_BLOCK = re.compile(r"[#>+=-]|\d+(?=[.)])")
"""What makes the beginning of a line a heading, a list, a quotation or a rule."""

_FORMULA = re.compile(r"\s*[=+@\-\uff1d\uff0b\uff20\uff0d]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")


def markdown_text(text: str) -> str:
    r"""Return a text as Markdown that shows it as it is, inside a line.

    >>> print(markdown_text("<b>*x*</b> [a](b)"), markdown_text("wrong_tool, p < 0.05"))
    &lt;b>\*x\*&lt;/b> [a\](b) wrong_tool, p < 0.05
    """
    inline = _MARKUP.sub(_escaped, plain(text))
    # Blanks at the ends are dropped, or part the text from the marks around it.
    before, kept, after = _by_blanks(inline)
    return f"{_by_number(before)}{kept}{_by_number(after)}"


def cell_text(text: str) -> str:
    r"""Return a text as a cell of a Markdown table.

    >>> print(cell_text("a|b\n"))
    a\|b\n
    """
    return markdown_text(text).replace("|", "\\|")


def line_text(text: str) -> str:
    r"""Return a text as a line of Markdown of its own.

    >>> print(line_text("# a"), line_text("1. b"))
    \# a 1\. b
    """
    inline = markdown_text(text)
    opening = _OF_A_BLOCK.match(inline)
    end = opening.end() if opening and opening[0].isdigit() else 0
    return f"{inline[:end]}\\{inline[end:]}" if opening else inline


def csv_text(text: str) -> str:
    """Return a text that a spreadsheet does not read as a formula: an apostrophe precedes it.

    >>> csv_text("=1+1"), csv_text("-0.064"), csv_text("wrong_tool")
    ("'=1+1", '-0.064', 'wrong_tool')
    """
    return _no_formula(plain(text))


def csv_lines(lines: Iterable[str]) -> str:
    """Return lines of text as such a cell."""
    return _no_formula("\n".join(map(plain, lines)))


def _no_formula(shown: str) -> str:
    is_formula = _FORMULA.match(shown) and not _NUMBER.fullmatch(shown)
    return f"'{shown}" if is_formula else shown


def _by_blanks(text: str) -> tuple[str, str, str]:
    """Return the blanks before a text, the text without them, and those after it."""
    kept = text.strip()
    before, _, after = text.partition(kept) if kept else (text, "", "")
    return before, kept, after


def _by_number(blanks: str) -> str:
    return "".join(f"&#{ord(blank)};" for blank in blanks)


def _escaped(match: re.Match[str]) -> str:
    return _BY_NAME.get(match[0], f"\\{match[0]}")
