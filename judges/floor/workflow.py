"""A judge that reads the digits of an id in a plan and counts its calls.

No hidden field of a plan depends on an id, so the judge takes the parity of the digits for that of
the number of calls. Its Δ is chance unless digits and lengths go together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

__all__ = ["by_digits", "digits_in", "flags"]

_ID = re.compile(r"[A-Z]{3}-(\d+)")


def by_digits(document: Mapping[str, Any]) -> dict[str, Any]:
    """Answer an exhibit: whether its number of calls is another than the digits say."""
    return {"faulty": flags(document, digits_in(document))}


def digits_in(document: Mapping[str, Any]) -> int | None:
    """Return the digits of the first id that a call states."""
    for step in document["steps"]:
        for value in step["call"]["args"].values():
            if isinstance(value, str) and (match := _ID.fullmatch(value)):
                return int(match[1])
    return None


def flags(document: Mapping[str, Any], digits: int | None) -> bool:
    """Return whether the number of calls has another parity than digits, 0 without any."""
    return len(document["steps"]) % 2 != (digits or 0) % 2
