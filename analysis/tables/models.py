"""Tables of judges that are models: who they are, how they rank, how steady they are."""

from __future__ import annotations

from ..data.study_data import StudyData
from ..metrics.repeatability import passes_of
from ..stats.estimate import Estimate
from .table import Cell, Column, Style, Table

__all__ = ["graded", "judges", "noise", "votes"]

Numbers = dict[str, Estimate]

DIGEST_SHOWN = 12

GRADED = (
    ("score-pairs/{}", Column("Both scored", Style.COUNT)),
    ("delta/{}", Column("Δ", Style.SIGNED)),
    ("auc/{}", Column("Paired AUC", Style.RATE)),
    ("auc/{}/percentile", Column("Paired AUC, bootstrap", Style.RATE)),
    ("score-gap/{}", Column("Score gap", Style.SIGNED)),
    ("auc-unpaired/{}", Column("Unpaired AUC", Style.RATE)),
)
OF_ALL = (
    ("score/brier", Column("Brier of score", Style.RATE)),
    ("score/ece", Column("ECE of score", Style.RATE)),
    ("score/ece/bias", Column("ECE if calibrated", Style.RATE)),
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
    ("recall/all", Column("Recall", Style.RATE)),
    ("false-alarms", Column("False alarms", Style.RATE)),
    ("delta/all", Column("Δ", Style.SIGNED)),
    ("auc/all", Column("Paired AUC", Style.RATE)),
)


def judges(study: StudyData, _: Numbers) -> Table:
    """Tell of every judge that asks somebody how it was set, and who answers."""
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
    named = {name: name.partition("/score-pairs/") for name in numbers}
    graded_by = {judge for judge, found, _ in named.values() if found}
    groups = dict.fromkeys(group for _, found, group in named.values() if found)
    rows = tuple(
        (
            group,
            judge,
            numbers[f"design/pairs/{group}"],
            *(numbers.get(f"{judge}/{name.format(group)}") for name, _ in GRADED),
            *(numbers.get(f"{judge}/{name}") if group == "all" else None for name, _ in OF_ALL),
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


def noise(study: StudyData, numbers: Numbers) -> Table:
    """Give how steady a judge is: one row for all its passes, then one for each."""
    rows = tuple(row for judge in study.judges for row in _noise_of(study, numbers, judge))
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


def _noise_of(study: StudyData, numbers: Numbers, judge: str) -> list[tuple[Cell, ...]]:
    identical = numbers.get(f"{judge}/identical-pairs")
    if f"{judge}/noise/same" not in numbers and not (identical and identical.n):
        return []
    temperature = _temperature(study, judge)
    every = passes_of(study, judge).series
    spread = (numbers.get(f"{judge}/noise/{name}") for name, _ in SPREAD)
    rows: list[tuple[Cell, ...]] = [(judge, temperature, f"all {len(every)}", *spread, identical)]
    for one in every if len(every) > 1 else ():
        name = f"{one.sample}.{one.repeat}"
        delta = numbers[f"{judge}/noise/delta/{name}"]
        spread = (delta if number == "delta-mean" else None for number, _ in SPREAD)
        rows.append((judge, temperature, name, *spread, None))
    return rows


def _temperature(study: StudyData, judge: str) -> str | None:
    seal = study.sealed.get(judge)
    return None if seal is None or seal.temperature is None else f"{seal.temperature:g}"


def _voted(numbers: Numbers, judge: str) -> tuple[Cell, ...]:
    return tuple(numbers.get(f"{judge}/{name}") for name, _ in VOTED)
