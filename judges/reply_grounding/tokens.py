"""Tokens: the words, values and marks of a text.

Every quantifier is bounded, so the time is linear in the length of a text; a ``+`` after
a quantifier makes it possessive, since shorter matches could not succeed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from .dates import DATE, readings_of
from .english import NUMERALS

__all__ = ["Sort", "Token", "tokens"]


class Sort(StrEnum):
    """What a token is. All but the last three are values, which need a source."""

    AMOUNT = "amount"
    PERCENT = "percent"
    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    ADDRESS = "address"
    IDENTIFIER = "identifier"
    WORD = "word"
    JOINT = "joint"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text.

    ``number`` is the value of an amount, percentage or number, None if it is not
    finite; ``currency`` is lower-case, "" where none is stated; ``dates`` are the
    ISO days that a date can mean.
    """

    sort: Sort
    text: str
    number: float | None = None
    currency: str = ""
    dates: tuple[str, ...] = ()


_NUMBER = r"\d{1,15}(?:[.,]\d{1,15}){0,6}"
_SIGNS = {"€": "eur", "£": "gbp", "$": "usd", "¥": "jpy", "₹": "inr"}
_NAMES = {
    "euro": "eur",
    "euros": "eur",
    "pound": "gbp",
    "pounds": "gbp",
    "dollar": "usd",
    "dollars": "usd",
    "franc": "chf",
    "francs": "chf",
}
_SIGN = f"[{''.join(_SIGNS)}]"
_UNIT = rf"[A-Z]{{3}}\b|{_SIGN}|(?:{'|'.join(_NAMES)})\b"
_CURLY_APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"
_PATTERN = re.compile(
    rf"""
      (?P<address>[\w.+-]{{1,64}}+@[\w-]{{1,64}}+(?:\.[\w-]{{1,64}}+){{1,5}})
    | (?P<date>{DATE})
    | (?P<time>\b\d{{1,2}}:\d{{2}}\b)
    | (?P<percent>{_NUMBER}\s?(?:%|per\s?cent\b))
    | (?P<amount>(?:\b[A-Z]{{3}}|{_SIGN})\s?{_NUMBER}|{_NUMBER}\s?(?:{_UNIT}))
    | (?P<identifier>\b[A-Z]{{2,10}}(?:-[A-Z0-9]{{1,30}}){{1,5}}\b
        |\b[^\W\d_]{{1,10}}+-?\d[\w-]{{0,60}}|\b\d{{1,30}}[^\W\d_][\w-]{{0,60}})
    | (?P<number>{_NUMBER})
    | (?P<word>[^\W\d_]{{1,60}}(?:['-][^\W\d_]{{1,60}}){{0,4}})
    | (?P<stop>[.!?\n…]+)
    | (?P<joint>[,;:()—–/])
    """,
    re.VERBOSE,
)


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a text, without other signs.

    >>> [(str(t.sort), t.text) for t in tokens("I sent CHF 34.06 back.")]
    [('word', 'I'), ('word', 'sent'), ('amount', 'CHF 34.06'), ('word', 'back'), ('stop', '.')]
    """
    for found in _PATTERN.finditer(text.replace(_CURLY_APOSTROPHE, "'")):
        sort, piece = Sort(found.lastgroup or ""), found.group()
        if sort is Sort.WORD and piece.lower() in NUMERALS:
            yield Token(Sort.NUMBER, piece, NUMERALS[piece.lower()])
        elif sort is Sort.DATE:
            yield Token(sort, piece, dates=readings_of(piece))
        elif sort in (Sort.AMOUNT, Sort.PERCENT, Sort.NUMBER):
            yield Token(sort, piece, _number_in(piece), _currency_in(piece))
        else:
            yield Token(sort, piece)


def _number_in(piece: str) -> float | None:
    """Return the number in a piece, whether its decimals follow a point or a comma."""
    found = re.search(_NUMBER, piece)
    digits = found.group() if found else ""
    whole, mark, rest = digits.rpartition("," if digits.rfind(",") > digits.rfind(".") else ".")
    if mark == "," and len(rest) == 3 and "." not in whole:
        whole, rest = digits, ""
    number = float(f"{re.sub('[.,]', '', whole)}.{rest}" if mark else digits or "nan")
    return number if isfinite(number) else None


def _currency_in(piece: str) -> str:
    unit = re.sub(rf"{_NUMBER}|\s", "", piece)
    return _SIGNS.get(unit) or _NAMES.get(unit) or unit.lower().rstrip("%")
