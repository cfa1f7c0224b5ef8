"""The files of studies: tables, numbers.json, TeX macros, figures, documents with blocks."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from faultpair.env.errors import RecordError

from ..data.study_data import StudyData, load_study
from ..figures.catalog import figures_of, plan_figures
from ..metrics.catalog import compute, numbers_of
from ..plans.catalog import plan_results
from ..plans.data import Plans, load_plans
from ..simulation.tables import validity_tables
from ..stats.bootstrap import N_RESAMPLES
from ..tables.catalog import late_parents, plan_tables, tables_of
from .documents import filled_documents
from .macros import macros
from .texts import numbers_json, table_texts

__all__ = ["COUNTS", "expected_files", "files_of", "late_files"]

COUNTS = "counts.json"
RecordsOf = Callable[[Path], AbstractContextManager[tuple[Path, Path]]]


def expected_files(
    results: Path,
    folders: list[Path],
    records_of: RecordsOf,
    *,
    figures: bool,
    n_resamples: int = N_RESAMPLES,
) -> dict[Path, bytes]:
    """Return every generated file, with its expected content: of the studies, and documents.

    ``records_of`` opens the folder of a study's records and its file of verdicts.
    """
    files: dict[Path, bytes] = {}
    for folder in folders:
        if (folder / COUNTS).is_file():
            made = _validity_files(folder / COUNTS)
        else:
            with records_of(folder) as (records, verdicts):
                study = load_study(records, verdicts)
                plans = load_plans(records, study, verdicts)
            made = files_of(study, plans, figures=figures, n_resamples=n_resamples)
        files |= {folder / path: text for path, text in made.items()}
    return files | filled_documents(results, files)


def files_of(
    study: StudyData, plans: Plans | None = None, *, figures: bool, n_resamples: int = N_RESAMPLES
) -> dict[str, bytes]:
    """Return every generated file of a study, by its path inside the study's folder."""
    numbers = numbers_of(compute(study, n_resamples=n_resamples))
    names = {str(key): number for key, number in numbers.items()}
    tables = tables_of(study, numbers, are_plans=plans is not None)
    if plans is None:
        drawn = figures_of(study, numbers) if figures else {}
    else:
        results = plan_results(study, plans, n_resamples)
        names |= {f"plans/{key}": number for key, number in results.numbers.items()}
        tables |= plan_tables(results)
        drawn = plan_figures(results) if figures else {}
    texts = table_texts(tables)
    texts["numbers.json"] = numbers_json(study.name, names, n_resamples)
    texts["macros.tex"] = macros(study, numbers)
    texts |= {f"figures/{name}.svg": svg for name, svg in drawn.items()}
    return {path: text.encode() for path, text in texts.items()}


def late_files(without: StudyData, with_them: StudyData) -> dict[str, bytes]:
    """Return the table of what further, unjudged parents change."""
    before, after = (numbers_of(compute(study)) for study in (without, with_them))
    table = late_parents(with_them, before, after)
    return {path: text.encode() for path, text in table_texts({table.name: table}).items()}


def _validity_files(path: Path) -> dict[str, bytes]:
    """Return the tables of the counts of `python -m analysis.validate`."""
    try:
        tables = validity_tables(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError) as error:
        raise RecordError(f"{path} holds no counts: {error!r}. Run `make validate`.") from error
    return {name: text.encode() for name, text in table_texts(tables).items()}
