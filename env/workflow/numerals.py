"""Numbers in words, and the numbers that a text states.

>>> spelled(4800), spelled(7.5), spelled(93)
('4.8 thousand', 'seven point five', 'ninety-three')
>>> list(numbers_in("4.8 thousand, seven point five or 12,000"))
[4800, 7.5, 12000]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["numbers_in", "spelled"]

ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
SCALES = {"thousand": 1_000, "million": 1_000_000}
SMALL = {word: number for number, word in enumerate(ONES)} | {
    word: 20 + 10 * index for index, word in enumerate(TENS)
}

_WORD = "|".join((*ONES[::-1], *TENS))  # seventeen before seven
_BELOW_HUNDRED = rf"(?:{_WORD})(?:-(?:{_WORD}))?"
_WHOLE = rf"(?:(?:{_WORD}) hundred(?: and {_BELOW_HUNDRED})?|{_BELOW_HUNDRED})"
_SPOKEN = rf"{_WHOLE}(?: point(?: (?:{_WORD}))+)?"
_DIGITS = r"(?<![\w.-])\d[\d,]*(?:\.\d+)?"
_NUMBER = re.compile(rf"(?:{_DIGITS}|\b{_SPOKEN}\b)(?: (?:{'|'.join(SCALES)})\b)?", re.IGNORECASE)


def spelled(value: float) -> str:
    """Return a number, not negative, in words, from a thousand on in thousands or millions.

    A number without a short form is written in digits with commas.
    """
    if value < 1_000:
        return _in_words(value)
    for word in ("million", "thousand"):
        scaled = round(value / SCALES[word], 6)
        if scaled >= 1 and scaled == round(scaled, 1):
            return f"{_in_words(scaled) if scaled == int(scaled) else scaled} {word}"
    return _in_digits(value)


def numbers_in(text: str) -> Iterator[int | float]:
    """Yield every number in a text, in digits or in words, in its order."""
    for match in _NUMBER.finditer(text):
        yield _parsed(match[0].casefold())


def _in_words(value: float) -> str:
    whole, decimals = int(value), _decimals(value)
    if len(decimals) > 2:
        return _in_digits(value)
    words = [_below_thousand(whole), *(["point"] if decimals else [])]
    return " ".join([*words, *(ONES[int(digit)] for digit in decimals)])


def _in_digits(value: float) -> str:
    decimals = _decimals(value)
    return f"{int(value):,}{'.' if decimals else ''}{decimals}"


def _decimals(value: float) -> str:
    return f"{value:.6f}".rstrip("0").partition(".")[2]


def _below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    if not hundreds:
        return _below_hundred(rest)
    return f"{ONES[hundreds]} hundred" + (f" and {_below_hundred(rest)}" if rest else "")


def _below_hundred(number: int) -> str:
    if number < 20:
        return ONES[number]
    tens, ones = TENS[number // 10 - 2], number % 10
    return f"{tens}-{ONES[ones]}" if ones else tens


def _parsed(text: str) -> int | float:
    *front, last = text.split(" ")
    scale = SCALES.get(last, 1)
    number = round(_unscaled(front if last in SCALES else [*front, last]) * scale, 6)
    return int(number) if number == int(number) else number


def _unscaled(words: list[str]) -> float:
    if words[0][0].isdigit():
        return float(words[0].replace(",", ""))
    whole, _, decimals = " ".join(words).partition(" point ")
    digits = "".join(str(SMALL[word]) for word in decimals.split())
    return float(f"{_parsed_whole(whole)}.{digits or 0}")


def _parsed_whole(words: str) -> int:
    front, _, rest = words.partition(" hundred")
    if "hundred" in words:
        below = rest.removeprefix(" and ")
        return 100 * SMALL[front] + (_parsed_whole(below) if below else 0)
    return sum(SMALL[part] for part in front.split("-"))
