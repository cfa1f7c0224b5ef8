"""Tables and numbers as the text of files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict

from ..stats.estimate import Estimate, significant
from ..tables.table import Table, as_csv, as_markdown

__all__ = ["numbers_json", "table_texts"]


def numbers_json(study: str, numbers: Mapping[str, Estimate], n_resamples: int) -> str:
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


def table_texts(tables: dict[str, Table]) -> dict[str, str]:
    """Return each table as Markdown and as CSV, by the path of its file."""
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
