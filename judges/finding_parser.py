"""Parsing the answers of models. An unreadable answer is unscored with a reason.

As in the release of trajectory-judge, a confidence is clamped, and an impossible type or
step is dropped. Whether the run is faulty is never guessed.
"""

from __future__ import annotations

import json
from typing import Any

from faultpair.engines.json_text import unfenced, why_not_json

from .judge import Finding

__all__ = ["kept_text", "read_finding", "read_word"]

LONGEST_RATIONALE = 2_000
"""Characters of a rationale that are kept."""

_YES = {"yes": True, "no": False}


def read_finding(
    text: str, *, n_steps: int, kinds: tuple[str, ...], finish_reason: str = "stop"
) -> Finding:
    """Return the finding in a JSON answer, or the reason why there is none.

    Parameters
    ----------
    n_steps : the number of steps of the run; a step is one of 0 to n_steps − 1
    kinds : the fault types in the prompt of the judge
    """
    try:
        answer = json.loads(unfenced(text))
    except (ValueError, RecursionError):
        return _unscored(why_not_json(text, finish_reason))
    if not isinstance(answer, dict):
        return _unscored("the answer is JSON, but no object")
    faulty = answer.get("faulty")
    if not isinstance(faulty, bool):
        return _unscored("the answer does not say whether the run is faulty")
    return Finding(
        faulty,
        _step(answer.get("failure_step"), n_steps) if faulty else None,
        _kind(answer.get("failure_type"), kinds) if faulty else None,
        _confidence(answer.get("confidence")),
        _rationale(answer),
    )


def read_word(text: str) -> bool | None:
    """Return the meaning of a word: True for yes, False for no, None for another."""
    return _YES.get(text.strip(" \t\n\r.,!*\"'`").casefold())


def kept_text(value: Any, longest: int) -> str:
    """Return the first characters of a text, or of the JSON of another value."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    # A lone surrogate is legal in JSON, but cannot be encoded as UTF-8.
    return text[:longest].encode("utf-8", "replace").decode()


def _unscored(reason: str) -> Finding:
    return Finding(None, unscored=reason)


def _step(value: Any, n_steps: int) -> int | None:
    is_step = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < n_steps
    return value if is_step else None


def _kind(value: Any, kinds: tuple[str, ...]) -> str | None:
    return value if isinstance(value, str) and value in kinds else None


def _confidence(value: Any) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or value != value:
        return 0.5
    return float(min(max(value, 0.5), 1.0))


def _rationale(answer: dict[str, Any]) -> str:
    return kept_text(answer.get("reasoning", answer.get("rationale", "")), LONGEST_RATIONALE)
