"""Terms: the tokens of a text with the concepts that a lexicon gives their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from .english import AUXILIARIES, CONTRACTIONS, DENIALS, FUNCTION_WORDS, JOINTS
from .tokens import Sort, Token, tokens

__all__ = ["AUXILIARY", "COURTESY", "Lexicon", "Phrases", "Term", "sentences"]

NEGATION = "negation"
"""The concept of a word of denial; every lexicon has it."""

AUXILIARY = "auxiliary"
"""The concept of a verb such as *is* or *will*."""

COURTESY = "courtesy"
"""The concept of thanks, regrets and the like, which may accompany any claim."""

_CLIPPED = {"ca": "can", "wo": "will", "sha": "shall"}
"""The stems of *can't*, *won't* and *shan't*, and their verbs."""

_MOST_JOINTS = 24
"""A sentence with more is split there: the time to try all cuts grows too fast."""

Phrases = Mapping[tuple[str, ...], frozenset[str]]
"""Words in a row, lower-case, and the concepts that they have together."""


@dataclass(frozen=True, slots=True)
class Term:
    """A token with its concepts: none for a function word or a value, None if it is unknown."""

    token: Token
    concepts: frozenset[str] | None = frozenset()

    @property
    def is_joint(self) -> bool:
        """Return whether a claim may end here."""
        return self.token.sort is Sort.JOINT or self.token.text.lower() in JOINTS


@dataclass(frozen=True)
class Lexicon:
    """The words of a domain by concept; an entry of several words is a phrase."""

    concepts: Mapping[str, tuple[str, ...]]

    @cached_property
    def phrases(self) -> Phrases:
        """Every entry, a word alone included, with all its concepts."""
        found: dict[tuple[str, ...], frozenset[str]] = {}
        for concept, entries in ((NEGATION, DENIALS), *self.concepts.items()):
            for entry in entries:
                key = tuple(entry.split())
                found[key] = found.get(key, frozenset()) | {concept}
        return found

    @cached_property
    def longest(self) -> int:
        """The number of words of the longest phrase."""
        return max(map(len, self.phrases))

    def read(self, text: str, others: Phrases | None = None) -> list[Term]:
        """Return the terms of a text; ``others`` are additional phrases of one case."""
        own: Phrases = others or {}
        longest = max([self.longest, *map(len, own)])
        return list(_labelled(_pieces(text), (own, self.phrases), longest))


def sentences(terms: Iterable[Term]) -> Iterator[list[Term]]:
    """Yield the terms of each sentence, without the mark at its end."""
    sentence: list[Term] = []
    n_joints = 0
    for term in terms:
        n_joints += term.is_joint
        if term.token.sort is Sort.STOP or n_joints > _MOST_JOINTS:
            yield sentence
            sentence, n_joints = [], 0
        if term.token.sort is not Sort.STOP:
            sentence.append(term)
    yield sentence


@lru_cache(maxsize=256)
def _pieces(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text with contractions expanded; a reply is read more than once."""
    return tuple(piece for token in tokens(text) for piece in _expanded(token))


def _expanded(token: Token) -> Iterator[Token]:
    """Yield a word without its contraction, then *not* if the contraction denies."""
    word = token.text.lower() if "'" in token.text else ""
    ending = next((ending for ending in CONTRACTIONS if word.endswith(ending)), None)
    if token.sort is not Sort.WORD or ending is None:
        yield token
        return
    stem = token.text[: -len(ending)]
    yield Token(Sort.WORD, _CLIPPED.get(stem.lower(), stem))
    if ending == CONTRACTIONS[0]:
        yield Token(Sort.WORD, "not")


def _labelled(
    row: Sequence[Token], tables: tuple[Phrases, Phrases], longest: int
) -> Iterator[Term]:
    at = 0
    while at < len(row):
        if row[at].sort is not Sort.WORD:
            yield Term(row[at])
            at += 1
            continue
        words = _words_from(row, at, longest)
        size, concepts = _longest_phrase(words, tables)
        text = " ".join(token.text for token in row[at : at + size])
        yield Term(Token(Sort.WORD, text), concepts)
        at += size


def _longest_phrase(
    words: tuple[str, ...], tables: tuple[Phrases, Phrases]
) -> tuple[int, frozenset[str] | None]:
    """Return the size and concepts of the longest known phrase, else those of one word."""
    for size in range(len(words), 0, -1):
        for phrases in tables:
            if words[:size] in phrases:
                return size, phrases[words[:size]]
    return 1, _plain(words[0])


def _plain(word: str) -> frozenset[str] | None:
    """Return the concepts of a word that the lexicon does not have."""
    if word in AUXILIARIES:
        return frozenset({AUXILIARY})
    return frozenset() if word in FUNCTION_WORDS else None


def _words_from(row: Sequence[Token], at: int, longest: int) -> tuple[str, ...]:
    words = []
    for token in row[at : at + longest]:
        if token.sort is not Sort.WORD:
            break
        words.append(token.text.lower())
    return tuple(words)
