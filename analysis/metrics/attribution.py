"""Attribution: does a judge name the step and the type of the faults that it flags?

Localisation is exact match on the 0-based step; a step not named is a miss.
Type F1 is the unweighted mean over the types present of 2·TP / (named + true),
over faulty runs only; a missed fault is a false negative of its type and 0/0 is 0.
"""

from __future__ import annotations

import numpy as np

from ..data.columns import BoolArray, IntArray
from ..data.study_data import StudyData
from ..stats.bootstrap import Replicates, ReplicateSums, UnitColumns, ratio
from ..stats.estimate import Estimate, count, undefined
from ..stats.intervals import from_draws
from .groups import omissions

__all__ = ["confusion", "drawn", "enter", "estimates"]

NO_STEPS = "the judge names no step"
NO_TYPES = "the judge names no type"


def enter(ledger: UnitColumns, study: StudyData, judge: int) -> None:
    """Enter what attribution counts for one judge."""
    runs, verdicts = study.runs, study.verdicts
    faults = runs.faulty & verdicts.scored[judge]
    caught = faults & verdicts.flagged[judge]
    exact = caught & (verdicts.step[judge] == runs.failure_step) & (runs.failure_step >= 0)
    acted = ~omissions(runs)
    for kind, rows in (("", runs.faulty), ("acted", acted)):
        ledger.add((judge, "faults", kind), faults & rows)
        ledger.add((judge, "caught", kind), caught & rows)
        ledger.add((judge, "exact", kind), exact & rows)
    for name in runs.failure_type.names:
        true, named = runs.failure_type.where(name), verdicts.named.where(name)[judge]
        ledger.add((judge, "true", name), faults & true)
        ledger.add((judge, "named", name), caught & named)
        ledger.add((judge, "hit", name), caught & named & true)


def drawn(sums: ReplicateSums, study: StudyData, judge: int) -> dict[str, Replicates]:
    """Return localisation and typing under every resample; none of what is never named."""
    found: dict[str, Replicates] = {}
    faults = study.runs.faulty & study.verdicts.flagged[judge]
    if bool((study.verdicts.step[judge][faults] >= 0).any()):
        found |= _localisation(sums, judge, "", "") | _localisation(sums, judge, "acted", "/acted")
    if bool((study.verdicts.named.codes[judge][faults] >= 0).any()):
        found |= _typing(sums, judge, study.runs.failure_type.names)
    return found


def estimates(numbers: dict[str, Replicates], method: str) -> dict[str, Estimate]:
    """Return the estimates, null where the judge names no step or no type."""
    missing = {
        "localisation/detected": NO_STEPS,
        "localisation/joint": NO_STEPS,
        "localisation/detected/acted": NO_STEPS,
        "localisation/joint/acted": NO_STEPS,
        "typing/macro-f1": NO_TYPES,
        "typing/joint": NO_TYPES,
    }
    return {
        name: from_draws(numbers[name], method) if name in numbers else undefined(reason)
        for name, reason in missing.items()
    }


def confusion(study: StudyData, judge: int) -> dict[str, Estimate]:
    """Count the type named, or ``missed`` or ``no type``, for the faults of each type."""
    runs, verdicts = study.runs, study.verdicts
    answers = _answers(study, judge)
    found: dict[str, Estimate] = {}
    for true in runs.failure_type.names:
        rows = runs.failure_type.where(true) & verdicts.scored[judge]
        for name, given in answers.items():
            found[f"confusion/{true}/{name}"] = count(int((rows & given).sum()), int(rows.sum()))
    return found


def _answers(study: StudyData, judge: int) -> dict[str, BoolArray]:
    verdicts = study.verdicts
    flagged, codes = verdicts.flagged[judge], verdicts.named.codes[judge]
    names = study.runs.failure_type.names
    answers = {name: flagged & verdicts.named.where(name)[judge] for name in names}
    foreign: IntArray = np.array(
        [code for code, name in enumerate(verdicts.named.names) if name not in names], np.int64
    )
    answers["another type"] = flagged & np.isin(codes, foreign)
    answers["no type"] = flagged & (codes < 0)
    answers["missed"] = verdicts.scored[judge] & ~flagged
    return answers


def _localisation(sums: ReplicateSums, judge: int, kind: str, suffix: str) -> dict[str, Replicates]:
    exact = sums[judge, "exact", kind]
    caught, faults = sums[judge, "caught", kind], sums[judge, "faults", kind]
    return {
        f"localisation/detected{suffix}": Replicates(
            ratio(exact, caught), int(caught[0]), "no fault was detected"
        ),
        f"localisation/joint{suffix}": Replicates(
            ratio(exact, faults), int(faults[0]), "no fault was judged"
        ),
    }


def _typing(sums: ReplicateSums, judge: int, names: tuple[str, ...]) -> dict[str, Replicates]:
    hit = sums.table([(judge, "hit", name) for name in names])
    named = sums.table([(judge, "named", name) for name in names])
    true = sums.table([(judge, "true", name) for name in names])
    by_type = np.nan_to_num(ratio(2 * hit, named + true))
    faults = sums[judge, "faults", ""]
    n, nothing = int(faults[0]), "no fault was judged"
    f1 = np.where(faults > 0, by_type.sum(axis=1) / max(len(names), 1), np.nan)
    return {
        "typing/macro-f1": Replicates(f1, n, nothing),
        "typing/joint": Replicates(ratio(hit.sum(axis=1), faults), n, nothing),
    }
