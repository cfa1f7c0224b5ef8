"""The text of a reply that should be JSON: taken out of its fence, or why it is none."""

from __future__ import annotations

import re

__all__ = ["unfenced", "why_not_json"]

_FENCE = re.compile(r"\A```[a-z]*\n(.*?)\n?```\Z", re.DOTALL)


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


def why_not_json(text: str, finish_reason: str) -> str:
    """Return why a text that could not be read as JSON is none."""
    if not text.strip():
        return "the answer is empty"
    if finish_reason == "length":
        return "the answer was cut off at its longest"
    return "the answer is not JSON"
