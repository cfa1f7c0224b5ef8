"""The graded readout: P(faulty) from the alternatives of a model at the verdict token.

P(faulty) is the share of *yes* in the probabilities of *yes* and *no*; other tokens are
left out. A model that never answers *yes* may still give it a higher probability on a
faulty run than on its clean parent.
"""

from __future__ import annotations

import math
import re

from faultpair.env.records import TokenChoice

from .finding_parser import read_word

__all__ = ["N_ALTERNATIVES", "probability", "verdict_token", "word_token"]

N_ALTERNATIVES = 20
"""The number of alternatives requested for each token: the most that servers give."""

_VERDICT = re.compile(r'"faulty"\s*:\s*')
_TRUTH = {"true": True, "false": False}


def verdict_token(tokens: tuple[TokenChoice, ...]) -> TokenChoice | None:
    """Return the token of a JSON answer at which true or false begins."""
    found = _VERDICT.search("".join(choice.token for choice in tokens))
    return _token_at(tokens, found.end()) if found else None


def word_token(tokens: tuple[TokenChoice, ...]) -> TokenChoice | None:
    """Return the token of an answer of one word: the first that is not blank."""
    return next((choice for choice in tokens if choice.token.strip()), None)


def probability(decision: TokenChoice | None) -> float | None:
    """Return P(faulty) in [0, 1]; None if neither word is among the alternatives."""
    if decision is None:
        return None
    p_faulty = _mass(decision, faulty=True)
    p_sound = _mass(decision, faulty=False)
    total = p_faulty + p_sound
    return p_faulty / total if total > 0 else None


def _token_at(tokens: tuple[TokenChoice, ...], offset: int) -> TokenChoice | None:
    """Return the token that covers a place in the text."""
    end = 0
    for choice in tokens:
        end += len(choice.token)
        if offset < end:
            return choice
    return None


def _mass(decision: TokenChoice, *, faulty: bool) -> float:
    alternatives = decision.top or ((decision.token, decision.logprob),)
    return math.fsum(
        math.exp(min(logprob, 0.0)) for token, logprob in alternatives if _meaning(token) is faulty
    )


def _meaning(token: str) -> bool | None:
    truth = _TRUTH.get(token.strip(' "\t\n:').casefold())
    return read_word(token) if truth is None else truth
