"""Value types: a feeder, a load in kW, a day. An output can feed an input of the same type.

A type draws values and has two texts for each: the exact one of a schema, and a plain one as
people write. It finds a value in a text in either form, which proves that a vague request
still states all that its plan needs.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any, ClassVar

from ..months import MONTHS
from ..rng import below, pick
from .numerals import numbers_in, spelled

__all__ = [
    "Choice",
    "Day",
    "Flag",
    "Identifier",
    "ListOf",
    "Name",
    "Note",
    "Quantity",
    "Share",
    "ValueType",
]

FIRST_DAY = date(2026, 1, 1)
DAYS = 730


class ValueType(ABC):
    """The type of a value. Two types are the same if their names are."""

    name: str
    json_type: ClassVar[str]
    can_be_stated: ClassVar[bool] = True
    """Whether a request can state such a value, or tools alone produce it."""

    @abstractmethod
    def draw(self, rng: Random) -> Any:
        """Return a value."""

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of a value."""
        return {"type": self.json_type}

    def meaning(self) -> str:
        """Describe the values, as the continuation of a name and a colon."""
        return "what another tool found"

    def exact(self, value: Any) -> str:
        """Return the text of a value in the form of its schema."""
        return str(value)

    def plain(self, value: Any) -> str:
        """Return the text of a value as people write it."""
        return self.exact(value)

    def mentions(self, text: str) -> Iterator[Any]:
        """Yield the values of this type that a text states in either form."""
        yield from ()


@dataclass(frozen=True, slots=True)
class Identifier(ValueType):
    """A numbered thing: ``FD-203``, plain "feeder 203"."""

    name: str
    noun: str
    prefix: str
    low: int = 100
    high: int = 999
    json_type: ClassVar[str] = "string"

    def draw(self, rng: Random) -> str:
        return f"{self.prefix}-{self.low + below(rng, self.high - self.low + 1)}"

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": f"^{re.escape(self.prefix)}-[0-9]+$"}

    def meaning(self) -> str:
        return f"the code of the {self.noun}, such as {self.prefix}-{self.low}"

    def plain(self, value: str) -> str:
        return f"{self.noun} {value.removeprefix(self.prefix + '-')}"

    def mentions(self, text: str) -> Iterator[str]:
        pattern = rf"\b(?:{re.escape(self.prefix)}-|{re.escape(self.noun)} )(\d+)\b"
        for match in re.finditer(pattern, text, re.IGNORECASE):
            yield f"{self.prefix}-{match[1]}"


@dataclass(frozen=True, slots=True)
class Quantity(ValueType):
    """A number with a unit: whole multiples of ``step`` between ``low`` and ``high``.

    ``step`` may be a decimal fraction such as 0.5.
    """

    name: str
    unit: str
    low: float
    high: float
    step: float = 1
    json_type: ClassVar[str] = "number"

    def draw(self, rng: Random) -> int | float:
        n_steps = round((self.high - self.low) / self.step)
        value = round(self.low + below(rng, n_steps + 1) * self.step, 6)
        return int(value) if value == int(value) else value

    def meaning(self) -> str:
        return f"a number of {self.unit}" if self.unit else "a number"

    def exact(self, value: float) -> str:
        return f"{value} {self.unit}".strip()

    def plain(self, value: float) -> str:
        return f"{spelled(value)} {self.unit}".strip()

    def mentions(self, text: str) -> Iterator[int | float]:
        return numbers_in(text)


@dataclass(frozen=True, slots=True)
class Share(ValueType):
    """A share of a whole: 0.35, plain "thirty-five percent"."""

    name: str
    low: int = 5
    high: int = 95
    json_type: ClassVar[str] = "number"

    def draw(self, rng: Random) -> float:
        return (self.low + below(rng, self.high - self.low + 1)) / 100

    def schema(self) -> dict[str, Any]:
        return {"type": "number", "minimum": 0, "maximum": 1}

    def meaning(self) -> str:
        return "a share between 0 and 1"

    def plain(self, value: float) -> str:
        return f"{spelled(round(value * 100, 4))} percent"

    def mentions(self, text: str) -> Iterator[int | float]:
        for number in numbers_in(text):
            yield number
            yield round(number / 100, 6)


@dataclass(frozen=True, slots=True)
class Choice(ValueType):
    """One of a few words of a schema, each with a plain expression."""

    name: str
    words: Mapping[str, str]
    json_type: ClassVar[str] = "string"

    def draw(self, rng: Random) -> str:
        return pick(rng, tuple(self.words))

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.words)}

    def meaning(self) -> str:
        return f"one of {', '.join(self.words)}"

    def plain(self, value: str) -> str:
        return self.words[value]

    def mentions(self, text: str) -> Iterator[str]:
        for word, plain in self.words.items():
            if re.search(rf"\b(?:{re.escape(word)}|{re.escape(plain)})\b", text, re.IGNORECASE):
                yield word


@dataclass(frozen=True, slots=True)
class Day(ValueType):
    """A date: ``2026-03-18``, plain "18 March 2026"."""

    name: str
    json_type: ClassVar[str] = "string"

    def draw(self, rng: Random) -> str:
        return (FIRST_DAY + timedelta(days=below(rng, DAYS))).isoformat()

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "format": "date"}

    def meaning(self) -> str:
        return "a date such as 2026-03-18"

    def plain(self, value: str) -> str:
        day = date.fromisoformat(value)
        return f"{day.day} {MONTHS[day.month - 1]} {day.year}"

    def mentions(self, text: str) -> Iterator[str]:
        yield from re.findall(r"\b\d{4}-\d\d-\d\d\b", text)
        for day, month, year in re.findall(rf"\b(\d+) ({'|'.join(MONTHS)}) (\d{{4}})\b", text):
            yield date(int(year), MONTHS.index(month) + 1, int(day)).isoformat()


@dataclass(frozen=True, slots=True)
class Name(ValueType):
    """A proper name, the same in both forms."""

    name: str
    names: tuple[str, ...]
    json_type: ClassVar[str] = "string"

    def draw(self, rng: Random) -> str:
        return pick(rng, self.names)

    def meaning(self) -> str:
        return f"a name such as {self.names[0]}"

    def mentions(self, text: str) -> Iterator[str]:
        return (name for name in self.names if name in text)


@dataclass(frozen=True, slots=True)
class Flag(ValueType):
    """A yes or no that a tool finds."""

    name: str
    json_type: ClassVar[str] = "boolean"
    can_be_stated: ClassVar[bool] = False

    def draw(self, rng: Random) -> bool:
        return rng.random() < 0.5


@dataclass(frozen=True, slots=True)
class Note(ValueType):
    """A text that a tool writes, one of a few."""

    name: str
    texts: tuple[str, ...]
    json_type: ClassVar[str] = "string"
    can_be_stated: ClassVar[bool] = False

    def draw(self, rng: Random) -> str:
        return pick(rng, self.texts)


@dataclass(frozen=True, slots=True)
class ListOf(ValueType):
    """Several values of one type, gathered from several calls."""

    of: ValueType
    json_type: ClassVar[str] = "array"
    can_be_stated: ClassVar[bool] = False

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the item type, in brackets."""
        return f"[{self.of.name}]"

    def draw(self, rng: Random) -> list[Any]:
        return [self.of.draw(rng) for _ in range(2 + below(rng, 3))]

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.of.schema()}

    def meaning(self) -> str:
        return f"a list, each item {self.of.meaning()}"
