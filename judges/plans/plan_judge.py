"""The judge of plans: a condition × an engine, with a grade and a reason on each metric.

A prompt begins with the text that all judges share, then has the page, then the task. The
page begins with the pool of tools: the longest common prefix of a record's prompts.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import msgspec

from faultpair.engines.engine import Message, Reply, Request
from faultpair.env.plans.records import ToolSchema
from faultpair.env.records import Call, Step
from faultpair.env.release import DEFAULT_DOMAIN

from ..engine_judge import Answer
from ..exhibit import Exhibit
from ..judge import Finding
from ..plan_metrics.metrics import METRICS
from ..prompts import plan_text
from .conditions import GroundTruth, PlanForm, schema_of
from .grade_parser import read_grades
from .page import page_of

__all__ = ["SPECIMEN", "PlanJudge"]

SPECIMEN = Exhibit(
    domain=DEFAULT_DOMAIN,
    goal="Hand over coat 7.",
    given={"stated": [7]},
    steps=(Step(0, "", Call("give_coat", {"coat": "$find_coat.coat"}), None),),
    reply="",
    end_state=None,
    tools=(
        ToolSchema(
            "find_coat",
            "Look a coat up.",
            {"properties": {"ticket": {"type": "integer"}, "hall": {"type": "string"}},
             "required": ["ticket"]},
            {"properties": {"coat": {"type": "string"}}},
        ),
    ),
    plan=(Call("find_coat", {"ticket": 7}), Call("give_coat", {"coat": "$find_coat.coat"})),
)  # fmt: skip
"""A made-up plan. Its page is part of a prompt's hash, so that the hash covers the layout."""

_DEFAULTS = {1.0: "default-high", 0.5: "default-middle"}
_SWITCHES = {True: "/think", False: "/no_think"}


@dataclass(frozen=True, slots=True)
class PlanJudge:
    """A model that grades a plan on four metrics.

    ``default`` is the score that the rubric starts from, 1 or 0.5. ``thinking`` ends the
    prompt with the switch of Qwen3 and similar models, None leaves it out; thoughts
    exclude a schema. ``swap_seed`` draws the corrupted ground truth.
    """

    judge_id: str
    engine: str
    ground_truth: GroundTruth = GroundTruth.NONE
    form: PlanForm = PlanForm.RUBRIC
    default: float = 1.0
    thinking: bool | None = None
    temperature: float = 0.0
    seed: int = 7
    max_tokens: int = 400
    retries: int = 2
    swap_seed: int = 0

    @property
    def summary(self) -> str:
        """One line for a list of judges."""
        return f"{self.engine}: Grade a plan on four metrics, ground truth {self.ground_truth}."

    @property
    def view(self) -> str:
        """Its view, with the kind of reference plan in the name."""
        return {
            GroundTruth.NONE: "plan",
            GroundTruth.SHOWN: "plan-with-reference",
            GroundTruth.CORRUPTED: "plan-with-corrupted-reference",
        }[self.ground_truth]

    @property
    def task(self) -> str:
        """Its task, with the form of its grades in the name."""
        start = "-from-half" if self.default == 0.5 else ""
        return f"grade-plan-{self.form}{start}"

    @property
    def samples(self) -> int:
        """Four where each metric is asked for alone."""
        return self.parts

    @property
    def parts(self) -> int:
        """The number of answers in a verdict."""
        return len(METRICS) if self.form is PlanForm.SINGLE else 1

    def prompt_hash(self) -> str:
        """Return the SHA-256 of its prompts on a made-up plan."""
        requests = [self.request(SPECIMEN, sample=part, repeat=0) for part in range(self.parts)]
        texts = [[message.content for message in request.messages] for request in requests]
        schemas = [request.json_schema for request in requests]
        return sha256(msgspec.json.encode([texts, schemas])).hexdigest()

    def settings(self) -> dict[str, Any]:
        """Return its settings."""
        return {
            "view": self.view,
            "task": self.task,
            "form": self.form.value,
            "engine": self.engine,
            "ground_truth": self.ground_truth.value,
            "default": self.default,
            "thinking": self.thinking,
            "temperature": self.temperature,
            "seed": self.seed,
            "samples": self.samples,
            "max_tokens": self.max_tokens,
            "retries": self.retries,
            "swap_seed": self.swap_seed,
        }

    def request(self, exhibit: Exhibit, *, sample: int, repeat: int) -> Request:
        """Return the prompt about an exhibit; of a form in parts, ``sample`` says which metric."""
        metrics = (METRICS[sample],) if self.form is PlanForm.SINGLE else METRICS
        return Request(
            (
                Message("system", self._preamble()),
                Message("user", "\n\n".join((self._page(exhibit), self._task_text(metrics)))),
            ),
            None if self.thinking else schema_of(self.form, metrics),
            self.temperature,
            self.seed + (repeat * self.samples + sample if self.temperature else 0),
            self.max_tokens,
        )

    def answer(self, reply: Reply) -> Answer:
        """Return the text of a reply."""
        return Answer(reply.text, reply.finish_reason)

    def read(self, answer: Answer, exhibit: Exhibit) -> Finding:
        """Return the grades that an answer holds, or why it holds none."""
        return read_grades(answer.text, self.form, finish_reason=answer.finish_reason)

    def _page(self, exhibit: Exhibit) -> str:
        return page_of(exhibit, with_reference=self.ground_truth is not GroundTruth.NONE)

    def _preamble(self) -> str:
        defines = self.form in (PlanForm.RUBRIC, PlanForm.BINARY)
        names = ("role", "metrics") if defines else ("role",)
        return "\n\n".join(map(plan_text, names))

    def _task_text(self, metrics: tuple[str, ...]) -> str:
        texts = [] if self.ground_truth is GroundTruth.NONE else [plan_text("reference")]
        if self.form is PlanForm.SINGLE:
            (metric,) = metrics
            texts += [plan_text(f"single/{metric}")]
            texts += [plan_text("answer-single").replace("METRIC", metric)]
        else:
            texts += [plan_text(self.form), *self._default(), plan_text("answer")]
        return "\n".join((*texts, *self._switch()))

    def _default(self) -> tuple[str, ...]:
        return () if self.form is PlanForm.FREE else (plan_text(_DEFAULTS[self.default]),)

    def _switch(self) -> tuple[str, ...]:
        return () if self.thinking is None else (_SWITCHES[self.thinking],)
