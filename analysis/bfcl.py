"""The programmatic reference compared with BFCL's own verdict, on a model's plans for its cases.

::

    python -m analysis.bfcl QUESTIONS RUN

QUESTIONS is a folder of BFCL's cases with its possible_answer/, RUN one of a model's
result/ and score/. Our reference passes a plan whose four scores are all 1. It reads
names and keys alone, so that it cannot see a wrong value.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from faultpair.analysis.command_line import run
from faultpair.analysis.stats.estimate import Estimate, count
from faultpair.analysis.tables.table import Row, Table, as_markdown, counts, words
from faultpair.env.errors import RecordError
from faultpair.env.plans.bfcl import category_of, read_cases
from faultpair.env.plans.bfcl_runs import Answer, Scoring, read_answers, read_scoring
from faultpair.judges.plan_metrics.metrics import METRICS, Scores
from faultpair.judges.plan_metrics.variants import VARIANTS, GroundTruthPlan

__all__ = ["agreement", "bfcl", "main"]

VARIANTS_SHOWN = ("printed", "corrected")
SEVERAL_TURNS = ("multi_turn", "web_search", "memory", "format_sensitivity")
NO_TOOL_FITS = "irrelevance"
NOTHING = GroundTruthPlan.of((), ())

Judged = tuple[Answer, GroundTruthPlan, Scoring]


@dataclass(slots=True)
class Agreement:
    """The decisions of a variant of our reference and of BFCL on the cases of a category.

    ``ours_only`` counts the cases that only we pass, by BFCL's failure, ``theirs_only`` those
    that only BFCL passes, by the first metric that is below 1. ``unread`` are answers without
    a plan, which count for neither.
    """

    category: str
    variant: str
    both_pass: int = 0
    both_fail: int = 0
    unread: int = 0
    ours_only: Counter[str] = field(default_factory=Counter)
    theirs_only: Counter[str] = field(default_factory=Counter)

    @property
    def n(self) -> int:
        """The number of cases that both decided."""
        agreed = self.both_pass + self.both_fail
        return agreed + self.ours_only.total() + self.theirs_only.total()

    def add(self, judged: Judged) -> None:
        """Count a case."""
        answer, truth, scoring = judged
        failure = scoring.failed.get(answer.case_id)
        if answer.plan is None:
            self.unread += 1
            return
        scores = VARIANTS[self.variant](answer.plan, truth)
        if scores.perfect and failure is not None:
            self.ours_only[failure] += 1
        elif scores.perfect:
            self.both_pass += 1
        elif failure is not None:
            self.both_fail += 1
        else:
            self.theirs_only[_first_below_one(scores)] += 1


def agreement(
    questions: Path, run: Path, variants: Sequence[str] = VARIANTS_SHOWN
) -> list[Agreement]:
    """Return the agreement of each variant on each category of one turn that the run holds.

    Raises
    ------
    RecordError
        If a file is not as BFCL writes it, lacks its counterpart, or if a result file
        and its score file are not of the same cases.
    """
    found = []
    for results in sorted((run / "result").rglob("BFCL_v*_result.json"), key=category_of):
        category = category_of(results)
        if not category.startswith(SEVERAL_TURNS):
            judged = list(_judged(questions, run, results))
            for variant in variants:
                row = Agreement(category, variant)
                for case in judged:
                    row.add(case)
                found.append(row)
    if not found:
        raise RecordError(f"{run / 'result'} holds no result file of a category of one turn.")
    return found


def agreement_table(rows: Sequence[Agreement]) -> Table:
    """Return one row a category and variant, with the causes of each disagreement."""
    titles = ("Cases", "Both pass", "Both fail", "Ours only", "Theirs only", "Unread")
    columns = words("Category", "Reference") + counts(*titles)
    columns += words("What BFCL found wrong in ours only", "What we found wrong in theirs only")
    lines: list[Row] = []
    for row in rows:
        causes = (_listed(row.ours_only), _listed(row.theirs_only))
        lines.append((row.category, row.variant, *_counts(row), *causes))
    notes = (
        "Ours only: passed by our reference alone. Ours passes if all four scores are 1.",
        "A wrong value is out of the reach of a reference that reads names and keys.",
    )
    title = "The programmatic reference and BFCL's verdict"
    return Table("bfcl", title, columns, tuple(lines), notes)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table and return the exit code."""
    return run(bfcl, "analysis.bfcl", arguments)


def bfcl(
    questions: Annotated[Path, typer.Argument(help="The folder of BFCL's cases.")],
    results: Annotated[
        Path, typer.Argument(metavar="RUN", help="The folder with result/ and score/ of a model.")
    ],
) -> None:
    """Compare the programmatic reference with BFCL's own verdict."""
    sys.stdout.write(as_markdown(agreement_table(agreement(questions, results))))


def _judged(questions: Path, run: Path, results: Path) -> Iterator[Judged]:
    """Yield each answer of a result file with its truth and BFCL's verdict on the file."""
    category = category_of(results)
    place = results.relative_to(run / "result").parent
    scoring = read_scoring(run / "score" / place / results.name.replace("_result", "_score"))
    truths = _truths(questions, results.name.replace("_result", ""), category)
    seen = set()
    for answer in read_answers(results):
        truth = NOTHING if NO_TOOL_FITS in category else truths.get(answer.case_id)
        if truth is None or answer.case_id in seen:
            raise RecordError(
                f"{results}: field id: {answer.case_id!r} is no case of {questions}, "
                "or here twice. Give the questions of the same version."
            )
        seen.add(answer.case_id)
        yield answer, truth, scoring
    foreign = sorted(scoring.failed.keys() - seen)
    if len(seen) != scoring.total or foreign:
        also = f" and fails {foreign[0]!r}" if foreign else ""
        raise RecordError(
            f"{results} holds {len(seen)} cases, its score file counts {scoring.total}{also}. "
            "Give the result and score files of the same run."
        )


def _truths(questions: Path, name: str, category: str) -> Mapping[str, GroundTruthPlan]:
    if NO_TOOL_FITS in category:
        return {}
    cases = read_cases(questions / name, questions / "possible_answer" / name)
    return {case.case_id: GroundTruthPlan.of(case.plan, case.tools) for case in cases}


def _first_below_one(scores: Scores) -> str:
    pairs = zip(METRICS, scores.values, strict=True)
    return next(metric for metric, value in pairs if value < 1)


def _counts(row: Agreement) -> tuple[Estimate, ...]:
    ours, theirs = row.ours_only.total(), row.theirs_only.total()
    shown = (row.n, row.both_pass, row.both_fail, ours, theirs, row.unread)
    return tuple(count(number, row.n) for number in shown)


def _listed(causes: Mapping[str, int]) -> str:
    ranked = sorted(causes.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{cause} {number}" for cause, number in ranked)


if __name__ == "__main__":
    sys.exit(main())
