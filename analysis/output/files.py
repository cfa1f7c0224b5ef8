"""The files of studies: tables, numbers.json, TeX macros, figures, documents with blocks."""

from __future__ import annotations

from ..data.study_data import StudyData
from ..figures.catalog import figures_of, plan_figures
from ..metrics.catalog import compute, numbers_of
from ..plans.catalog import plan_results
from ..plans.data import Plans
from ..stats.bootstrap import N_RESAMPLES
from ..tables.catalog import late_parents, paper_intervals, plan_tables, tables_of
from .macros import macros
from .texts import marked, numbers_json, table_texts

__all__ = ["files_of", "late_files"]


def files_of(
    study: StudyData,
    plans: Plans | None = None,
    *,
    figures: bool,
    n_resamples: int = N_RESAMPLES,
    beside_paper: bool = False,
) -> dict[str, bytes]:
    """Return every generated file of a study, by its path inside the study's folder.

    ``beside_paper`` adds the intervals of the paper to a study that is its release.
    """
    computed = compute(study, n_resamples=n_resamples)
    numbers = numbers_of(computed)
    names = {str(key): number for key, number in numbers.items()}
    tables = tables_of(study, numbers, are_plans=plans is not None)
    if plans is None:
        drawn = figures_of(study, numbers) if figures else {}
    else:
        results = plan_results(study, plans, n_resamples)
        names |= {f"plans/{key}": number for key, number in results.numbers.items()}
        tables |= plan_tables(results)
        drawn = plan_figures(results) if figures else {}
    if beside_paper:
        table = paper_intervals(computed, numbers)
        tables |= {table.name: table}
    texts = table_texts(tables)
    texts["numbers.json"] = numbers_json(study.name, names, n_resamples)
    texts["macros.tex"] = macros(study, numbers)
    texts |= {f"figures/{name}.svg": svg for name, svg in drawn.items()}
    return {path: text.encode() for path, text in marked(texts, study.edited).items()}


def late_files(without: StudyData, with_them: StudyData) -> dict[str, bytes]:
    """Return the table of what further, unjudged parents change."""
    before, after = (numbers_of(compute(study)) for study in (without, with_them))
    table = late_parents(with_them, before, after)
    return {path: text.encode() for path, text in table_texts({table.name: table}).items()}
