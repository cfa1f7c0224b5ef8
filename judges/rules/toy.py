"""The rule pack of the cloakroom: the smallest example of one."""

from __future__ import annotations

from typing import Any

from faultpair.env.records import Call, Observation, Step

from ..exhibit import Exhibit
from .engine import Facts, Rule, RulePack, calls_after_reply
from .values import is_grounded, show, word_in

__all__ = ["PACKS", "RULES"]


class CloakroomFacts(Facts):
    """Whether the rack was searched, the coat found, whether it went out, whether a reply did."""

    __slots__ = ("coat", "given", "handed_over", "looked", "replied")

    def __init__(self, exhibit: Exhibit) -> None:
        super().__init__(exhibit)
        self.given = exhibit.given
        self.looked = self.handed_over = self.replied = False
        self.coat: str | None = None

    def learn(self, call: Call, data: dict[str, Any]) -> None:
        """Note a coat found, a coat handed over, or the reply."""
        if call.tool == "find_coat":
            self.looked, self.coat = True, word_in(data, "coat")
        self.handed_over |= call.tool == "hand_over"
        self.replied |= call.tool == "reply"

    def learn_failure(self, call: Call, observation: Observation | None) -> None:
        """Note the search, even if no coat was there."""
        self.looked |= call.tool == "find_coat" and observation is not None


def _another_ticket(facts: CloakroomFacts, step: Step) -> str | None:
    ticket = step.call.args.get("ticket")
    if is_grounded(ticket, [facts.given]):
        return None
    return f"ticket {show(ticket)} is looked for, which the guest did not present"


def _not_looked(facts: CloakroomFacts, step: Step) -> str | None:
    return None if facts.looked else f"{step.call.tool} comes before looking for the coat"


def _another_coat(facts: CloakroomFacts, step: Step) -> str | None:
    coat = step.call.args.get("coat")
    if facts.coat is not None and facts.coat == coat:
        return None
    return f"{show(coat)} is handed over, found was {show(facts.coat)}"


def _coat_kept(facts: CloakroomFacts, step: Step) -> str | None:
    if facts.coat is None or facts.handed_over:
        return None
    return f"the reply is sent, but {show(facts.coat)} was not handed over"


def _no_reply(facts: CloakroomFacts) -> str | None:
    return None if facts.replied else "the run ends without a reply"


_FIND = ("find_coat",)
_HAND_OVER = ("hand_over",)
_REPLY = ("reply",)

RULES: RulePack[CloakroomFacts] = RulePack(
    judge_id="rules",
    summary="The whole procedure of the cloakroom, in five rules.",
    facts=CloakroomFacts,
    rules=(
        Rule("T1_another_ticket", 1, "hallucinated_argument", _another_ticket, tools=_FIND),
        Rule("T2_not_looked", 1, "skipped_precondition", _not_looked, tools=(*_HAND_OVER, *_REPLY)),
        Rule("T3_another_coat", 2, "ignored_observation", _another_coat, tools=_HAND_OVER),
        Rule("T4_coat_kept", 2, "coat_kept", _coat_kept, tools=_REPLY),
        Rule(
            "T5_reply_placement",
            3,
            "premature_stop",
            calls_after_reply,
            tools=_REPLY,
            at_end=_no_reply,
        ),
    ),
)

PACKS = (RULES,)
