"""The mark of generated files whose records are not what was sealed."""

from __future__ import annotations

import json
from collections.abc import Mapping

from faultpair.studies.seals import edited_mark

__all__ = ["marked"]


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
