"""The tables and figures of counts that a command keeps, since to count again takes minutes."""

from __future__ import annotations

import json
from pathlib import Path

from faultpair.env.errors import RecordError

from ..figures.catalog import counted_figures
from ..simulation.sections import validity_tables
from ..tells.tables import tells_tables
from .texts import table_texts

__all__ = ["COUNTS", "counted_files"]

COUNTS = "counts.json"


def counted_files(path: Path, *, figures: bool) -> dict[str, bytes]:
    """Return the files of the counts of `python -m analysis.validate` or `analysis.tells`."""
    try:
        counts = json.loads(path.read_text(encoding="utf-8"))
        tables = tells_tables(counts) if "cells" in counts else validity_tables(counts)
    except (ValueError, LookupError, TypeError, ArithmeticError, RecursionError) as error:
        raise RecordError(
            f"{path} holds no counts: {error!r}. Run `make validate` or `make tells`."
        ) from error
    texts = table_texts(tables)
    if figures and "stops" in counts:
        drawn = counted_figures(counts["stops"])
        texts |= {f"figures/{name}.svg": text for name, text in drawn.items()}
    return {name: text.encode() for name, text in texts.items()}
