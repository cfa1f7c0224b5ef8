"""The judge ``reply-grounding``: every claim of a reply against observations and clauses.

It reads words, not meaning: a claim is a set of known words and values. So it sees
neither roles, nor tense (an action that "is being processed" passes for done), nor
omissions. A true claim in words that the lexicon lacks is flagged too, with less
confidence; true replies in unusual wordings are the weakness of this judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from faultpair.env.records import Step

from ...exhibit import Exhibit
from ...judge import Finding
from ..terms import Term, sentences
from ..tokens import Sort
from .actions import ACTIONS
from .case import case_after
from .claims import Kind, Unexplained, explain
from .facts import FACTS
from .reasons import REASONS
from .warrants import SURE, Complaint, unwarranted
from .words import LEXICON

__all__ = ["ReplyGrounding"]

_KINDS = (*ACTIONS, *REASONS, *FACTS)
_STOPPED, _UNSUPPORTED = "premature_stop", "unsupported_claim"

_LONGEST_REPLY = 8000
_FEWEST_WORDS, _LEAST_KNOWN = 4, 0.4
_LESS_SURE, _SILENT = 0.75, 0.60


@dataclass(frozen=True, slots=True)
class _Text:
    """A text to the customer, at a step (None in a run without steps), after other steps."""

    step: int | None
    text: str
    before: Sequence[Step]


@dataclass(frozen=True, slots=True)
class ReplyGrounding:
    """Flag a reply with an unsupported claim, or one that reports no settled case.

    A reply that cannot be read (no text, too long, not in English) and a run without
    any observation are unscored.
    """

    judge_id: str = "reply-grounding"
    summary: str = "Each claim of the reply against the observations and the procedure."
    view: str = "reply-with-observations"
    task: str = "check-evidence"

    def judge(self, exhibit: Exhibit) -> Finding:
        """Name the first claim without support."""
        texts = list(_texts(exhibit))
        unscored = _unreadable(exhibit, texts)
        if unscored is not None:
            return Finding(None, unscored=unscored)
        complaint = _complaint(exhibit, texts)
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


def _complaint(exhibit: Exhibit, texts: Sequence[_Text]) -> Complaint | None:
    if not texts:
        last = len(exhibit.steps) - 1 if exhibit.steps else None
        return Complaint(last, _STOPPED, "the customer is told nothing")
    complaints = (_complaint_about(exhibit, text) for text in texts)
    return next((complaint for complaint in complaints if complaint is not None), None)


def _complaint_about(exhibit: Exhibit, text: _Text) -> Complaint | None:
    case = case_after(exhibit, text.before)
    terms = LEXICON.read(text.text, case.phrases)
    explained = [explain(sentence, _KINDS, case) for sentence in sentences(terms)]
    asserted = frozenset().union(*map(_asserted, explained))
    if not (case.done or asserted):
        return Complaint(text.step, _STOPPED, "nothing was done, and something else is said")
    complaint = unwarranted(case, asserted)
    if complaint is not None:
        return complaint
    for sentence in explained:
        if isinstance(sentence, Unexplained):
            confidence = _LESS_SURE if sentence.is_foreign else SURE
            return Complaint(text.step, _UNSUPPORTED, sentence.words, confidence)
    if not asserted:
        return Complaint(text.step, _STOPPED, "the reply does not say what was done")
    return None


def _texts(exhibit: Exhibit) -> Iterator[_Text]:
    """Yield the texts of all reply calls, then the final reply if no call holds it."""
    in_calls = set()
    for at, step in enumerate(exhibit.steps):
        text = step.call.args.get("text") if step.call.tool == "reply" else None
        if isinstance(text, str) and text.strip():
            in_calls.add(text)
            yield _Text(at, text, exhibit.steps[:at])
    reply: Any = exhibit.reply
    if isinstance(reply, str) and reply.strip() and reply not in in_calls:
        last = len(exhibit.steps) - 1 if exhibit.steps else None
        yield _Text(last, reply, exhibit.steps)


def _unreadable(exhibit: Exhibit, texts: Sequence[_Text]) -> str | None:
    reply: Any = exhibit.reply
    if not isinstance(reply, str):
        return "the reply is no text"
    if exhibit.steps and all(step.observation is None for step in exhibit.steps):
        return "no call of the run has an observation"
    if any(len(text.text) > _LONGEST_REPLY for text in texts):
        return f"the reply is longer than {_LONGEST_REPLY} characters"
    if any(_is_foreign(LEXICON.read(text.text)) for text in texts):
        return "the reply is not in words that this judge knows"
    return None


def _is_foreign(terms: Sequence[Term]) -> bool:
    words = [term for term in terms if term.token.sort is Sort.WORD]
    known = sum(term.concepts is not None for term in words)
    return len(words) >= _FEWEST_WORDS and known < _LEAST_KNOWN * len(words)


def _asserted(sentence: tuple[Kind, ...] | Unexplained) -> frozenset[str]:
    """Return the tools whose use a sentence reports."""
    if isinstance(sentence, Unexplained):
        return sentence.asserted
    return frozenset(kind.asserts for kind in sentence if kind.asserts is not None)
