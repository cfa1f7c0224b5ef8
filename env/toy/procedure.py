"""What the attendant of the cloakroom must do, and the kinds of fault in judges' prompts."""

from __future__ import annotations

from ..domain import Clause, FaultKind

__all__ = ["FAULT_KINDS", "PROCEDURE"]

PROCEDURE = (
    Clause(1, "Look first", "Find the coat of the ticket; looking again is allowed."),
    Clause(2, "Hand over what was found", "A coat that was found is handed over."),
    Clause(3, "Answer", "Close with one reply that says what happened."),
)

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
    FaultKind("ignored_observation", "the agent acts against what an answer has told it"),
    FaultKind(
        "premature_stop", "the agent ends before it has acted or before it has told the result"
    ),
    FaultKind(
        "unsupported_claim",
        "the reply states or promises something that no answer and no clause supports",
    ),
)
