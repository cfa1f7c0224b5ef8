"""The narrative of a report: one sentence a judge, with the meaning of its numbers."""

from __future__ import annotations

from ..data.study_data import LABELLER_ROW, StudyData
from ..metrics.baselines import in_order
from ..metrics.detection import FALSE_ALARMS
from ..metrics.key import ALL, Group, NumberKey, Numbers, design_key
from ..metrics.silence import HEADLINE
from ..stats.estimate import Estimate
from ..tables.table import Style, value_text
from .cautions import cautions, ends_text, signed_text

__all__ = ["sentences"]

JUDGED = NumberKey("delta", ALL)
NAMED = 3
RARE = 0.05


def sentences(study: StudyData, numbers: Numbers) -> list[str]:
    """Return what is said of every judge, in the order of the summary."""
    views = dict(zip(study.judges, study.verdicts.view, strict=True))
    own: dict[str, Numbers] = {judge: {} for judge in views}
    for key, number in numbers.items():
        if key.judge in own and not key.family:
            own[key.judge][key._replace(judge="")] = number
    return [
        " ".join([_sentence(judge, views[judge], own[judge], numbers), *cautions(judge, own)])
        if judge != LABELLER_ROW
        else f"{judge} is no judge here: its findings are labels of these runs."
        for judge in in_order(study, numbers)
    ]


def _sentence(judge: str, view: str | None, own: Numbers, numbers: Numbers) -> str:
    """Return how well one judge discriminates, what it cannot see, and what stays open."""
    parts = [_discrimination(own), _judged(own), _ranking(own), _blindness(view, own, numbers)]
    parts += [about(own) for about in (_missed, _false_alarms, _precision, _unscored)]
    return f"{judge} {'; '.join(part for part in parts if part)}."


def _discrimination(own: Numbers) -> str:
    delta, recall = own[HEADLINE], own[NumberKey("recall", ALL)]
    judged = own[JUDGED]
    if delta.estimate is None or judged.estimate is None:
        return (
            f"has no paired discrimination ({judged.reason}), and recall alone says nothing of it"
        )
    if delta.method == "structural zero":
        return "is shown the same of every fault as of its clean run, so its Δ is 0 by structure"
    is_silent = delta != judged
    against = ", its silence counted against it" if is_silent else ""
    about = f"{signed_text(delta)}{against}"
    if is_silent and (delta.ci_high or 0) < 0:
        return f"cannot be said to tell faults from the clean runs they came from (Δ {about})"
    if delta.ci_low is None or delta.ci_high is None or delta.ci_low <= 0 <= delta.ci_high:
        flags = f", although it flags {_percent(recall)} of the faults" if recall.estimate else ""
        return (
            f"cannot be said to tell faults from the clean runs they came from (Δ {about}){flags}"
        )
    if delta.ci_high < 0:
        return f"flags faults less often than the clean runs they came from (Δ {about})"
    size = value_text(delta.estimate, Style.RATE)
    rest = f"{ends_text(delta, Style.RATE)}, {delta.n} pairs"
    return f"flags faults {size} more often than the clean runs they came from{rest}{against}"


def _judged(own: Numbers) -> str:
    """Return Δ of the pairs that a silent judge scored."""
    judged, delta = own[JUDGED], own[HEADLINE]
    if judged.estimate is None or judged == delta:
        return ""
    return f"on the {judged.n} pairs of which it scored both sides, its Δ is {signed_text(judged)}"


def _ranking(own: Numbers) -> str:
    auc = own.get(NumberKey("auc", ALL))
    if auc is None or auc.estimate is None or auc.method == "structural zero":
        return ""
    return (
        f"its score is higher for the fault in {auc.estimate:.1%} of {auc.n} pairs, ties half"
        f"{ends_text(auc, Style.RATE)}"
    )


def _blindness(view: str | None, own: Numbers, numbers: Numbers) -> str:
    blind = numbers.get(design_key("pairs", Group("blind", view)))
    pairs = numbers[design_key("pairs")]
    if blind is None or not blind.estimate or blind.estimate == pairs.estimate:
        return ""
    seen = own[NumberKey("delta", Group("reaches", view))]
    rest = "" if seen.estimate is None else f", and has Δ {signed_text(seen)} on the others"
    return (
        f"it cannot see {blind.estimate:.0f} of the {pairs.estimate:.0f} paired faults, "
        f"which change nothing that it is shown{rest}"
    )


def _missed(own: Numbers) -> str:
    missed = [
        key.group.name or ""
        for key, number in own.items()
        if key.stat == "recall"
        and isinstance(key.group, Group)
        and key.group.factor == "type"
        and number.estimate == 0
    ]
    if not missed:
        return ""
    more = len(missed) - NAMED
    named = ", ".join(missed[:NAMED]) + (f" and {more} more types" if more > 0 else "")
    return f"it flagged no fault of {named}"


def _false_alarms(own: Numbers) -> str:
    alarms = own[FALSE_ALARMS]
    if alarms.estimate is None:
        return f"its false-alarm rate is unknown ({alarms.reason})"
    flagged = f"{round(alarms.estimate * alarms.n)} of {alarms.n} clean runs flagged"
    if alarms.estimate == 0 and alarms.ci_high is not None:
        return f"with {flagged}, a false-alarm rate up to {alarms.ci_high:.1%} is not excluded"
    ends = "" if alarms.ci_low is None else f" [{alarms.ci_low:.1%}, {alarms.ci_high:.1%}]"
    return f"with {flagged}, it raises a false alarm on {_percent(alarms)}{ends}"


def _precision(own: Numbers) -> str:
    floor = own[NumberKey("precision", str(RARE), "floor")]
    if floor.estimate is None or not own[NumberKey("recall", ALL)].estimate:
        return ""
    return (
        f"were {RARE:.0%} of runs faulty, as few as {_percent(floor)} of its flags might be right"
    )


def _unscored(own: Numbers) -> str:
    unscored, errors, judged = (
        own[NumberKey(f"runs/{name}")].estimate or 0 for name in ("unscored", "errors", "judged")
    )
    lost = unscored + errors
    return f"{lost:.0f} of its {judged:.0f} verdicts are missing" if lost else ""


def _percent(number: Estimate) -> str:
    return "n/a" if number.estimate is None else f"{number.estimate:.1%}"
