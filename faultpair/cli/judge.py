"""`faultpair judge`: judges without a model on any file of runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from faultpair.judges.catalog import find_judge
from faultpair.runner.verdicts import judge_without_model
from faultpair.studies.files import write_lines
from faultpair.studies.overwriting import refuse_to_overwrite
from faultpair.studies.runs import read_runs

from .display.progress import counting
from .display.sealed_study import check_files
from .display.terminal import console
from .replay import Instances, Trajectories

__all__ = ["command"]


def command(
    judges: Annotated[list[str], typer.Option("--judge", help="A judge; may be given again.")],
    instances: Instances,
    trajectories: Trajectories,
    out: Annotated[Path, typer.Option(help="The file of verdicts to write.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Ask judges that need no model about every run of a file."""
    refuse_to_overwrite(out, force=force, inputs=(instances, trajectories))
    check_files(trajectories, instances)
    with write_lines(out) as lines, counting("verdicts") as progress:
        runs = read_runs(trajectories, instances)
        judges_of = lambda domain: [find_judge(j, domain) for j in judges]  # noqa: E731
        for verdict in judge_without_model(judges_of, runs):
            lines.write(verdict)
            progress(1)
    console.print(f"{lines.n_lines} verdicts in {out}", soft_wrap=True)
