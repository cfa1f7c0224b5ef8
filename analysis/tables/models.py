"""Tables of model judges: their settings, their ranking of runs, their repeatability."""

from __future__ import annotations

from ..data.study_data import StudyData
from ..metrics.detection import FALSE_ALARMS
from ..metrics.key import ALL, NumberKey, Numbers, design_key
from ..metrics.repeatability import pass_key, passes_of
from .table import Cell, Column, Style, Table

__all__ = ["graded", "judges", "repeatability", "votes"]

DIGEST_SHOWN = 12

GRADED = (
    (NumberKey("score-pairs"), Column("Both scored", Style.COUNT)),
    (NumberKey("delta"), Column("Δ", Style.SIGNED)),
    (NumberKey("auc"), Column("Paired AUC", Style.RATE)),
    (NumberKey("auc", part="percentile"), Column("Paired AUC, bootstrap", Style.RATE)),
    (NumberKey("score-gap"), Column("Score gap", Style.SIGNED)),
    (NumberKey("auc-unpaired"), Column("Unpaired AUC", Style.RATE)),
)
OF_ALL = (
    (NumberKey("score/brier"), Column("Brier of score", Style.RATE)),
    (NumberKey("score/ece"), Column("ECE of score", Style.RATE)),
    (NumberKey("score/ece", part="bias"), Column("ECE if calibrated", Style.RATE)),
)
SPREAD = (
    ("same", Column("Same in all", Style.RATE)),
    ("agreement", Column("Pairwise agreement", Style.RATE)),
    ("flips", Column("Flips", Style.RATE)),
    ("delta-mean", Column("Δ", Style.SIGNED)),
    ("delta-least", Column("Least Δ", Style.SIGNED)),
    ("delta-largest", Column("Largest Δ", Style.SIGNED)),
    ("delta-sd", Column("SD of Δ", Style.RATE)),
)
VOTED = (
    (NumberKey("recall", ALL), Column("Recall", Style.RATE)),
    (FALSE_ALARMS, Column("False alarms", Style.RATE)),
    (NumberKey("delta", ALL), Column("Δ", Style.SIGNED)),
    (NumberKey("auc", ALL), Column("Paired AUC", Style.RATE)),
)


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
    first = ("Judge", "View", "Task", "Form", "Engine", "Version", "Model", "Digest")
    titles = (*first, "Temperature", "Seed", "Samples", "Joined")
    notes = (
        "Sealed in the manifest before the judge's first verdict.",
        "Late: after another judge that asks had answered.",
    )
    columns = tuple(map(Column, titles))
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
            *(numbers.get(key._replace(judge=judge, group=group)) for key, _ in GRADED),
            *(
                numbers.get(key._replace(judge=judge)) if group == ALL else None
                for key, _ in OF_ALL
            ),
        )
        for group in groups
        for judge in study.judges
        if judge in graded_by
    )
    columns = (
        Column("Group"),
        Column("Judge"),
        Column("Pairs", Style.COUNT),
        *(column for _, column in (*GRADED, *OF_ALL)),
    )
    notes = (
        "Score: the judge's P(faulty); that of a vote is the share of its passes that flag.",
        "Paired AUC: share of pairs whose fault has the higher score, ties half; 0.5 is chance.",
        "Its interval is that of Δ: Tango's score at the effective number of pairs. Beside it and "
        "elsewhere, the percentile bootstrap over instances.",
        "Score gap: mean of score(fault) minus score(parent).",
        "Unpaired AUC: a fault of the group against any clean run.",
        "Brier and ECE take the score as the chance that the run is faulty.",
    )
    return Table("graded", f"Graded readout, {study.name}", columns, rows, notes)


def repeatability(study: StudyData, numbers: Numbers) -> Table:
    """Give how far the passes of a judge agree: one row for all of them, then one for each."""
    rows = tuple(row for judge in study.judges for row in _passes_of(study, numbers, judge))
    columns = (
        Column("Judge"),
        Column("Temperature"),
        Column("Passes"),
        *(column for _, column in SPREAD),
        Column("Identical pairs", Style.RATE),
    )
    notes = (
        "A pass is named sample.repeat. Runs and pairs are those that every pass scored; a run "
        "that shares the answer about another counts with that other.",
        "Flips: share of further passes that decide otherwise than the first.",
        "Identical pairs: of the pairs that the view cannot tell apart and that were asked about "
        "on both sides, those with the same verdict and rationale, to the letter.",
    )
    return Table("noise", f"Noise between passes, {study.name}", columns, rows, notes)


def votes(study: StudyData, numbers: Numbers) -> Table:
    """Set the votes on a judge's passes beside its single pass."""
    rows: list[tuple[Cell, ...]] = []
    for asked in dict.fromkeys(vote.of for vote in study.votes):
        own = [vote for vote in study.votes if vote.of == asked and vote.id in study.judges]
        if own and asked in study.judges:
            rows.append((asked, "single pass", *_voted(numbers, asked)))
            rows += [(v.id, f"{v.rule} of {v.k}", *_voted(numbers, v.id)) for v in own]
    columns = (Column("Judge"), Column("Decides by"), *(column for _, column in VOTED))
    notes = ("A vote asks nobody: it counts the first passes of the judge above it.",)
    return Table("votes", f"Votes, {study.name}", columns, tuple(rows), notes)


def _passes_of(study: StudyData, numbers: Numbers, judge: str) -> list[tuple[Cell, ...]]:
    identical = numbers.get(NumberKey("identical-pairs", judge=judge))
    if NumberKey("noise/same", judge=judge) not in numbers and not (identical and identical.n):
        return []
    temperature = _temperature(study, judge)
    every = passes_of(study, judge).series
    spread = (numbers.get(NumberKey(f"noise/{name}", judge=judge)) for name, _ in SPREAD)
    rows: list[tuple[Cell, ...]] = [(judge, temperature, f"all {len(every)}", *spread, identical)]
    for one in every if len(every) > 1 else ():
        delta = numbers[pass_key(one)._replace(judge=judge)]
        spread = (delta if name == "delta-mean" else None for name, _ in SPREAD)
        rows.append((judge, temperature, one.name, *spread, None))
    return rows


def _temperature(study: StudyData, judge: str) -> str | None:
    seal = study.sealed.get(judge)
    return None if seal is None or seal.temperature is None else f"{seal.temperature:g}"


def _voted(numbers: Numbers, judge: str) -> tuple[Cell, ...]:
    return tuple(numbers.get(key._replace(judge=judge)) for key, _ in VOTED)
