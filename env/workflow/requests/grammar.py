"""The request for a plan in three tiers, by a grammar over the words of a sector.

Easy states tools, parameter names, exact values and data flow; medium states tools and exact
values; hard states the goals in plain words, plain values, and the options that nothing else
implies.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import cycle
from random import Random

from ...records import Call
from ...rng import pick
from ..tools import Sector
from ..value_types import Identifier, Name
from . import patterns
from .clauses import Clause, Fed, Stated, clauses_of
from .patterns import ArgumentStyle

__all__ = ["easy", "hard", "listed", "medium", "requests_for"]

_MOST_JOINED = 3
_PREPOSITION = re.compile(r"(?:out of|\w+) \{\}")


def requests_for(sector: Sector, plan: Sequence[Call], rng: Random) -> tuple[str, str, str]:
    """Return the requests for a plan at the tiers easy, medium and hard."""
    clauses = clauses_of(sector, plan)
    return easy(clauses, rng), medium(clauses, rng), hard(clauses, rng)


def easy(clauses: Sequence[Clause], rng: Random) -> str:
    """Return the request that describes every step."""
    style = pick(rng, patterns.ARGUMENT_STYLES)
    steps = [
        f"{lead} {clause.tool.ask}{_arguments(place, clauses, style)}."
        for place, (lead, clause) in enumerate(zip(_leads(len(clauses), rng), clauses, strict=True))
    ]
    return _spaced(pick(rng, patterns.OPENINGS), *steps, pick(rng, patterns.CLOSINGS))


def medium(clauses: Sequence[Clause], rng: Random) -> str:
    """Return the request that orders each step with exact values, without parameter names."""
    is_short = len(clauses) <= _MOST_JOINED
    chain = pick(rng, patterns.SENTENCES + (patterns.JOINED if is_short else ()))
    then, also = cycle(chain.then), cycle(chain.also)
    text = chain.opening + _ordered(clauses[0])
    for clause in clauses[1:]:
        text += next(then if clause.fed else also) + _ordered(clause)
    return _capital(text + chain.ending)


def hard(clauses: Sequence[Clause], rng: Random) -> str:
    """Return the request of a person who describes a situation and the goals."""
    situation, goals = _situation(clauses, rng), _goals(clauses, rng)
    parts = [*goals, situation] if rng.random() < 0.3 else [situation, *goals]
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
        style.stated.format(label=argument.parameter.label, value=_in_turn(argument.exact()))
        for argument in clause.stated
    ]
    fed = [_fed(place, argument, clauses[argument.source], style) for argument in clause.fed]
    return style.frame.format(listed([*fed, *stated])) if fed or stated else ""


def _in_turn(values: Sequence[str]) -> str:
    """Return the values of a loop in their order."""
    return listed([values[0], *(f"then {value}" for value in values[1:])])


def _fed(place: int, fed: Fed, source: Clause, style: ArgumentStyle) -> str:
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
        argument.parameter.phrase.format(
            _each(argument.exact()) if clause.is_loop else argument.exact()[0]
        )
        for argument in clause.stated
    ]
    if len(phrases) > 2:
        phrases = [listed(phrases)]
    elif len(phrases) == 2 and not _is_subject(clause.stated[0]):
        phrases = [", ".join(phrases)]
    return " ".join([clause.tool.ask, *phrases])


def _each(values: Sequence[str]) -> str:
    return f"each of {listed(values)}" if len(values) > 1 else values[0]


def _situation(clauses: Sequence[Clause], rng: Random) -> str:
    """State each value once, whichever calls take it: first the subjects, then the others.

    If no thing can be a subject, the first thing becomes one, without its phrase.
    """
    by_type: dict[str, Stated] = {}
    for argument in (argument for clause in clauses for argument in clause.stated):
        by_type.setdefault(argument.parameter.type.name, argument)
    stated = by_type.values()
    things = [part for part in stated if isinstance(part.parameter.type, Identifier | Name)]
    subjects = [part for part in things if _is_subject(part)] or things[:1]
    facts = [
        part.parameter.phrase.format(listed(part.plain()))
        for part in stated
        if part not in subjects
    ]
    if not subjects:
        return _capital(pick(rng, patterns.FACTS).format(listed(facts)) + ".")
    about = pick(rng, patterns.ABOUT).format(
        listed([value for part in subjects for value in part.plain()])
    )
    return _capital(", ".join([about, *([listed(facts)] if facts else [])]) + ".")


def _is_subject(argument: Stated) -> bool:
    """Return whether a value is a thing whose phrase is a mere preposition."""
    is_thing = isinstance(argument.parameter.type, Identifier | Name)
    return is_thing and _PREPOSITION.fullmatch(argument.parameter.phrase) is not None


def _goals(clauses: Sequence[Clause], rng: Random) -> list[str]:
    """State the hints of the goals, whose outputs no clause takes, and of the refinements.

    The goals imply the other clauses.
    """
    sources = {fed.source for clause in clauses for fed in clause.fed}
    hints = [clause.tool.hint for place, clause in enumerate(clauses) if place not in sources]
    questions = [hint for hint in hints if not hint.startswith("that ")]
    assurances = [hint for hint in hints if hint.startswith("that ")]
    return [
        _capital(pick(rng, frames).format(listed(group, ", and ")))
        for frames, group in ((patterns.QUESTIONS, questions), (patterns.ASSURANCES, assurances))
        if group
    ] + [
        _capital(pick(rng, patterns.CONSIDERATIONS).format(clauses[place].tool.hint))
        for place in sorted(_refinements(clauses))
    ]


def _refinements(clauses: Sequence[Clause]) -> set[int]:
    """Return the clauses whose outputs feed optional arguments alone."""
    fed = [argument for clause in clauses for argument in clause.fed]
    needed = {argument.source for argument in fed if not argument.parameter.optional}
    return {argument.source for argument in fed} - needed


def _spaced(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
