"""What a report warns of: a judge that reacts to edits, and one that ranks high by silence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..metrics.controls import ADJUSTED, CONTROL_HEADLINE
from ..metrics.key import ALL, NumberKey, Numbers
from ..metrics.silence import HEADLINE, standing
from ..stats.estimate import Estimate
from ..tables.table import Style, value_text

__all__ = ["cautions", "ends_text", "signed_text"]

JUDGED = NumberKey("delta", ALL)
NAMED = 3


def cautions(judge: str, of_judges: Mapping[str, Numbers]) -> Iterator[str]:
    """Yield the warnings on one judge, a sentence each; ``of_judges`` holds the numbers of all."""
    own = of_judges[judge]
    delta, control, adjusted = (own.get(key) for key in (HEADLINE, CONTROL_HEADLINE, ADJUSTED))
    if delta is not None and control is not None and adjusted is not None:
        reacts = _reaction(delta, control, adjusted)
        if reacts:
            yield (
                f"{judge} {reacts}: its control-Δ is {signed_text(control)}, and its Δ of "
                f"{signed_text(delta)} less that is {signed_text(adjusted)}."
            )
    below = list(_below_by_silence(judge, of_judges))
    if below:
        more = len(below) - NAMED
        names = ", ".join(below[:NAMED]) + (f" and {more} more judges" if more > 0 else "")
        yield (
            f"{judge} outranks {names} only by silence: its Δ is {signed_text(own[JUDGED])} on the "
            f"{own[JUDGED].n} pairs that it scored, and {signed_text(own[HEADLINE])} on the "
            f"{own[HEADLINE].n} that it was asked about."
        )


def signed_text(number: Estimate) -> str:
    """Return a difference with its interval, rounded for reading."""
    if number.estimate is None:
        return "n/a"
    return value_text(number.estimate, Style.SIGNED) + ends_text(number, Style.SIGNED)


def ends_text(number: Estimate, style: Style) -> str:
    """Return the interval of a number, with a blank before it; nothing if it has none."""
    if number.ci_low is None or number.ci_high is None:
        return ""
    return f" [{value_text(number.ci_low, style)}, {value_text(number.ci_high, style)}]"


def _reaction(delta: Estimate, control: Estimate, adjusted: Estimate) -> str:
    """Return what controls say against a judge; nothing if they say nothing."""
    is_above = delta.ci_low is not None and delta.ci_low > 0
    is_left = adjusted.ci_low is not None and adjusted.ci_low > 0
    if control.ci_low is not None and control.ci_low > 0:
        return f"reacts to edits {'as well as' if is_left else 'rather than'} to faults"
    if is_above and adjusted.ci_low is not None and not is_left:
        return "cannot be said to react to faults rather than to edits"
    return ""


def _below_by_silence(judge: str, of_judges: Mapping[str, Numbers]) -> Iterator[str]:
    """Yield the judges that have the lower Δ of the judged, and no lower cautious Δ."""
    own = of_judges[judge]
    judged, cautious = (own.get(key) for key in (JUDGED, HEADLINE))
    if judged == cautious:
        return
    for name, other in of_judges.items():
        is_behind = standing(judged) < standing(other.get(JUDGED))
        if is_behind and standing(cautious) >= standing(other.get(HEADLINE)):
            yield name
