"""The kinds of fault as the prompts of model judges at the support desk hold them."""

from __future__ import annotations

from ..domain import FaultKind

__all__ = ["FAULT_KINDS"]

FAULT_KINDS = (
    FaultKind(
        "wrong_tool",
        "a call that does not serve the step, made in place of the call that the procedure "
        "asks for",
    ),
    FaultKind(
        "hallucinated_argument",
        "a call with a value that stands neither in the request nor in an earlier answer",
    ),
    FaultKind(
        "skipped_precondition", "the agent acts before a check or a read that has to come first"
    ),
    FaultKind(
        "ignored_observation",
        "the agent acts against what an answer has told it, such as another amount than was "
        "authorised",
    ),
    FaultKind(
        "premature_stop",
        "the agent ends before it has acted or before it has told the customer the result",
    ),
    FaultKind(
        "unsupported_claim",
        "the reply states or promises something that no answer and no clause supports",
    ),
)
