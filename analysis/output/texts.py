"""Tables and numbers as the text of files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict

from faultpair.studies.seals import edited_mark

from ..stats.estimate import Estimate, significant
from ..tables.table import Table, as_csv, as_markdown

__all__ = ["marked", "numbers_json", "table_texts"]


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


def marked(files: Mapping[str, str], edited: tuple[str, ...]) -> dict[str, str]:
    """Return the texts of files by their paths, each with the mark; unchanged without edits."""
    return {path: _marked(path, text, edited) if edited else text for path, text in files.items()}


def _marked(path: str, text: str, edited: tuple[str, ...]) -> str:
    mark, kind = edited_mark(edited), path.rpartition(".")[2]
    if kind == "md":
        return f"**{mark}**\n\n{text}"
    if kind == "csv":
        return f'{text}"{mark}"\n'
    if kind == "json":
        return text.replace("{\n", f'{{\n "edited_records": {json.dumps(edited)},\n', 1)
    if kind == "tex":
        return f"% {mark}\n\\typeout{{faultpair: {mark}}}\n{text}"
    if kind == "svg":
        drawn, end, rest = text.rpartition("</svg>")
        note = f'<text x="4" y="12" font-size="10" fill="#c00">{mark}</text>'
        return f"{drawn}{note}\n{end}{rest}"
    raise ValueError(f"{path} has no place for a mark")
