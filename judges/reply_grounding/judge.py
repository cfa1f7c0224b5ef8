"""The judge ``reply-grounding``: every claim of a reply against observations and clauses.

It reads words, not meaning: to it a claim is a set of known words and values. So it
does not see who did what to whom, nor tense (what "is being processed" passes for
done), nor that a true reply leaves something out. A true remark in words that its
lexicon lacks is flagged too, with less confidence: passing what it cannot read would
be to trust it. True replies in unusual wordings are its weak side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from faultpair.env.records import Step

from ..exhibit import Exhibit
from ..judge import Finding
from .claims import Explained, Kind, Unexplained, explain
from .terms import Lexicon, Phrases, Term, sentences
from .tokens import Sort

__all__ = ["Case", "Complaint", "GroundingPack", "ReplyGrounding"]

_LONGEST_REPLY = 8000
_FEWEST_WORDS, _LEAST_KNOWN = 4, 0.4
_SURE, _LESS_SURE, _SILENT = 0.95, 0.75, 0.60


class Case(Protocol):
    """What a domain has gathered of a run before a text is saying."""

    @property
    def done(self) -> frozenset[str]:
        """The tools that have settled the case."""
        ...

    @property
    def phrases(self) -> Phrases:
        """Words that this case alone has, such as a name, by concept."""
        ...


C = TypeVar("C", bound=Case)


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong, at which step (None if there is none), and by which type it goes."""

    step: int | None
    failure_type: str | None
    words: str
    confidence: float = _SURE


@dataclass(frozen=True, kw_only=True)
class GroundingPack(Generic[C]):
    """What a domain brings: its words, its kinds of claim, and how to gather a case.

    ``warrant`` says whether the observations called for the actions that a reply
    reports. ``stopped`` and ``unsupported`` are the failure types of a run that ends
    too early and of a claim without support.
    """

    reply_tool: str
    listener: str
    stopped: str
    unsupported: str
    lexicon: Lexicon
    kinds: tuple[Kind[C], ...]
    case: Callable[[Exhibit, Sequence[Step]], C]
    warrant: Callable[[C, frozenset[str]], Complaint | None]


@dataclass(frozen=True, slots=True)
class _Saying:
    """A text said to the user, at a step (None if there is none), after other steps."""

    step: int | None
    text: str
    before: Sequence[Step]


@dataclass(frozen=True)
class ReplyGrounding:
    """Flag a reply that claims what nothing supports, or that reports no settled case.

    A reply that cannot be read (no text, too long, in other words than English)
    and a run without any observation are unscored.
    """

    pack: GroundingPack[Any]
    judge_id: str = "reply-grounding"
    summary: str = "Each claim of the reply against the observations and the procedure."
    view: str = "reply-with-observations"
    task: str = "check-evidence"

    def judge(self, exhibit: Exhibit) -> Finding:
        """Name the first claim without support."""
        sayings = list(_sayings(exhibit, self.pack.reply_tool))
        unscored = _unreadable(exhibit, sayings, self.pack.lexicon)
        if unscored is not None:
            return Finding(None, unscored=unscored)
        complaint = self._complaint(exhibit, sayings)
        if complaint is None:
            words = "every claim has its support"
            return Finding(faulty=False, confidence=_SILENT, rationale=words)
        return Finding(
            True,
            complaint.step,
            complaint.failure_type,
            complaint.confidence,
            rationale=complaint.words,
        )

    def _complaint(self, exhibit: Exhibit, sayings: Sequence[_Saying]) -> Complaint | None:
        if not sayings:
            last = len(exhibit.steps) - 1 if exhibit.steps else None
            words = f"{self.pack.listener} is told nothing"
            return Complaint(last, self.pack.stopped, words)
        complaints = (self._about(exhibit, saying) for saying in sayings)
        return next((complaint for complaint in complaints if complaint is not None), None)

    def _about(self, exhibit: Exhibit, saying: _Saying) -> Complaint | None:
        case = self.pack.case(exhibit, saying.before)
        terms = self.pack.lexicon.read(saying.text, case.phrases)
        sentences_read = [explain(terms_of, self.pack.kinds, case) for terms_of in sentences(terms)]
        asserted = frozenset().union(*map(_asserted, sentences_read))
        if not (case.done or asserted):
            words = "nothing was done, and something else is said"
            return Complaint(saying.step, self.pack.stopped, words)
        unwarranted = self.pack.warrant(case, asserted)
        if unwarranted is not None:
            return unwarranted
        for sentence in sentences_read:
            if isinstance(sentence, Unexplained):
                confidence = _LESS_SURE if sentence.is_foreign else _SURE
                return Complaint(saying.step, self.pack.unsupported, sentence.words, confidence)
        if not asserted:
            words = "the reply does not say what was done"
            return Complaint(saying.step, self.pack.stopped, words)
        return None


def _sayings(exhibit: Exhibit, reply_tool: str) -> Iterator[_Saying]:
    """Yield the texts of all reply calls, then the last word if no call has it."""
    calls = set()
    for at, step in enumerate(exhibit.steps):
        text = step.call.args.get("text") if step.call.tool == reply_tool else None
        if isinstance(text, str) and text.strip():
            calls.add(text)
            yield _Saying(at, text, exhibit.steps[:at])
    last_word: Any = exhibit.reply
    if isinstance(last_word, str) and last_word.strip() and last_word not in calls:
        last = len(exhibit.steps) - 1 if exhibit.steps else None
        yield _Saying(last, last_word, exhibit.steps)


def _unreadable(exhibit: Exhibit, sayings: Sequence[_Saying], lexicon: Lexicon) -> str | None:
    reply: Any = exhibit.reply
    if not isinstance(reply, str):
        return "the reply is no text"
    if exhibit.steps and all(step.observation is None for step in exhibit.steps):
        return "no call of the run has an observation"
    if any(len(saying.text) > _LONGEST_REPLY for saying in sayings):
        return f"the reply is longer than {_LONGEST_REPLY} characters"
    if any(_is_foreign(lexicon.read(saying.text)) for saying in sayings):
        return "the reply is not in words that this judge knows"
    return None


def _is_foreign(terms: Sequence[Term]) -> bool:
    words = [term for term in terms if term.token.sort is Sort.WORD]
    known = sum(term.concepts is not None for term in words)
    return len(words) >= _FEWEST_WORDS and known < _LEAST_KNOWN * len(words)


def _asserted(sentence: Explained[Any] | Unexplained) -> frozenset[str]:
    if isinstance(sentence, Unexplained):
        return sentence.asserted
    return frozenset(kind.asserts for kind in sentence.kinds if kind.asserts is not None)
