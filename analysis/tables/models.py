"""Tables of model judges: their settings, their ranking of runs, their repeatability."""

from __future__ import annotations

from ..data.study_data import StudyData
from ..metrics.detection import FALSE_ALARMS
from ..metrics.key import ALL, NumberKey, Numbers, design_key
from ..metrics.repeatability import pass_key, passes_of
from .rows import of_judge
from .table import Column, Row, Style, Table, counts, rates, words

__all__ = ["graded", "judges", "more_passes", "repeatability", "vote_shares", "votes"]

DIGEST_SHOWN = 12

GRADED = {
    NumberKey("score-pairs"): Column("Both scored", Style.COUNT),
    NumberKey("delta"): Column("Δ", Style.SIGNED),
    NumberKey("auc"): Column("Paired AUC", Style.RATE),
    NumberKey("auc", part="percentile"): Column("Paired AUC, bootstrap", Style.RATE),
    NumberKey("score-gap"): Column("Score gap", Style.SIGNED),
    NumberKey("auc-unpaired"): Column("Unpaired AUC", Style.RATE),
}
OF_ALL = {
    NumberKey("score/brier"): "Brier of score",
    NumberKey("score/ece"): "ECE of score",
    NumberKey("score/ece", part="bias"): "ECE if calibrated",
}
SPREAD = {
    NumberKey("noise/same"): Column("Same in all", Style.RATE),
    NumberKey("noise/agreement"): Column("Pairwise agreement", Style.RATE),
    NumberKey("noise/flips"): Column("Flips", Style.RATE),
    NumberKey("noise/delta-mean"): Column("Δ", Style.SIGNED),
    NumberKey("noise/delta-least"): Column("Least Δ", Style.SIGNED),
    NumberKey("noise/delta-largest"): Column("Largest Δ", Style.SIGNED),
    NumberKey("noise/delta-sd"): Column("SD of Δ", Style.RATE),
}
PARTS = {
    NumberKey("noise/delta-mean"): Column("Δ", Style.SIGNED),
    NumberKey("noise/judge-sd"): Column("SD, judge", Style.RATE),
    NumberKey("noise/instance-sd"): Column("SD, instances", Style.RATE),
    NumberKey("noise/error"): Column("Standard error", Style.RATE),
    NumberKey("noise/error/one-more-pass"): Column("With one more pass", Style.RATE),
    NumberKey("noise/calls/one-more-pass"): Column("Calls of it", Style.COUNT),
    NumberKey("noise/error/one-more-instance"): Column("With one more instance", Style.RATE),
    NumberKey("noise/calls/one-more-instance"): Column("Calls of that", Style.COUNT),
}
VOTED = {
    NumberKey("recall", ALL): Column("Recall", Style.RATE),
    FALSE_ALARMS: Column("False alarms", Style.RATE),
    NumberKey("delta", ALL): Column("Δ", Style.SIGNED),
    NumberKey("auc", ALL): Column("Paired AUC", Style.RATE),
}


def judges(study: StudyData, _: Numbers) -> Table:
    """Give the settings of every model judge, and the model that answers."""
    rows = tuple(
        (
            name,
            seal.view,
            seal.task,
            seal.form,
            seal.engine,
            seal.engine_version,
            seal.model,
            (seal.model_digest or "").removeprefix("sha256:")[:DIGEST_SHOWN] or None,
            _temperature(study, name),
            None if seal.seed is None else str(seal.seed),
            None if seal.samples is None else str(seal.samples),
            "late" if seal.joined_late else "at first",
        )
        for name, seal in sorted(study.sealed.items())
    )
    columns = words("Judge", "View", "Task", "Form") + words("Engine", "Version", "Model", "Digest")
    columns += words("Temperature", "Seed", "Samples", "Joined")
    notes = (
        "Sealed in the manifest before the judge's first verdict.",
        "Late: after another judge that asks had answered.",
    )
    return Table("judges", f"Judges that ask, {study.name}", columns, rows, notes)


def graded(study: StudyData, numbers: Numbers) -> Table:
    """Set the ranking by score beside the binary Δ, group by group."""
    pairs = [key for key in numbers if key.stat == "score-pairs"]
    graded_by = {key.judge for key in pairs}
    groups = dict.fromkeys(key.group for key in pairs)
    rows = tuple(
        (
            str(group),
            judge,
            numbers[design_key("pairs", group)],
            *of_judge(numbers, (key._replace(group=group) for key in GRADED), judge),
            *(of_judge(numbers, OF_ALL, judge) if group == ALL else [None] * len(OF_ALL)),
        )
        for group in groups
        for judge in study.judges
        if judge in graded_by
    )
    columns = words("Group", "Judge") + counts("Pairs")
    columns += (*GRADED.values(), *rates(*OF_ALL.values()))
    notes = (
        "Score: the judge's P(faulty); that of a vote is the share of its passes that flag.",
        "Paired AUC: share of pairs whose fault has the higher score, ties half; 0.5 is chance.",
        "Its interval and that of the gap are made as that of Δ: from gains and losses, by "
        "instance. Beside it, the percentile bootstrap over instances.",
        "Score gap: mean of score(fault) minus score(parent).",
        "Unpaired AUC: a fault of the group against any clean run. Its interval and that of the "
        "Brier score are exact at the effective number of runs, clustered by instance.",
        "Brier and ECE take the score as the chance that the run is faulty.",
    )
    return Table("graded", f"Graded readout, {study.name}", columns, rows, notes)


