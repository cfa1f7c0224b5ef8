"""The text of a reply that should be JSON: without thoughts and fence, or why it is none."""

from __future__ import annotations

import re

import msgspec

__all__ = ["NOT_JSON", "unfenced", "why_not_json", "without_thoughts"]

NOT_JSON = (msgspec.DecodeError, RecursionError, UnicodeEncodeError)
"""What msgspec raises for a text that is no JSON, is nested too deep, or cannot be encoded."""

_FENCE = re.compile(r"\A```[a-z]*\n(.*?)\n?```\Z", re.DOTALL)
_THOUGHTS = re.compile(r"\A.*</think>", re.DOTALL)


def unfenced(text: str) -> str:
    r"""Take off the fence that some models put around JSON.

    Examples
    --------
    >>> unfenced("```json\n{}\n```\n")
    '{}'
    """
    stripped = text.strip()
    fenced = _FENCE.match(stripped)
    return fenced[1] if fenced else stripped


def without_thoughts(text: str) -> str:
    """Leave out what a model thought aloud before its answer.

    Examples
    --------
    >>> without_thoughts("<think>Say {no}.</think>{}")
    '{}'
    """
    return _THOUGHTS.sub("", text)


def why_not_json(text: str, finish_reason: str) -> str:
    """Return why a text that could not be read as JSON is none."""
    if not text.strip():
        return "the answer is empty"
    if finish_reason == "length":
        return "the answer was cut off at its longest"
    return "the answer is not JSON"
