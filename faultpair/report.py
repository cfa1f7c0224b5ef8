"""A study's main numbers on the terminal, in 80 columns."""

from __future__ import annotations

from rich import box
from rich.table import Table

from analysis.baselines import baseline_names
from analysis.estimate import Estimate
from analysis.numbers import compute, numbers_of
from analysis.study import load_study
from analysis.table import Style, value_text

from .study import StudyFolder

__all__ = ["main_table"]

INTERVAL = "delta/all interval"

_COLUMNS = (
    ("recall/all", "recall", Style.RATE),
    ("false-alarms", "false\nalarms", Style.RATE),
    ("delta/all", "paired\nΔ", Style.SIGNED),
    (INTERVAL, "95 %\ninterval", Style.SIGNED),
    ("delta/silent", "Δ\nsilent", Style.SIGNED),
    ("delta/loud", "Δ\nloud", Style.SIGNED),
    ("runs/unscored", "un-\nscored", Style.COUNT),
)
_CAPTION = (
    "paired Δ: flag rate on faults minus flag rate on the clean runs they came from.\n"
    "Silent faults leave the required end state as it is, loud ones lose it."
)


def main_table(folder: StudyFolder) -> Table:
    """Return the main table of a study whose runs are judged, the baselines below."""
    study = load_study(folder.out)
    numbers = numbers_of(compute(study))
    table = Table(
        title=folder.study.title, caption=_CAPTION, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0)
    )
    table.title_justify = table.caption_justify = "left"
    table.add_column("judge")
    for _, heading, _ in _COLUMNS:
        table.add_column(heading, justify="right", no_wrap=True)
    for judge in study.judges:
        table.add_row(judge, *_row(numbers, judge), end_section=judge == study.judges[-1])
    for baseline in baseline_names():
        table.add_row(baseline, *_row(numbers, baseline), style="dim")
    return table


def _row(numbers: dict[str, Estimate], judge: str) -> list[str]:
    return [_cell(numbers, judge, name, style) for name, _, style in _COLUMNS]


def _cell(numbers: dict[str, Estimate], judge: str, name: str, style: Style) -> str:
    number = numbers.get(f"{judge}/{name.removesuffix(' interval')}")
    if number is None:
        return ""
    if name == INTERVAL:
        return _interval(number)
    return "n/a" if number.estimate is None else value_text(number.estimate, style)


def _interval(number: Estimate) -> str:
    if number.ci_low is None or number.ci_high is None:
        return ""
    low, high = (value_text(end, Style.SIGNED) for end in (number.ci_low, number.ci_high))
    return f"[{low}, {high}]"
