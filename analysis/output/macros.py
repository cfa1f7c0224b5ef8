r"""The main numbers of a study as TeX macros; ``\faultpair{study/name}`` writes one.

``/low`` and ``/high`` behind a name write the ends of its interval. What has no
macro here stands in numbers.json.
"""

from __future__ import annotations

import re

from ..data.study_data import StudyData
from ..stats.estimate import Estimate
from ..tables.table import Style, value_text

__all__ = ["macros", "style_of"]

GROUP = r"(all|silent|loud|cell=[\w-]+|type=[\w-]+)"
OF_A_JUDGE = re.compile(
    rf"(recall|delta|auc)/{GROUP}|false-alarms|localisation/(detected|joint)"
    r"|typing/(macro-f1|joint)|ece|brier"
)
OF_THE_STUDY = re.compile(r"design/[\w-]+|agent/[\w=-]+|contrast/[^/]+/(difference|p|p-holm)")
# Differences; all other numbers are rates, counts or p-values.
SIGNED = re.compile(
    r"(.*/)?(delta(-least|-largest)?|contrast|difference|score-gap|gap|lift|bias|slope|excess|gain"
    r"|distance|harmed|unharmed|corrupted-minus-\w+)(/.*)?"
)


def macros(study: StudyData, numbers: dict[str, Estimate]) -> str:
    """Return TeX definitions of the main numbers, one a line."""
    lines = [
        "% Written by `python -m analysis.rebuild`; do not edit.",
        r"\providecommand{\faultpair}[1]{\csname faultpair:#1\endcsname}",
    ]
    for name, number in numbers.items():
        if _is_main(name, study.judges):
            lines += _definitions(f"{study.name}/{name}", number, style_of(name, number))
    return "\n".join(lines) + "\n"


def style_of(name: str, number: Estimate) -> Style:
    """Return how a number is written, from its unit."""
    if number.method == "count":
        return Style.COUNT
    if name.endswith(("/p", "/p-holm")):
        return Style.P
    return Style.SIGNED if SIGNED.fullmatch(name) else Style.RATE


def _is_main(name: str, judges: tuple[str, ...]) -> bool:
    if OF_THE_STUDY.fullmatch(name):
        return True
    own = (name.removeprefix(f"{judge}/") for judge in judges if name.startswith(f"{judge}/"))
    return any(OF_A_JUDGE.fullmatch(rest) for rest in own)


def _definitions(name: str, number: Estimate, style: Style) -> list[str]:
    ends = {"": number.estimate, "/low": number.ci_low, "/high": number.ci_high}
    return [
        rf"\expandafter\def\csname faultpair:{_tex_safe(name + end)}\endcsname"
        f"{{{value_text(value, style)}}}"
        for end, value in ends.items()
        if value is not None
    ]


def _tex_safe(name: str) -> str:
    return "".join("-" if sign in "%#\\{}~^&$" else sign for sign in name)
