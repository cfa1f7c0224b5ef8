"""The request for a plan in three tiers, by a grammar over the words of a sector.

Easy gives away tools, parameter names, exact values and data flow; medium the tools
and exact values; hard only what is wanted in the end, what it should depend on where
nothing else tells, and plain values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import cycle
from random import Random

from ...rng import pick
from ..value_types import Identifier, Name
from . import patterns
from .clauses import Clause, Fed, Stated
from .patterns import ArgumentStyle

__all__ = ["easy", "hard", "listed", "medium"]

_MOST_JOINED = 3
_PREPOSITION = re.compile(r"(?:out of|\w+) \{\}")


def easy(clauses: Sequence[Clause], rng: Random) -> str:
    """Return the request that spells out every step."""
    style = pick(rng, patterns.ARGUMENT_STYLES)
    steps = [
        f"{lead} {clause.tool.ask}{_arguments(place, clauses, style)}."
        for place, (lead, clause) in enumerate(zip(_leads(len(clauses), rng), clauses, strict=True))
    ]
    return _spaced(pick(rng, patterns.OPENINGS), *steps, pick(rng, patterns.CLOSINGS))


def medium(clauses: Sequence[Clause], rng: Random) -> str:
    """Return the request that orders each step in passing, with exact values."""
    is_short = len(clauses) <= _MOST_JOINED
    chain = pick(rng, patterns.SENTENCES + (patterns.JOINED if is_short else ()))
    then, also = cycle(chain.then), cycle(chain.also)
    text = chain.opening + _ordered(clauses[0])
    for clause in clauses[1:]:
        text += next(then if clause.fed else also) + _ordered(clause)
    return _capital(text + chain.ending)


def hard(clauses: Sequence[Clause], rng: Random) -> str:
    """Return the request of a person who says what it is about and what is wanted."""
    about, wanted = _situation(clauses, rng), _wanted(clauses, rng)
    parts = [*wanted, about] if rng.random() < 0.3 else [about, *wanted]
    return _spaced(pick(rng, patterns.GREETINGS), *parts, pick(rng, patterns.REMARKS))


def listed(parts: Sequence[str], last: str = " and ") -> str:
    """Return parts as a list in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return last.join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _leads(n: int, rng: Random) -> list[str]:
    leads, last = pick(rng, patterns.ORDERS)
    return [*leads[:n]] if last is None or n < 3 else [*leads[: n - 1], last]


def _arguments(place: int, clauses: Sequence[Clause], style: ArgumentStyle) -> str:
    clause = clauses[place]
    stated = [
        style.stated.format(label=one.parameter.label, value=_in_turn(one.exact()))
        for one in clause.stated
    ]
    fed = [_passed_on(place, one, clauses[one.source], style) for one in clause.fed]
    return style.frame.format(listed([*fed, *stated])) if fed or stated else ""


def _in_turn(values: Sequence[str]) -> str:
    """Return the values of an argument that a loop goes through."""
    return listed([values[0], *(f"then {value}" for value in values[1:])])


def _passed_on(place: int, fed: Fed, source: Clause, style: ArgumentStyle) -> str:
    origin = f"the {patterns.ORDINALS[fed.source]} step"
    if source.is_loop:
        origin = "each of these calls"
    elif fed.source == place - 1:
        origin = "the step before"
    is_same = fed.field.name == fed.parameter.name
    return (style.same if is_same else style.other).format(
        field=fed.field.label, label=fed.parameter.label, origin=origin
    )


def _ordered(clause: Clause) -> str:
    phrases = [
        one.parameter.phrase.format(_each(one.exact()) if clause.is_loop else one.exact()[0])
        for one in clause.stated
    ]
    if len(phrases) > 2:
        phrases = [listed(phrases)]
    elif len(phrases) == 2 and not _is_subject(clause.stated[0]):
        phrases = [", ".join(phrases)]
    return " ".join([clause.tool.ask, *phrases])


def _each(values: Sequence[str]) -> str:
    return f"each of {listed(values)}" if len(values) > 1 else values[0]


def _situation(clauses: Sequence[Clause], rng: Random) -> str:
    """Say each value once, however many calls take it: first what it is about, then the rest.

    If every thing has a phrase that tells of its part, the first thing goes without.
    """
    told: dict[str, Stated] = {}
    for one in (one for clause in clauses for one in clause.stated):
        told.setdefault(one.parameter.kind.name, one)
    things = [one for one in told.values() if isinstance(one.parameter.kind, Identifier | Name)]
    subjects = [one for one in things if _is_subject(one)] or things[:1]
    facts = [
        one.parameter.phrase.format(listed(one.plain()))
        for one in told.values()
        if one not in subjects
    ]
    if not subjects:
        return _capital(pick(rng, patterns.FACTS).format(listed(facts)) + ".")
    about = pick(rng, patterns.ABOUT).format(
        listed([value for one in subjects for value in one.plain()])
    )
    return _capital(", ".join([about, *([listed(facts)] if facts else [])]) + ".")


def _is_subject(one: Stated) -> bool:
    """Whether a value is a thing that its phrase adds nothing to but a preposition."""
    is_thing = isinstance(one.parameter.kind, Identifier | Name)
    return is_thing and _PREPOSITION.fullmatch(one.parameter.phrase) is not None


def _wanted(clauses: Sequence[Clause], rng: Random) -> list[str]:
    """Say the hints of the goals, which no other clause takes, and of what only refines one.

    Whatever else a plan does is needed for its goals, so it goes without saying.
    """
    sources = {fed.source for clause in clauses for fed in clause.fed}
    hints = [clause.tool.hint for place, clause in enumerate(clauses) if place not in sources]
    questions = [hint for hint in hints if not hint.startswith("that ")]
    assurances = [hint for hint in hints if hint.startswith("that ")]
    return [
        _capital(pick(rng, frames).format(listed(wants, ", and ")))
        for frames, wants in (
            (patterns.QUESTIONS, questions),
            (patterns.ASSURANCES, assurances),
        )
        if wants
    ] + [
        _capital(pick(rng, patterns.CONSIDERATIONS).format(clauses[place].tool.hint))
        for place in sorted(_refinements(clauses))
    ]


def _refinements(clauses: Sequence[Clause]) -> set[int]:
    """Return the clauses whose results go into nothing but arguments that may be left out."""
    fed = [one for clause in clauses for one in clause.fed]
    needed = {one.source for one in fed if not one.parameter.optional}
    return {one.source for one in fed} - needed


def _spaced(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
