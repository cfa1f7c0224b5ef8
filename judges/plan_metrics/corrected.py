"""What the paper names as future work, one correction a function.

Sequence by dependency asks whether a call comes after those whose output it takes,
parameters by schema whether the tool would accept the call, and tool equivalence
takes tools that the domain declares alike for one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from msgspec.structs import replace

from faultpair.env.plans.records import ToolSchema
from faultpair.env.records import Call

from .metrics import EXTRA_KEYS

__all__ = ["parameters_by_schema", "renamed", "sequence_by_dependency"]


def sequence_by_dependency(
    names: Sequence[str], expected: Sequence[str], sources: Sequence[AbstractSet[int]]
) -> float:
    """Return the share of the expected calls that are there and come after their sources.

    ``sources[i]`` are the expected calls whose output expected call i takes, by the
    data flow of the reference. What a call needs is asked of that call alone, so one
    error is counted once and not again in all that follow from it. If nothing is
    expected, it is 1 for an empty plan and 0 for any other, as in equation 1b.

    Notes
    -----
    Names do not say which use of a tool a generated call stands for. The plan is read
    in the way that is best for it: after each call, ``best`` holds for every set of
    expected calls found so far how many of them came after their sources. These are at
    most 2ⁿ sets, 32 for the longest plan of the domain.
    """
    if not expected:
        return 0.0 if names else 1.0
    if not any(sources):
        return sum(min(names.count(name), expected.count(name)) for name in set(expected)) / len(
            expected
        )
    best: dict[frozenset[int], int] = {frozenset(): 0}
    for name in names:
        for found, in_order in list(best.items()):
            for index in _uses(name, expected):
                if index not in found:
                    then = found | {index}
                    counted = in_order + (sources[index] <= found)
                    best[then] = max(best.get(then, 0), counted)
    return max(best.values()) / len(expected)


def parameters_by_schema(generated: Sequence[Call], schemas: Mapping[str, ToolSchema]) -> float:
    """Return the mean over the generated calls of how well their keys fit the tools; 1 of none.

    ``schemas`` are those of the reference's tools. A call scores 1 if it has all keys
    that the tool requires and none that it does not know, half of that if it has some of
    the latter, and 0 without a required key or of a tool outside the reference. What the
    reference gives beyond the required keys is its own affair.
    """
    if not generated:
        return 1.0
    return sum(_fit(call, schemas.get(call.tool)) for call in generated) / len(generated)


def renamed(calls: Iterable[Call], canonical: Mapping[str, str]) -> tuple[Call, ...]:
    """Return the calls with each tool under the name that stands for all its equivalents."""
    return tuple(
        replace(call, tool=canonical[call.tool]) if call.tool in canonical else call
        for call in calls
    )


def _uses(name: str, expected: Sequence[str]) -> list[int]:
    return [index for index, other in enumerate(expected) if other == name]


def _fit(call: Call, schema: ToolSchema | None) -> float:
    if schema is None or not schema.required <= call.args.keys():
        return 0.0
    return 1.0 if call.args.keys() <= schema.known else EXTRA_KEYS
