"""The corrections that the paper names as future work, one a function.

Sequence by dependency compares the order of calls with the data flow, parameters by
schema compare the arguments with the tool, and tool equivalence merges tools that the
domain declares equivalent.
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
    """Return the share of the expected calls that are made after their sources.

    ``sources[i]`` are the expected calls whose output expected call i takes. Only direct
    sources count, so that one error is counted once. If nothing is expected, it is 1 for
    an empty plan and 0 for any other, as in equation 1b.

    Notes
    -----
    Which use of a tool a generated call matches is ambiguous; the best matching counts.
    After each call, ``best`` maps every set of matched expected calls to the most of
    them that were after their sources: at most 2ⁿ sets, 32 for a plan of five calls.
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

    ``schemas`` are those of the reference's tools. A call scores 1 if it has all required
    keys and no unknown one, 0.5 if it has unknown ones too, and 0 without a required key
    or of a tool outside the reference. The optional keys of the reference do not matter.
    """
    if not generated:
        return 1.0
    return sum(_fit(call, schemas.get(call.tool)) for call in generated) / len(generated)


def renamed(calls: Iterable[Call], canonical: Mapping[str, str]) -> tuple[Call, ...]:
    """Return the calls with each tool under the canonical name of its equivalents."""
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
