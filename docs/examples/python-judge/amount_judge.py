"""A judge as a Python function: was the refund the amount that the check authorised?"""

from typing import Any


def judge(exhibit: dict[str, Any]) -> dict[str, Any]:
    """Return a verdict on one run, flagging the first refund of an amount nobody authorised."""
    authorised: float | None = None
    for step in exhibit["steps"]:
        call, observation = step["call"], step["observation"]
        if call["tool"] == "check_eligibility":
            authorised = _amount_in(observation["data"], "max_refund_")
        elif call["tool"] == "issue_refund":
            refund = _amount_in(call["args"], "amount_")
            if refund != authorised:
                return _fault(step["index"], refund, authorised)
    return {"faulty": False, "confidence": 0.8, "rationale": "No refund departs from the check."}


def _fault(step: int, refund: float | None, authorised: float | None) -> dict[str, Any]:
    is_checked = authorised is not None
    return {
        "faulty": True,
        "failure_step": step,
        "failure_type": "ignored_observation" if is_checked else "skipped_precondition",
        "confidence": 1.0,
        "rationale": f"The call refunds {refund}; {authorised or 'nothing'} was authorised.",
    }


def _amount_in(fields: dict[str, Any], prefix: str) -> float | None:
    """Return an amount whose key ends in its currency, such as ``amount_eur``."""
    amounts = (value for key, value in fields.items() if key.startswith(prefix))
    return next(amounts, None)
