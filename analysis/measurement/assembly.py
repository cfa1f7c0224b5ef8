"""The results about the judges of a study, put together from its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

from ..data.columns import FloatArray
from ..data.study_data import StudyData
from ..metrics import pairs as pair_metrics
from ..metrics.controls import ADJUSTED, CONTROL_DELTA, CONTROL_HEADLINE, NO_CONTROL
from ..metrics.key import ALL, CHANGED, LOUD, SILENT, UNCHANGED, NumberKey, Numbers, of_judge
from ..metrics.pairs import MATCHED, OUTCOMES, PairDesign
from ..metrics.silence import COVERAGE, GATE, HEADLINE
from ..stats.estimate import Estimate, undefined
from ..stats.readings import Reading
from .numbers import numbers_of_judge
from .result import GroupResult, Measurement
from .verdicts_on_pairs import Known
from .weights import weighted

__all__ = ["measure_judges"]

T = TypeVar("T")


def measure_judges(
    study: StudyData,
    *,
    weight: FloatArray | None = None,
    reading: Reading | str = Reading.CAUTIOUS,
    only: str | None = None,
) -> dict[str, Measurement]:
    """Measure every judge of a study, or one of them; the tests of types are of all.

    Parameters
    ----------
    weight : array of float, shape (runs,), optional
        The weight of each fault, which its pair has.
    """
    design = pair_metrics.PairDesign.of(study)
    outcomes = [pair_metrics.outcomes_of(study, judge) for judge in range(len(study.judges))]
    tests: Numbers = {}
    for name, of_pairs in zip(study.judges, outcomes, strict=True):
        tests |= of_judge(name, pair_metrics.type_tests(design, of_pairs))
    tests |= pair_metrics.adjusted_tests(tests)
    parts = _Parts(study, design, Known.of(study, weight), Reading(reading))
    found: dict[str, Measurement] = {}
    for judge, name in enumerate(study.judges):
        if only in (None, name):
            own = {key._replace(judge=""): p for key, p in tests.items() if key.judge == name}
            numbers = numbers_of_judge(study, design, outcomes[judge], judge) | own
            found[name] = parts.measurement(judge, numbers)
    return found


@dataclass(frozen=True, slots=True)
class _Parts:
    """What the measurements of all judges share."""

    study: StudyData
    design: PairDesign
    known: Known
    reading: Reading

    def measurement(self, judge: int, numbers: Numbers) -> Measurement:
        study, said = self.study, self.known.said_of_pairs(judge)
        return Measurement(
            source=study.name,
            judge=study.judges[judge],
            reading=self.reading,
            judged=numbers[NumberKey("delta", ALL)],
            cautious=numbers[HEADLINE],
            gate=numbers[NumberKey(GATE, ALL)],
            control_delta=numbers.get(CONTROL_HEADLINE, undefined(NO_CONTROL)),
            adjusted=numbers.get(ADJUSTED, undefined(NO_CONTROL)),
            recall=numbers[NumberKey("recall", ALL)],
            false_alarms=numbers[NumberKey("false-alarms")],
            f1=numbers[NumberKey("f1")],
            coverage=numbers[COVERAGE],
            precision=_precision(numbers),
            auc=numbers.get(NumberKey("auc", ALL)),
            weighted=weighted(said, self.reading),
            groups=tuple(self._groups(numbers)),
            controls=_some(numbers, "flips", CONTROL_DELTA),
            cost=_fixed({k: e for k, e in _some(numbers, "cost/").items() if e.estimate}),
            passes=_some(numbers, "noise/"),
            counts=_fixed(self._counts()),
            numbers=_fixed({str(key): number for key, number in numbers.items()}),
            pairs=said,
            clean=self.known.said_of_clean(judge),
        )

    def _groups(self, numbers: Numbers) -> Iterator[GroupResult]:
        runs = self.study.runs
        has_strata = bool((runs.reply_changed[runs.faulty] >= 0).any()) or bool(runs.marks)
        hidden = () if has_strata else (SILENT, LOUD, UNCHANGED, CHANGED)
        for group, rows in self.design.groups.items():
            recall = numbers.get(NumberKey("recall", group))
            if recall is not None and group not in hidden and (rows.any() or group == ALL):
                yield GroupResult(
                    name=str(group),
                    delta=numbers[NumberKey("delta", group)],
                    recall=recall,
                    outcomes=_fixed({o: numbers[NumberKey("pairs", group, o)] for o in OUTCOMES}),
                    p=numbers.get(NumberKey(MATCHED, group)),
                    p_holm=numbers.get(NumberKey(MATCHED, group, "p-holm")),
                )

    def _counts(self) -> dict[str, int]:
        runs = self.study.runs
        return {
            "units": len(runs.instance.names),
            "runs": len(runs.ids),
            "clean": int(runs.clean.sum()),
            "faults": int(runs.faulty.sum()),
            "controls": int((runs.control.codes >= 0).sum()),
            "pairs": len(self.study.fault),
        }


def _precision(numbers: Numbers) -> Mapping[str, Estimate]:
    return _fixed(
        {str(k.group): n for k, n in numbers.items() if k.stat == "precision" and not k.part}
    )


def _some(numbers: Numbers, *stats: str) -> Mapping[str, Estimate]:
    return _fixed({str(key): n for key, n in numbers.items() if key.stat.startswith(stats)})


def _fixed(estimates: dict[str, T]) -> Mapping[str, T]:
    return MappingProxyType(estimates)
