"""`faultpair score`: the statistics of judges on your own pairs, from a file of plain data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from faultpair.analysis.data.pair_data import PairData
from faultpair.analysis.data.pair_study import study_of
from faultpair.analysis.measurement.assembly import measure_judges
from faultpair.analysis.measurement.compare import Comparison, compare
from faultpair.analysis.measurement.result import Measurement
from faultpair.analysis.stats.readings import Reading
from faultpair.analysis.tables.score import comparison_table, score_tables
from faultpair.env.errors import UsageError

from .display.table_layout import show_tables
from .display.terminal import console

__all__ = ["Scored", "command", "score"]


@dataclass(frozen=True, slots=True)
class Scored:
    """The measurements that are shown, and the comparison that was asked for."""

    judges: tuple[Measurement, ...]
    comparison: Comparison | None


def command(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="CSV, JSON Lines or Parquet: a row a verdict.")
    ],
    judges: Annotated[
        list[str] | None,
        typer.Option("--judge", help="Show this judge; may be given again. All if not given."),
    ] = None,
    pair: Annotated[
        tuple[str, str] | None,
        typer.Option("--compare", metavar="A B", help="Judge A minus judge B, on common runs."),
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option(help="With --compare: a difference that is of no account."),
    ] = None,
    reading: Annotated[
        Reading, typer.Option(help="How an unscored run counts in Δ.")
    ] = Reading.CAUTIOUS,
    threshold: Annotated[
        float | None,
        typer.Option(help="Without a column `flagged`: the least score of a flagged run."),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", help="csv, jsonl or parquet, if the name does not tell."),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option("--ignore", help="A column to leave out; may be given again."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON in place of tables.")] = False,
) -> None:
    """Score judges on your own pairs, from a table with one row a verdict."""
    data = PairData.read(file, form=form, threshold=threshold, ignore=ignore or ())
    scored = score(data, judges or (), reading=reading, pair=pair, margin=margin)
    if as_json:
        console.print(_json(scored), highlight=False, soft_wrap=True)
        return
    comparison = [] if scored.comparison is None else [comparison_table(scored.comparison)]
    show_tables([*score_tables(scored.judges), *comparison])


def score(
    data: PairData,
    judges: list[str] | tuple[str, ...] = (),
    *,
    reading: Reading = Reading.CAUTIOUS,
    pair: tuple[str, str] | None = None,
    margin: float | None = None,
) -> Scored:
    """Measure the judges of plain data, and compare two of them.

    Raises
    ------
    UsageError
        If a judge is not in the data, or a margin is given and nothing to compare.
    """
    for name in (*judges, *(pair or ())):
        if name not in data.judge.names:
            known = ", ".join(data.judge.names)
            raise UsageError(f"{data.name} has no judge '{name}'. Judges: {known}.")
    if margin is not None and pair is None:
        raise UsageError("--margin is for a comparison. Give --compare with two judges.")
    found = measure_judges(study_of(data), weight=data.weight, reading=reading)
    comparison = None if pair is None else compare(*(found[name] for name in pair), margin=margin)
    return Scored(tuple(found[name] for name in judges or found), comparison)


def _json(scored: Scored) -> str:
    comparison = None if scored.comparison is None else scored.comparison.to_dict()
    result = {"judges": [one.to_dict() for one in scored.judges], "comparison": comparison}
    return msgspec.json.format(msgspec.json.encode(result), indent=2).decode()
