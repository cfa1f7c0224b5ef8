"""The records that Faultpair writes and reads.

`Trajectory` and `Verdict` keep the names and the order of the fields of the public
release of trajectory-judge. Our fields follow with defaults, so that a file of the
release is read unchanged.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Self

import msgspec
from msgspec import UNSET, Meta, UnsetType

from .release import DEFAULT_DOMAIN

__all__ = [
    "Call",
    "Cell",
    "EndState",
    "Exchange",
    "Instance",
    "Label",
    "ModelTurn",
    "Observation",
    "ReplyPolicy",
    "Step",
    "TokenChoice",
    "Tokens",
    "Trajectory",
    "Verdict",
]

Tokens = Annotated[int, Meta(ge=0, le=2**53)]
"""A count of tokens; one beyond the bound has no exact number in most readers of JSON."""

EndState = dict[str, Any]
"""The state of the world after an episode, e.g. ``{"handed_over": "a red cape"}``."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A frozen record; a field that its schema does not name is refused when read."""


class ReplyPolicy(StrEnum):
    """What a fault does with the reply of its clean parent."""

    KEEP = "keep"
    CONSISTENT = "consistent"


class Cell(StrEnum):
    """Reply unchanged or changed × required end state reached or lost."""

    UNCHANGED_SURVIVES = "unchanged-survives"
    UNCHANGED_LOST = "unchanged-lost"
    CHANGED_SURVIVES = "changed-survives"
    CHANGED_LOST = "changed-lost"

    @classmethod
    def of(cls, *, reply_changed: bool, outcome_survives: bool) -> Cell:
        """Return the cell of a fault from the two facts that define it."""
        if reply_changed:
            return cls.CHANGED_SURVIVES if outcome_survives else cls.CHANGED_LOST
        return cls.UNCHANGED_SURVIVES if outcome_survives else cls.UNCHANGED_LOST


class Call(Record, frozen=True):
    """One use of a tool. The arguments are any JSON object; the world judges them."""

    tool: str
    args: dict[str, Any]


class Observation(Record, frozen=True):
    """What the world answered. A refusal is an observation with ``ok`` false."""

    ok: bool
    data: dict[str, Any]
    error: str | None


class Step(Record, frozen=True):
    """One turn of an agent. A plan that was never run has no observation.

    ``start_s`` and ``end_s`` are simulated seconds since the episode began.
    """

    index: int
    thought: str
    call: Call
    observation: Observation | None
    start_s: int | None = None
    end_s: int | None = None


class Label(Record, frozen=True):
    """The facts known about a trajectory by its construction. No judge is shown them.

    A clean run and a control are not faulty; a control names itself in
    ``control``. ``failure_step`` is a 0-based index into the steps of the faulty
    run. ``variant`` names the wording or form of an edit that has several.
    """

    faulty: bool
    failure_step: int | None
    failure_type: str | None
    outcome_correct: bool
    parent_id: str | None = None
    control: str | None = None
    reply_changed: bool | None = None
    cell: Cell | None = None
    reply_policy: ReplyPolicy | None = None
    variant: str | None = None
    edit: str | None = None


