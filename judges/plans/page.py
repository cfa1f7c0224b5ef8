"""The page of a plan: pool of tools, request, perhaps a reference plan, the plan to grade.

The common parts of a record's plans are first, so that a prefix cache serves them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from faultpair.env.plans.page import tool_line
from faultpair.env.records import Call

from ..exhibit import Exhibit

__all__ = ["numbered", "page_of"]


def page_of(exhibit: Exhibit, *, with_reference: bool) -> str:
    """Write what a judge of plans is shown of an exhibit.

    Raises
    ------
    ValueError
        If a reference plan is to be shown and the exhibit has none.
    """
    parts = [_part("TOOLS", map(tool_line, exhibit.tools)), _part("REQUEST", [exhibit.goal])]
    if with_reference:
        if exhibit.plan is None:
            raise ValueError("the exhibit has no reference plan to show")
        parts.append(_part("REFERENCE PLAN", numbered(exhibit.plan)))
    parts.append(_part("PLAN TO GRADE", numbered(step.call for step in exhibit.steps)))
    return "\n\n".join(parts)


def numbered(calls: Iterable[Call]) -> Iterator[str]:
    """Write the calls of a plan, one a line."""
    return (f"{number}. {_written(call)}" for number, call in enumerate(calls, start=1))


def _part(heading: str, lines: Iterable[str]) -> str:
    return "\n".join((heading, *(tuple(lines) or ("(none)",))))


def _written(call: Call) -> str:
    return f"{call.tool} {msgspec.json.encode(call.args).decode()}"
