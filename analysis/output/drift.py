"""Drift: differences between the committed files and those that the records give."""

from __future__ import annotations

import difflib
from pathlib import Path

__all__ = ["drift"]

MOST_LINES = 40


def drift(files: dict[Path, bytes], left_over: list[Path]) -> str:
    """Return a unified diff of the committed and the expected files; empty if equal."""
    parts = [_difference(path, text) for path, text in files.items()]
    parts += [f"{path}: no rebuild makes this file.\n" for path in left_over]
    return "".join(parts)


def _difference(path: Path, expected: bytes) -> str:
    if not path.is_file():
        return f"{path}: missing.\n"
    committed = path.read_bytes()
    if committed == expected:
        return ""
    lines = difflib.unified_diff(
        committed.decode(errors="replace").splitlines(keepends=True),
        expected.decode().splitlines(keepends=True),
        f"{path} (committed)",
        f"{path} (rebuilt)",
    )
    shown = list(lines)
    more = len(shown) - MOST_LINES
    tail = f"… {more} more lines differ in {path}.\n" if more > 0 else ""
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in shown[:MOST_LINES]) + (
        tail or ("" if shown else f"{path}: differs in line ends.\n")
    )