def repeatability(study: StudyData, numbers: Numbers) -> Table:
    """Give how far the passes of a judge agree: one row for all of them, then one for each."""
    rows = tuple(row for judge in study.judges for row in _passes_of(study, numbers, judge))
    columns = words("Judge", "Temperature", "Passes")
    columns += (*SPREAD.values(), *rates("Identical pairs"))
    notes = (
        "A pass is named sample.repeat. Runs and pairs are those that every pass scored; a run "
        "that shares the answer about another counts with that other.",
        "Flips: share of further passes that decide otherwise than the first.",
        "Identical pairs: of the pairs that the view cannot tell apart and that were asked about "
        "on both sides, those with the same verdict and rationale, to the letter.",
    )
    return Table("noise", f"Noise between passes, {study.name}", columns, rows, notes)


def more_passes(study: StudyData, numbers: Numbers) -> Table:
    """Split the variance of Δ over passes; say what a pass, or an instance, more would buy."""
    rows = tuple(
        (judge, str(len(passes_of(study, judge).series)), *of_judge(numbers, PARTS, judge))
        for judge in study.judges
        if NumberKey("noise/judge-sd", judge=judge) in numbers
    )
    notes = (
        "Δ: averaged over passes; its interval is by instance, and a pair counts once a pass.",
        "SD: of Δ of one pass, over passes of the judge about the same instances, and over "
        "instances; by mean squares, and 0 where it comes out below 0. Passes are taken as "
        "independent of each other.",
        "A further pass lessens the part of the judge alone, a further instance both. For as "
        "many calls, instances lessen the standard error at least as much as passes do.",
        "Calls of one instance: its runs, as many as on average, in every pass.",
    )
    columns = (*words("Judge", "Passes"), *PARTS.values())
    return Table("noise-parts", f"Δ over passes, {study.name}", columns, rows, notes)


def votes(study: StudyData, numbers: Numbers) -> Table:
    """Set the votes on a judge's passes beside its single pass."""
    rows: list[Row] = []
    for asked in dict.fromkeys(vote.of for vote in study.votes):
        own = [vote for vote in study.votes if vote.of == asked and vote.id in study.judges]
        if own and asked in study.judges:
            rows.append((asked, "single pass", *of_judge(numbers, VOTED, asked)))
            rows += [(v.id, f"{v.rule} of {v.k}", *of_judge(numbers, VOTED, v.id)) for v in own]
    columns = (*words("Judge", "Decides by"), *VOTED.values())
    notes = ("A vote sends no request: it counts the first passes of the judge above it.",)
    return Table("votes", f"Votes, {study.name}", columns, tuple(rows), notes)


def vote_shares(study: StudyData, numbers: Numbers) -> Table:
    """Count faults and clean runs by the number of passes that flag them."""
    rows: list[Row] = []
    for judge in study.judges:
        k = study.voted.get(judge)
        for flags in range(k + 1) if k is not None else ():
            share = f"{flags} of {k}"
            keys = [NumberKey("votes", name, share) for name in ("faults", "clean")]
            rows.append((judge, share, *of_judge(numbers, keys, judge)))
    columns = words("Judge", "Passes that flag") + counts("Faults", "Clean runs")
    return Table("vote-shares", f"Vote shares, {study.name}", columns, tuple(rows))


def _passes_of(study: StudyData, numbers: Numbers, judge: str) -> list[Row]:
    identical = numbers.get(NumberKey("identical-pairs", judge=judge))
    if NumberKey("noise/same", judge=judge) not in numbers and not (identical and identical.n):
        return []
    temperature = _temperature(study, judge)
    every = passes_of(study, judge).series
    spread = of_judge(numbers, SPREAD, judge)
    rows: list[Row] = [(judge, temperature, f"all {len(every)}", *spread, identical)]
    for one in every if len(every) > 1 else ():
        delta = numbers[pass_key(one)._replace(judge=judge)]
        of_pass = (delta if key.stat == "noise/delta-mean" else None for key in SPREAD)
        rows.append((judge, temperature, one.name, *of_pass, None))
    return rows


def _temperature(study: StudyData, judge: str) -> str | None:
    seal = study.sealed.get(judge)
    return None if seal is None or seal.temperature is None else f"{seal.temperature:g}"
