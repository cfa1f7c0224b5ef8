"""`faultpair judge`: judges without a model on any file of runs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from faultpair.env.errors import UsageError
from faultpair.judges.catalog import find_judge
from faultpair.runner.verdicts import judge_without_model
from faultpair.studies.files import write_lines
from faultpair.studies.manifest import MANIFEST, STUDY_FILE
from faultpair.studies.runs import read_runs
from faultpair.studies.transcript import TURNS

from .display.progress import counting
from .display.sealed import check_files
from .display.terminal import console
from .replay import Instances, Trajectories

__all__ = ["command"]

IRREPLACEABLE = (STUDY_FILE, MANIFEST, "replies.jsonl", TURNS, "human.csv")
"""Files of a study that no command can make again."""


def command(
    judges: Annotated[list[str], typer.Option("--judge", help="A judge; may be given again.")],
    instances: Instances,
    trajectories: Trajectories,
    out: Annotated[Path, typer.Option(help="The file of verdicts to write.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Ask judges that need no model about every run of a file."""
    _refuse_to_overwrite(out, (instances, trajectories), force=force)
    check_files(trajectories, instances)
    with write_lines(out) as lines, counting("verdicts") as progress:
        runs = read_runs(trajectories, instances)
        judges_of = lambda domain: [find_judge(j, domain) for j in judges]  # noqa: E731
        for verdict in judge_without_model(judges_of, runs):
            lines.write(verdict)
            progress(1)
    console.print(f"{lines.n_lines} verdicts in {out}", soft_wrap=True)


def _refuse_to_overwrite(out: Path, inputs: Iterable[Path], *, force: bool) -> None:
    if any(out.resolve() == file.resolve() for file in inputs):
        raise UsageError(f"{out} is read by this command. Name another file with --out.")
    if out.exists() and out.name in IRREPLACEABLE:
        raise UsageError(f"{out} cannot be made again. Name another file with --out.")
    if out.exists() and not force:
        raise UsageError(
            f"{out} exists. Name another file with --out, or overwrite it with --force."
        )
