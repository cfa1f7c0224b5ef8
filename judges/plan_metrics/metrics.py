"""The four metrics of a plan exactly as equations 1 to 3 of AgentJudgeBench print them.

Docstrings define the cases that the equations leave open; docs/decisions/0010 gives the
reasons, and the examples of the paper that disagree with its equations.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from operator import eq

from faultpair.env.records import Call, Record

__all__ = [
    "METRICS",
    "Prepared",
    "Scores",
    "extras_credited",
    "parameter_structure",
    "prepare",
    "query_coverage",
    "score",
    "score_prepared",
    "sequence",
    "tool_selection",
]

EXTRA_KEYS = 0.5
Keys = dict[str, tuple[frozenset[str], ...]]


class Scores(Record, frozen=True):
    """A plan's four scores, each in [0, 1]."""

    tool_selection: float
    parameter_structure: float
    sequence: float
    query_coverage: float

    @property
    def mean(self) -> float:
        """Their unweighted mean, the accuracy of a generator on a record."""
        return sum(self.values) / len(METRICS)

    @property
    def values(self) -> tuple[float, float, float, float]:
        """The four in the order of `METRICS`."""
        return (self.tool_selection, self.parameter_structure, self.sequence, self.query_coverage)

    @property
    def perfect(self) -> bool:
        """Whether each of the four is 1."""
        return self.values == (1.0, 1.0, 1.0, 1.0)


METRICS: tuple[str, ...] = Scores.__struct_fields__


@dataclass(frozen=True, slots=True)
class Prepared:
    """What the equations need of a reference: ``keys[tool][k]`` are those of its k-th use."""

    names: tuple[str, ...]
    tools: frozenset[str]
    keys: Keys


def score(generated: Sequence[Call], expected: Sequence[Call]) -> Scores:
    """Return the four scores of a generated plan G against a reference E.

    Notes
    -----
    Both empty give 1 on all. With an empty G alone no call has a wrong structure, so
    parameters score 1, the rest 0. With an empty E alone there is nothing to cover, so
    coverage scores 1; tools and parameters score 0, for each call is of a tool outside E,
    and so does the sequence, an empty sum.
    """
    return score_prepared(generated, prepare(expected))


def prepare(expected: Sequence[Call]) -> Prepared:
    """Return a reference in the form in which many plans are scored against it."""
    keys: Keys = {}
    for call in expected:
        keys[call.tool] = (*keys.get(call.tool, ()), frozenset(call.args))
    return Prepared(tuple(call.tool for call in expected), frozenset(keys), keys)


def score_prepared(generated: Sequence[Call], reference: Prepared) -> Scores:
    """Return `score` with a prepared reference, at half the cost."""
    names = [call.tool for call in generated]
    tools = set(names)
    # Most plans use just the tools expected; both scores of sets are then 1 without counting.
    alike = tools == reference.tools
    return Scores(
        1.0 if alike else tool_selection(tools, reference.tools),
        parameter_structure(generated, reference.keys),
        sequence(names, reference.names),
        1.0 if alike else query_coverage(tools, reference.tools),
    )


def tool_selection(tools: Set[str], expected: Set[str]) -> float:
    """Return eq. 1a, max(0, 1 − (tools too many + tools missing) / max(tools expected, 1))."""
    return max(0.0, 1 - len(tools ^ expected) / (len(expected) or 1))


def parameter_structure(
    generated: Sequence[Call], keys: Keys, extra_keys: float = EXTRA_KEYS
) -> float:
    """Return eq. 2, the mean over the generated calls of how well the argument keys fit; 1 of none.

    The k-th call of a tool is compared with the k-th of the reference, a further one with
    its last: the tool is in the reference, so by the equation its keys are defined.
    """
    if not generated:
        return 1.0
    total = 0.0
    uses: dict[str, int] = {}
    for call in generated:
        wanted = keys.get(call.tool)
        if wanted is None:
            continue
        expected = wanted[0] if len(wanted) == 1 else _next(wanted, call.tool, uses)
        given = call.args.keys()
        if given == expected:
            total += 1.0
        elif given > expected:
            total += extra_keys
    return total / len(generated)


def sequence(names: Sequence[str], expected: Sequence[str]) -> float:
    """Return eq. 1b, the share of the expected places that hold the expected tool.

    Calls after the last expected place do not count.
    """
    if not expected:
        return 0.0 if names else 1.0
    hits: int = sum(map(eq, names, expected))
    return hits / len(expected)


def query_coverage(tools: Set[str], expected: Set[str]) -> float:
    """Return eq. 3, the share of the expected tools that the plan uses."""
    return len(tools & expected) / len(expected) if expected else 1.0


def extras_credited(generated: Sequence[Call], reference: Prepared) -> float:
    """Return eq. 2 with every extra key credited, the generous upper bound of appendix G."""
    return parameter_structure(generated, reference.keys, extra_keys=1.0)


def _next(wanted: tuple[frozenset[str], ...], tool: str, uses: dict[str, int]) -> frozenset[str]:
    """Return the keys of the next use of a tool that the reference uses more than once."""
    use = uses[tool] = uses.get(tool, -1) + 1
    return wanted[min(use, len(wanted) - 1)]
