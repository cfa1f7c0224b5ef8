"""Which servers the keys of a command line are for, among those that a run may ask."""

from __future__ import annotations

from collections.abc import Sequence

from faultpair.engines.catalog import shown_name
from faultpair.engines.engine import BoundKey
from faultpair.engines.keys import bind_keys
from faultpair.studies.spec import StudySpec

__all__ = ["keys_of_run"]


def keys_of_run(
    given: Sequence[str],
    study: StudySpec,
    *,
    extra: Sequence[str] = (),
    only: Sequence[str] = (),
    base_url: str | None = None,
) -> tuple[BoundKey, ...]:
    """Return which server each key is for; ``only`` limits the judges that are asked.

    Raises
    ------
    UsageError
        See `bind_keys`.
    """
    return bind_keys(given, _engines_asked(study, extra, set(map(shown_name, only))), base_url)


def _engines_asked(study: StudySpec, extra: Sequence[str], only: set[str]) -> list[str]:
    judges = [(each.id, each.engine) for each in study.model_judges]
    judges += [(each.id, each.engine) for each in study.plan_judges]
    judges += [(shown_name(name), name) for name in (*study.judges, *extra)]
    makers = study.planners if study.agent is None else (study.agent,)
    asked = [engine for judge_id, engine in judges if not only or judge_id in only]
    return [*(maker.engine for maker in makers), *asked]
