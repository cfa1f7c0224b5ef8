r"""The main numbers of a study as TeX macros; ``\faultpair{study/name}`` writes one.

``/low`` and ``/high`` behind a name write the ends of its interval. A sign that TeX would not
take as it is, such as %, is written by its number in Unicode: ``+25+``. All other numbers are in
numbers.json.
"""

from __future__ import annotations

import re

from faultpair.env.plain_text import plain

from ..data.study_data import StudyData
from ..metrics.key import Group, NumberKey, Numbers
from ..stats.estimate import Estimate
from ..tables.table import Style, value_text

__all__ = ["macros"]

BY_GROUP = ("recall", "delta", "cautious-delta", "adjusted-delta", "auc")
FACTORS = ("all", "silent", "loud", "cell", "type")
OF_A_JUDGE = (
    "false-alarms",
    "localisation/detected",
    "localisation/joint",
    "typing/macro-f1",
    "typing/joint",
    "ece",
    "brier",
)


UNSAFE = re.compile(r"[%#\\{}~^&$+\"`]|(?<= ) | $|^ ")
"""Signs that TeX does not take as letters of a name; it drops all but one of several blanks."""


def macros(study: StudyData, numbers: Numbers) -> str:
    """Return TeX definitions of the main numbers, one a line."""
    lines = [
        "% Written by `python -m analysis.rebuild`; do not edit.",
        r"\providecommand{\faultpair}[1]{\csname faultpair:#1\endcsname}",
    ]
    for key, number in numbers.items():
        if _is_main(key, study.judges):
            lines += _definitions(f"{study.name}/{key}", number, _style(key, number))
    return "\n".join(lines) + "\n"


def _is_main(key: NumberKey, judges: tuple[str, ...]) -> bool:
    if key.family:
        is_total = key.family == "design" and not key.group
        return is_total or key.family in ("agent", "contrast")
    if key.judge not in judges or key.part:
        return False
    if isinstance(key.group, Group):
        return key.stat in BY_GROUP and key.group.factor in FACTORS
    return key.stat in OF_A_JUDGE


def _definitions(name: str, number: Estimate, style: Style) -> list[str]:
    ends = {"": number.estimate, "/low": number.ci_low, "/high": number.ci_high}
    return [
        rf"\expandafter\def\csname faultpair:{_tex_safe(name + end)}\endcsname"
        f"{{{value_text(value, style)}}}"
        for end, value in ends.items()
        if value is not None
    ]


def _style(key: NumberKey, number: Estimate) -> Style:
    if number.method == "count":
        return Style.COUNT
    if key.part in ("p", "p-holm"):
        return Style.P
    return Style.SIGNED if key.stat.endswith("delta") or key.family == "contrast" else Style.RATE


def _tex_safe(name: str) -> str:
    """Return a name that TeX reads as it is written; no two names become one.

    >>> _tex_safe("study/50%/delta"), _tex_safe("a_b: c")
    ('study/50+25+/delta', 'a_b: c')
    """
    safe = UNSAFE.sub(lambda sign: _by_number(sign[0]), name)
    return "".join(sign if plain(sign) == sign else _by_number(sign) for sign in safe)


def _by_number(sign: str) -> str:
    return f"+{ord(sign):x}+"
