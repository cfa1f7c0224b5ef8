"""The rule engine: one walk over an exhibit that ends at the first rule broken.

Before each step the facts hold what the earlier steps have shown. The step's
own rules are checked first, in their order, and only then do the facts take in
the result of the call, so no step can justify itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from faultpair.env.records import Call, Observation, Step

from ..exhibit import Exhibit
from ..judge import Finding

__all__ = ["Facts", "Rule", "RulePack", "calls_after_reply"]


class Facts:
    """What a run has shown so far. A pack extends it with what its rules need.

    ``index`` is the position of the step being judged; ``steps`` is the whole
    run, for the few rules that look back or ahead.
    """

    __slots__ = ("index", "steps")

    def __init__(self, exhibit: Exhibit) -> None:
        self.steps = exhibit.steps
        self.index = 0

    def learn(self, call: Call, data: dict[str, Any]) -> None:
        """Take in a call that succeeded and what it returned."""

    def learn_failure(self, call: Call, observation: Observation | None) -> None:
        """Take in a call that failed, or that was never answered (None)."""


F = TypeVar("F", bound=Facts)
Check = Callable[[F, Step], str | None]
EndCheck = Callable[[F], str | None]


@dataclass(frozen=True, slots=True)
class Rule(Generic[F]):
    """One thing that a run must not do.

    ``check`` and ``at_end`` say in words what is wrong, or return None. The
    first is called at each call of one of ``tools`` (at every call if there are
    none), the second once, after the last step, whose index it then blames.
    ``clause`` is the number of the clause that the rule enforces.
    """

    name: str
    clause: int
    failure_type: str | None
    check: Check[F] | None = None
    _: KW_ONLY
    tools: tuple[str, ...] = ()
    at_end: EndCheck[F] | None = None


@dataclass(frozen=True, kw_only=True)
class RulePack(Generic[F]):
    """A judge made of rules, with one confidence for each of its two answers.

    Of two rules broken at one step, the one that comes first in ``rules`` is named.
    """

    judge_id: str
    summary: str
    facts: Callable[[Exhibit], F]
    rules: tuple[Rule[F], ...]
    fired: float = 0.95
    silent: float = 0.60
    view: str = "full-steps"
    task: str = "check-steps"

    def judge(self, exhibit: Exhibit) -> Finding:
        """Name the first rule broken, by step and then by the order of the rules."""
        facts = self.facts(exhibit)
        rules_of = self._rules_by_tool.get
        for index, step in enumerate(exhibit.steps):
            facts.index = index
            for check, rule in rules_of(step.call.tool, self._rules_for_any):
                words = check(facts, step)
                if words is not None:
                    return self._finding(rule, index, words)
            observation = step.observation
            if observation is not None and observation.ok:
                facts.learn(step.call, observation.data)
            else:
                facts.learn_failure(step.call, observation)
        return self._judge_end(facts)

    def _judge_end(self, facts: F) -> Finding:
        for at_end, rule in self._rules_at_end:
            words = at_end(facts)
            if words is not None:
                return self._finding(rule, len(facts.steps) - 1, words)
        return self._silence

    def _finding(self, rule: Rule[F], index: int, words: str) -> Finding:
        return Finding(
            faulty=True,
            failure_step=index if index >= 0 else None,
            failure_type=rule.failure_type,
            confidence=self.fired,
            rationale=f"{rule.name} (clause {rule.clause}): {words}",
        )

    @cached_property
    def _silence(self) -> Finding:
        return Finding(faulty=False, confidence=self.silent, rationale="no rule is broken")

    @cached_property
    def _rules_by_tool(self) -> dict[str, tuple[tuple[Check[F], Rule[F]], ...]]:
        tools = dict.fromkeys(tool for rule in self.rules for tool in rule.tools)
        return {tool: self._checks_at(tool) for tool in tools}

    @cached_property
    def _rules_for_any(self) -> tuple[tuple[Check[F], Rule[F]], ...]:
        return self._checks_at(None)

    @cached_property
    def _rules_at_end(self) -> tuple[tuple[EndCheck[F], Rule[F]], ...]:
        return tuple((rule.at_end, rule) for rule in self.rules if rule.at_end)

    def _checks_at(self, tool: str | None) -> tuple[tuple[Check[F], Rule[F]], ...]:
        return tuple(
            (rule.check, rule)
            for rule in self.rules
            if rule.check and (not rule.tools or tool in rule.tools)
        )


def calls_after_reply(facts: Facts, step: Step) -> str | None:
    """Say how many steps follow a reply, None if it is the last: a check that every pack makes."""
    n_later = len(facts.steps) - 1 - facts.index
    return f"steps that follow the reply: {n_later}" if n_later else None
