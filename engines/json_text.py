"""JSON in the text of a reply: remove thoughts and fences, and say why a text is not JSON."""

from __future__ import annotations

import re

import msgspec

__all__ = ["NOT_JSON", "unfenced", "why_not_json", "without_thoughts"]

NOT_JSON = (msgspec.DecodeError, RecursionError, UnicodeEncodeError)
"""The errors of msgspec for a text that is not JSON, is nested too deep, or cannot be encoded."""

_FENCE = re.compile(r"\A```[a-z]*\n(.*?)\n?```\Z", re.DOTALL)
_THOUGHTS = re.compile(r"\A.*</think>", re.DOTALL)


def unfenced(text: str) -> str:
    r"""Return a text without the fence that some models put around JSON.

    Examples
    --------
    >>> unfenced("```json\n{}\n```\n")
    '{}'
    """
    stripped = text.strip()
    fenced = _FENCE.match(stripped)
    return fenced[1] if fenced else stripped


def without_thoughts(text: str) -> str:
    """Return a text without the thoughts that a model wrote before its answer.

    Examples
    --------
    >>> without_thoughts("<think>Say {no}.</think>{}")
    '{}'
    """
    return _THOUGHTS.sub("", text)


def why_not_json(text: str, finish_reason: str) -> str:
    """Return the reason that a text could not be decoded as JSON."""
    if not text.strip():
        return "the answer is empty"
    if finish_reason == "length":
        return "the answer was cut off at its longest"
    return "the answer is not JSON"
