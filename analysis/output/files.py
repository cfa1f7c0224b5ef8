"""The files that a study's numbers become: tables, numbers.json, TeX macros."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from faultpair.env.errors import RecordError

from ..data.study_data import StudyData
from ..metrics.numbers import compute, numbers_of
from ..simulation.tables import validity_tables
from ..stats.bootstrap import N_RESAMPLES
from ..stats.estimate import Estimate, significant
from ..tables import tables_of
from ..tables.late import late_parents
from ..tables.table import Table, as_csv, as_markdown
from .macros import macros
from .plan_files import results_of

__all__ = ["files_of", "late_files", "numbers_json", "validity_files"]


def files_of(
    study: StudyData, *, figures: bool, n_resamples: int = N_RESAMPLES
) -> dict[str, bytes]:
    """Return every generated file of a study, by its path inside the study's folder."""
    computed = compute(study, n_resamples=n_resamples)
    numbers = numbers_of(computed)
    tables = tables_of(study, numbers)
    of_plans = results_of(study, study.plans, n_resamples) if study.plans is not None else None
    if of_plans is not None:
        numbers |= of_plans.named()
        tables |= of_plans.tables()
    texts = _table_files(tables)
    texts["numbers.json"] = numbers_json(study.name, numbers, n_resamples)
    texts["macros.tex"] = macros(study, numbers)
    if figures:
        drawn = of_plans.figures() if of_plans is not None else _drawn(study, numbers)
        texts |= {f"figures/{name}.svg": svg for name, svg in drawn.items()}
    return {path: text.encode() for path, text in texts.items()}


def late_files(without: StudyData, with_them: StudyData) -> dict[str, bytes]:
    """Return the table of what further, unjudged parents change."""
    before, after = (numbers_of(compute(study)) for study in (without, with_them))
    table = late_parents(with_them, before, after)
    return {path: text.encode() for path, text in _table_files({table.name: table}).items()}


def validity_files(path: Path) -> dict[str, bytes]:
    """Return the tables of what `python -m analysis.validate` counted."""
    try:
        tables = validity_tables(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError) as error:
        raise RecordError(f"{path} holds no counts: {error!r}. Run `make validate`.") from error
    return {name: text.encode() for name, text in _table_files(tables).items()}


def numbers_json(study: str, numbers: dict[str, Estimate], n_resamples: int) -> str:
    """Return every number, one a line, to nine significant digits.

    A field that is null has its reason in the field ``reason``.
    """
    head = [f' "study": {json.dumps(study)}', f' "resamples": {n_resamples}']
    lines = [
        f"  {json.dumps(name, ensure_ascii=False)}: {_entry(number)}"
        for name, number in numbers.items()
    ]
    body = ",\n".join([*head, ' "numbers": {\n' + ",\n".join(lines) + "\n }"])
    return "{\n" + body + "\n}\n"


def _drawn(study: StudyData, numbers: dict[str, Estimate]) -> dict[str, str]:
    from ..figures import figures_of  # matplotlib takes a second to import

    return figures_of(study, numbers)


def _table_files(tables: dict[str, Table]) -> dict[str, str]:
    files: dict[str, str] = {}
    for name, table in tables.items():
        files[f"tables/{name}.md"] = as_markdown(table)
        files[f"tables/{name}.csv"] = as_csv(table)
    return files


def _entry(number: Estimate) -> str:
    fields = asdict(number)
    for field in ("estimate", "ci_low", "ci_high"):
        fields[field] = significant(fields[field])
    if number.method == "count":
        fields["estimate"] = None if number.estimate is None else int(number.estimate)
    if number.reason is None:
        del fields["reason"]
    return json.dumps(fields, ensure_ascii=False)
