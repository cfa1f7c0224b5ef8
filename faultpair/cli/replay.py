"""`faultpair replay`: whether kept runs are what the world, and their study file, make of them.

Calls are made again in a fresh world. Where the study file beside the runs makes its set
without a model, the set is built anew, too, and every field is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from faultpair.sets.build import built_anew
from faultpair.sets.comparison import WORLD, Comparison, Count
from faultpair.studies.folder import StudyFolder, open_study
from faultpair.studies.manifest import STUDY_FILE

from .display.sealed_study import check_files
from .display.terminal import AcceptEdits, console

__all__ = ["Instances", "Trajectories", "command"]

Instances = Annotated[Path, typer.Option(help="The instances behind the trajectories.")]
Trajectories = Annotated[Path, typer.Option(help="The runs, as JSON Lines.")]


def command(
    instances: Instances, trajectories: Trajectories, accept_edits: AcceptEdits = False
) -> None:
    """Make kept runs again and compare every field; exit with 1 if one differs."""
    mark = check_files(trajectories, instances, accept_edits=accept_edits)
    comparison = Comparison()
    with _made_again(trajectories) as (made, why_not):
        for difference in comparison.differences(trajectories, instances, made, why_not=why_not):
            console.print(str(difference), soft_wrap=True)
    for line in _summary(comparison, mark):
        console.print(line, highlight=False, soft_wrap=True)
    if comparison.n_different:
        raise typer.Exit(1)


@contextmanager
def _made_again(trajectories: Path) -> Iterator[tuple[StudyFolder | None, str]]:
    """Yield the set that the study file beside some runs makes, or None and the reason."""
    file = trajectories.parent / STUDY_FILE
    if not file.is_file():
        yield None, f"no {STUDY_FILE} beside the runs"
        return
    folder = open_study(file)
    if folder.trajectories.name != trajectories.name:
        yield None, f"the study beside them has its runs in {folder.trajectories.name}"
    elif folder.study.made_by_models:
        yield None, "models made the runs"
    else:
        with built_anew(folder) as made:
            yield made, ""


def _summary(comparison: Comparison, mark: str = "") -> Iterator[str]:
    """Yield a table of what was compared, and one line with the numbers of the replay."""
    yield f"{'field':<15}{'compared with':<16}{'compared':>10}{'differ':>8}  not compared"
    for count in sorted(comparison.counts, key=lambda count: count.name):
        reasons = "; ".join(f"{n:,}: {why}" for why, n in count.left_out.items())
        numbers = f"{count.n_compared:>10,}{count.n_different:>8,}"
        yield f"{count.name:<15}{count.source:<16}{numbers}  {reasons or '–'}"
    replayed = {count.name: count.n_compared for count in comparison.counts if _is_replay(count)}
    end = f". {mark}" if mark else ""
    yield (
        f"{comparison.n_runs} trajectories, {replayed.get('observations', 0)} observations and "
        f"{replayed.get('end states', 0)} end states replayed: {comparison.n_different} differ{end}"
    )


def _is_replay(count: Count) -> bool:
    return count.source == WORLD
