"""Pages in pairs, as a judge from outside gets them, and masks of what differs in a pair.

A mask takes the same away on both pages. It follows from the two pages alone, so one rule
holds for every type of fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Any

import msgspec

__all__ = ["MASKS", "Mask", "Page", "Pair", "masked", "page_of"]

Page = Mapping[str, Any]
"""The document of an exhibit, as `faultpair.judges.external.document_of` makes it."""

_ABSENT = object()


class Mask(StrEnum):
    """What is taken from both pages of a pair; each mask takes that of the earlier ones, too.

    `INSTANCE` takes nothing: each fault is compared with its own clean run alone.
    """

    INSTANCE = "the instance"
    CALLS = "the edited calls"
    REPLY = "and the reply"
    END_STATE = "and the end state"
    OBSERVATIONS = "and later observations"
    THOUGHTS = "and other thoughts"


MASKS = tuple(Mask)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two pages of one instance. ``kind`` names the fault or the control of the first."""

    kind: str
    instance: str
    names: tuple[str, str]
    """The ids of the two runs."""
    pages: tuple[Page, Page] = field(repr=False)


def page_of(document: object) -> Page:
    """Return the document of an exhibit as plain values."""
    page: Page = msgspec.to_builtins(document)
    return page


def masked(pages: tuple[Page, Page], mask: Mask) -> tuple[Page, Page]:
    """Return two pages without what a mask takes.

    Steps are aligned by their tools. A step without a counterpart is dropped. Of one whose
    arguments differ, these arguments go, and the observation if it differs.
    """
    level = MASKS.index(mask)
    if not level:
        return pages
    one, other = (dict(page) for page in pages)
    one["steps"], other["steps"] = _aligned(one["steps"], other["steps"], level)
    for name, least in (("reply", Mask.REPLY), ("end_state", Mask.END_STATE)):
        if level >= MASKS.index(least) and one[name] != other[name]:
            one[name] = other[name] = ""
    return one, other


def _aligned(
    one: Sequence[Page], other: Sequence[Page], level: int
) -> tuple[list[Page], list[Page]]:
    tools, others = ([str(step["call"]["tool"]) for step in steps] for steps in (one, other))
    matcher = SequenceMatcher(None, tools, others, autojunk=False)
    kept: list[tuple[Page, Page]] = []
    is_after_edit = False
    for operation, start, end, other_start, other_end in matcher.get_opcodes():
        if operation != "equal":  # steps without a counterpart
            is_after_edit = True
            continue
        for left, right in zip(one[start:end], other[other_start:other_end], strict=True):
            is_edited = left["call"]["args"] != right["call"]["args"]
            is_after_edit = is_after_edit or is_edited
            drops = {
                "observation": is_edited
                or (is_after_edit and level >= MASKS.index(Mask.OBSERVATIONS)),
                "thought": level >= MASKS.index(Mask.THOUGHTS),
            }
            kept.append((_kept(left, right, drops), _kept(right, left, drops)))
    return [left for left, _ in kept], [right for _, right in kept]


def _kept(step: Page, other: Page, drops: Mapping[str, bool]) -> Page:
    """Return a step with the arguments that both have, and without parts that differ.

    Its index goes: it follows from the number of steps before it.
    """
    own, others = step["call"]["args"], other["call"]["args"]
    args = {name: value for name, value in own.items() if others.get(name, _ABSENT) == value}
    kept: dict[str, Any] = {"call": {"tool": step["call"]["tool"], "args": args}}
    for part, is_dropped in drops.items():
        kept[part] = None if is_dropped and step[part] != other[part] else step[part]
    return kept
