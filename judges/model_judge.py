"""The model judge: a view × a task × an engine.

A prompt begins with the text that all judges of a domain share, then has the page of the
run, then the task, so that an engine with a prefix cache reads each run once for all tasks.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar

import msgspec

from faultpair.engines.engine import Message, Reply, Request
from faultpair.env.records import Call, Observation, Step
from faultpair.env.release import DEFAULT_DOMAIN

from . import token_probability as graded
from .engine_judge import Answer
from .exhibit import Exhibit
from .finding_parser import read_finding, read_word
from .judge import Finding
from .prompts import answer_text, role_text, task_text, taxonomy
from .task import TASKS, AnswerForm
from .view import VIEWS

__all__ = ["SPECIMEN", "ModelJudge", "schema_of"]

LONGEST_REASONING = 300
"""Characters; the limit in the schema keeps small models from using up their tokens."""

SPECIMEN = Exhibit(
    domain=DEFAULT_DOMAIN,
    goal="Hand over coat 7.",
    given={"ticket": 7},
    steps=(
        Step(0, "I look.", Call("find", {"ticket": 7}), Observation(True, {"coat": "red"}, None)),
        Step(1, "I ask.", Call("ask", {}), Observation(False, {}, "nobody answered")),
        Step(2, "I say so.", Call("reply", {"text": "Here it is."}), None),
    ),
    reply="Here it is.",
    end_state={"coat": "red"},
)
"""A made-up run. Its page is part of a prompt's hash, so that the hash covers the layout."""


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """A model that is shown a view of a run and given a task.

    At temperature 0 each pass sends the same request; above it, each sample of
    each repeat has a seed of its own.

    Raises
    ------
    UsageError
        If there is no such view or task, or no role text for the domain.
    """

    parts: ClassVar[int] = 1
    retries: ClassVar[int] = 0

    judge_id: str
    domain: str
    engine: str
    view: str = "full-steps"
    task: str = "check-steps"
    form: AnswerForm | None = None
    temperature: float = 0.0
    seed: int = 7
    samples: int = 1
    max_tokens: int = 400
    graded: bool = True

    def __post_init__(self) -> None:
        # A domain without kinds of fault, or an unknown part, is refused before any call.
        role_text(self.domain)
        _ = VIEWS[self.view], TASKS[self.task]

    @property
    def summary(self) -> str:
        """One line for a list of judges."""
        return f"{self.engine}: {TASKS[self.task].summary}"

    @property
    def answer_form(self) -> AnswerForm:
        """The form of its answers: that of its task unless another is set."""
        return self.form or TASKS[self.task].form

    def prompt_hash(self) -> str:
        """Return the SHA-256 of its prompt on a made-up run."""
        specimen = msgspec.structs.replace(SPECIMEN, domain=self.domain)
        request = self.request(specimen, sample=0, repeat=0)
        texts = [message.content for message in request.messages]
        return sha256(msgspec.json.encode([texts, request.json_schema])).hexdigest()

    def settings(self) -> dict[str, Any]:
        """Return its settings."""
        return {
            "view": self.view,
            "task": self.task,
            "form": self.answer_form.value,
            "engine": self.engine,
            "temperature": self.temperature,
            "seed": self.seed,
            "samples": self.samples,
            "max_tokens": self.max_tokens,
            "graded": self.graded,
        }

    def request(self, exhibit: Exhibit, *, sample: int, repeat: int) -> Request:
        """Return the prompt about an exhibit."""
        form = self.answer_form
        is_word = form is AnswerForm.WORD
        return Request(
            messages=(
                Message("system", role_text(self.domain)),
                Message("user", self._page(exhibit)),
            ),
            json_schema=schema_of(form, taxonomy(self.domain)),
            temperature=self.temperature,
            seed=self.seed + (repeat * self.samples + sample if self.temperature else 0),
            max_tokens=1 if is_word else self.max_tokens,
            top_logprobs=graded.N_ALTERNATIVES if self.graded or is_word else 0,
        )

    def answer(self, reply: Reply) -> Answer:
        """Return the text of a reply, with the token that gives its verdict."""
        is_word = self.answer_form is AnswerForm.WORD
        find = graded.word_token if is_word else graded.verdict_token
        return Answer(reply.text, reply.finish_reason, find(reply.tokens))

    def read(self, answer: Answer, exhibit: Exhibit) -> Finding:
        """Return the finding, with P(faulty) where the engine gave alternatives."""
        score = graded.probability(answer.decision)
        if self.answer_form is AnswerForm.WORD:
            return _word_finding(answer.text, score)
        finding = read_finding(
            answer.text,
            n_steps=len(exhibit.steps),
            kinds=taxonomy(self.domain),
            finish_reason=answer.finish_reason,
        )
        if finding.faulty is None:
            return finding
        return msgspec.structs.replace(finding, score=score)

    def _page(self, exhibit: Exhibit) -> str:
        shown = VIEWS[self.view].render(exhibit)
        return f"{shown}\n\n{task_text(self.task)}\n\n{answer_text(self.answer_form)}"


def _word_finding(text: str, score: float | None) -> Finding:
    """Return the finding of one word; of another word than yes or no, the likelier of the two.

    The score does not decide against the word, which may have been drawn by chance.
    """
    faulty = read_word(text)
    if faulty is None and score is not None:
        faulty = score > 0.5
    if faulty is None:
        return Finding(None, unscored="the answer is neither yes nor no")
    agreed = 0.5 if score is None else score if faulty else 1 - score
    return Finding(faulty, confidence=max(0.5, agreed), rationale=text.strip(), score=score)


def schema_of(form: AnswerForm, kinds: tuple[str, ...]) -> dict[str, Any] | None:
    """Return the JSON schema of an answer, its reasoning first; one word has none."""
    if form is AnswerForm.WORD:
        return None
    properties: dict[str, Any] = {
        "reasoning": {"type": "string", "maxLength": LONGEST_REASONING},
        "faulty": {"type": "boolean"},
        "failure_step": {"type": ["integer", "null"]},
        "failure_type": {"enum": [*kinds, None]},
        "confidence": {"type": "number"},
    }
    if form is AnswerForm.REPLY:
        del properties["failure_step"]
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
