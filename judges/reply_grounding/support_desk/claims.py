"""Explaining a sentence: each part of it is a claim of a known kind, with its support.

A part that no kind covers word for word is unsupported, whatever it says: the kinds list
what may be claimed, and nothing describes an invention.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ...rules.values import TOLERANCE, show
from ..terms import AUXILIARY, COURTESY, Term
from ..tokens import Sort, Token
from .case import DeskCase

__all__ = ["Claim", "Grounds", "Kind", "Unexplained", "alternatives", "explain"]

_VALUES = frozenset(Sort) - {Sort.WORD, Sort.JOINT, Sort.STOP}


@dataclass(frozen=True)
class Claim:
    """A sentence or a part of one, as the words and values that it is made of."""

    terms: tuple[Term, ...]

    @cached_property
    def text(self) -> str:
        """The words of the claim, for a rationale."""
        return " ".join(term.token.text for term in self.terms)

    @cached_property
    def concepts(self) -> frozenset[str]:
        """All concepts of its words; a value counts as one of the name of its sort."""
        named = {str(token.sort) for token in self.values}
        return frozenset(named.union(*(term.concepts or () for term in self.terms)))

    @cached_property
    def values(self) -> tuple[Token, ...]:
        """The amounts, numbers, dates, times, addresses and identifiers in it."""
        return tuple(term.token for term in self.terms if term.token.sort in _VALUES)

    @property
    def says_nothing(self) -> bool:
        """Return whether it is made of function words alone."""
        return not self.values and all(term.concepts == frozenset() for term in self.terms)

    @cached_property
    def unknown(self) -> tuple[str, ...]:
        """The words that the lexicon does not have."""
        return tuple(term.token.text for term in self.terms if term.concepts is None)


@dataclass(frozen=True, slots=True)
class Grounds:
    """The values that claims of a kind may state. Amounts are (currency, amount)."""

    amounts: Collection[tuple[str, float]] = ()
    percents: Collection[float] = ()
    numbers: Collection[float] = ()
    dates: Collection[str] = ()
    identifiers: Collection[str] = ()

    def unsupported(self, values: Sequence[Token]) -> str | None:
        """Return the first value that is not among them."""
        return next((token.text for token in values if not self._has(token)), None)

    def _has(self, token: Token) -> bool:
        match token.sort:
            case Sort.AMOUNT:
                return any(_same(token, *amount) for amount in self.amounts)
            case Sort.PERCENT:
                return any(_close(token.number, percent) for percent in self.percents)
            case Sort.NUMBER:
                amounts = [amount for _, amount in self.amounts]
                return any(_close(token.number, known) for known in (*self.numbers, *amounts))
            case Sort.DATE:
                return any(day in self.dates for day in token.dates)
            case Sort.IDENTIFIER | Sort.ADDRESS:
                return token.text.casefold() in self.identifiers
            case _:
                return False


@dataclass(frozen=True)
class Kind:
    """One kind of claim that a reply can make.

    A claim is of this kind if it has all concepts of one of ``needs``, which ``|``
    separates, and no word beyond those of ``needs`` and ``may``. ``support`` says in words what
    is missing, or returns None; ``grounds`` holds the values it may state.
    ``asserts`` names the tool that a claim of this kind says was used. A kind
    that is not ``verbal`` has no verb, not even an auxiliary.
    """

    name: str
    needs: str
    may: str
    support: Callable[[DeskCase, Claim], str | None]
    grounds: Callable[[DeskCase], Grounds]
    asserts: str | None = None
    verbal: bool = True

    def covers(self, claim: Claim) -> bool:
        """Return whether a claim is of this kind, true or not."""
        if not any(need <= claim.concepts for need in self._needs):
            return False
        return all(
            term.concepts is not None and (not term.concepts or term.concepts & self._covered)
            for term in claim.terms
        )

    def complaint(self, case: DeskCase, claim: Claim) -> str | None:
        """Say what a claim of this kind lacks."""
        missing = self.support(case, claim)
        if missing is not None:
            return missing
        unsupported = self.grounds(case).unsupported(claim.values)
        return f"nothing observed supports {unsupported!r}" if unsupported is not None else None

    @cached_property
    def _needs(self) -> tuple[frozenset[str], ...]:
        return alternatives(self.needs)

    @cached_property
    def _covered(self) -> frozenset[str]:
        verbs = {AUXILIARY, COURTESY} if self.verbal else set()
        return frozenset(self.may.split()).union(verbs, *self._needs)


@dataclass(frozen=True, slots=True)
class Unexplained:
    """Why a sentence cannot be explained, and what its parts say was done.

    It ``is_foreign`` if its first odd part is of no known kind, not merely without support.
    """

    words: str
    is_foreign: bool
    asserted: frozenset[str] = field(default_factory=frozenset)


def alternatives(needs: str) -> tuple[frozenset[str], ...]:
    """Return the sets of concepts that ``|`` separates."""
    return tuple(frozenset(need.split()) for need in needs.split("|"))


def explain(
    sentence: Sequence[Term], kinds: Sequence[Kind], case: DeskCase
) -> tuple[Kind, ...] | Unexplained:
    """Split a sentence at its joints into as few supported claims as possible; return their kinds.

    By dynamic programming: ``best`` holds for each cut the fewest claims up to there.
    """
    cuts = [0, *(at for at, term in enumerate(sentence) if term.is_joint and at), len(sentence)]
    best: dict[int, tuple[Kind, ...]] = {0: ()}
    asserted: set[str] = set()
    for end in cuts[1:]:
        for start in [cut for cut in cuts if cut < end and cut in best]:
            found = _support(Claim(tuple(sentence[start:end])), kinds, case, asserted)
            if found is None:
                continue
            if end not in best or len(best[start]) + len(found) < len(best[end]):
                best[end] = (*best[start], *found)
    if len(sentence) in best:
        return best[len(sentence)]
    rest = [cut for cut in cuts if cut >= max(best)]
    pieces = [Claim(tuple(sentence[rest[0] : end])) for end in rest[1:]]
    missing = _missing(pieces, kinds, case)
    words = _oddity(pieces[0]) if missing is None else missing
    return Unexplained(words, missing is None, frozenset(asserted))


def _support(
    claim: Claim, kinds: Sequence[Kind], case: DeskCase, asserted: set[str]
) -> tuple[Kind, ...] | None:
    """Return the kind that a claim is of if it is supported; a claim that says nothing needs none.

    What a claim says was done is added to ``asserted``, supported or not.
    """
    if claim.says_nothing:
        return ()
    for kind in kinds:
        if kind.covers(claim):
            if kind.asserts is not None:
                asserted.add(kind.asserts)
            if kind.complaint(case, claim) is None:
                return (kind,)
    return None


def _missing(pieces: Sequence[Claim], kinds: Sequence[Kind], case: DeskCase) -> str | None:
    """Return what the shortest piece that is of a known kind lacks."""
    for piece in pieces:
        for kind in kinds:
            complaint = kind.complaint(case, piece) if kind.covers(piece) else None
            if complaint is not None:
                return f"{show(piece.text)}: {complaint}"
    return None


def _oddity(piece: Claim) -> str:
    if piece.unknown:
        return f"{show(piece.text)}: nothing observed speaks of {show(piece.unknown[0])}"
    return f"{show(piece.text)}: no observation and no clause says this"


def _same(token: Token, currency: str, amount: float) -> bool:
    return token.currency == currency and _close(token.number, amount)


def _close(left: float | None, right: float) -> bool:
    # Half the tolerance: what is written with two decimals is either equal or one hundredth apart.
    return left is not None and abs(left - right) < TOLERANCE / 2