class Trajectory(Record, frozen=True):
    """One run of an agent: the goal, each step, the reply, the end state.

    ``end_state`` is None only in files that do not record it; see
    `faultpair.studies.runs.read_runs`, which supplies it for the release.
    """

    trajectory_id: str
    instance_id: str
    goal: str
    steps: tuple[Step, ...]
    final_answer: str
    label: Label
    domain: str = DEFAULT_DOMAIN
    end_state: EndState | None = None

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls of its steps, which is all there is to a plan."""
        return tuple([step.call for step in self.steps])


class _OfAWorld(Record, frozen=True, kw_only=True):
    """A record of a version of its domain's world.

    The field is of a base class and by keyword alone, so that it is the last of each kind of
    instance. World 1 is not written: its files are older than the field.
    """

    later_world: Annotated[int, Meta(ge=2, le=2)] | UnsetType = msgspec.field(
        default=UNSET, name="world"
    )

    @property
    def world(self) -> int:
        """The world that it was generated in."""
        return self.later_world or 1

    def in_world(self, world: int) -> Self:
        """Return the record marked as one of a world."""
        return self if world == self.world else msgspec.structs.replace(self, later_world=world)


class Instance(_OfAWorld, frozen=True):
    """One request to a world. A domain adds its hidden state in a subclass.

    ``difficulty`` is the release's name for the scenario. ``given`` holds the
    values that the goal states, which an agent may use without looking them up.
    """

    instance_id: str
    difficulty: str
    goal: str
    given: dict[str, Any]


class Verdict(Record, frozen=True):
    """One judge's answer about one trajectory; key (trajectory_id, judge_id, sample, repeat).

    An answer that cannot be read is *unscored*: ``faulty`` is None and
    ``unscored`` says why. ``confidence`` is that in the verdict given, in
    [0.5, 1]; ``score`` is P(faulty) in [0, 1] where an engine reports it.
    Judges without a model write ``latency_s`` 0.0 and no tokens. A verdict that
    shares the reply to an identical request names the trajectory of that request in
    ``shared_from``, and has no cost of its own.
    """

    trajectory_id: str
    judge_id: str
    faulty: bool | None
    failure_step: int | None
    failure_type: str | None
    confidence: float | None
    rationale: str
    latency_s: float = 0.0
    prompt_tokens: Tokens = 0
    completion_tokens: Tokens = 0
    error: str | None = None
    view: str | None = None
    task: str | None = None
    engine: str | None = None
    engine_version: str | None = None
    model_digest: str | None = None
    prompt_hash: str | None = None
    sample: int = 0
    repeat: int = 0
    score: float | None = None
    scores: dict[str, Any] | None = None
    unscored: str | None = None
    shared_from: str | None = None


class TokenChoice(Record, frozen=True):
    """A token of a reply with its log-probability and those of the likeliest tokens."""

    token: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


class Exchange(Record, frozen=True):
    """One attempt at a judge's request.

    ``text`` is the raw reply; without one, ``error`` or ``unsent`` holds the reason.
    ``is_final`` marks the last attempt. ``decision`` keeps the log-probabilities at the
    token that gives the verdict. ``process`` numbers the process of a program whose answer
    does not say which question it belongs to; others do not have the field.

    With ``voided``, this is no attempt but a record that all answers of a process are void.
    It lists their places, the key of each verdict without the judge; ``error`` says why.
    """

    trajectory_id: str
    judge_id: str
    sample: int
    repeat: int
    attempt: int
    request_hash: str
    prompt_hash: str
    engine: str
    engine_version: str | None
    model_digest: str | None
    text: str | None = None
    finish_reason: str | None = None
    decision: TokenChoice | None = None
    prompt_tokens: Tokens = 0
    cached_tokens: Tokens = 0
    completion_tokens: Tokens = 0
    latency_s: float = 0.0
    error: str | None = None
    unsent: str | None = None
    is_final: bool = True
    process: int | UnsetType = UNSET
    voided: tuple[tuple[str, int, int], ...] | UnsetType = UNSET


class ModelTurn(Record, frozen=True):
    """One attempt at the next turn of a model that acts or plans.

    ``index`` counts the questions of its run from 0. ``text`` is the raw answer,
    ``unreadable`` the reason why it holds no call or no plan. Without an answer, ``error``
    or ``unsent`` holds the reason; an unsent request ends the run.
    """

    trajectory_id: str
    index: int
    attempt: int
    request_hash: str
    prompt_hash: str
    engine: str
    engine_version: str | None
    model_digest: str | None
    text: str | None = None
    finish_reason: str | None = None
    unreadable: str | None = None
    prompt_tokens: Tokens = 0
    cached_tokens: Tokens = 0
    completion_tokens: Tokens = 0
    latency_s: float = 0.0
    error: str | None = None
    unsent: str | None = None
