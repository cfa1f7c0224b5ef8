"""`faultpair show`: a planted run beside its clean parent, step by step."""

from __future__ import annotations

import json
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path
from typing import Annotated

import typer
from msgspec.json import encode
from rich.console import Group
from rich.table import Table

from faultpair.env.errors import UsageError
from faultpair.env.jsonl import read_records
from faultpair.env.records import Step, Trajectory

from .display.sealed import check_folder
from .display.terminal import AcceptEdits, console, styled

__all__ = ["command", "find_pair", "side_by_side"]

Steps = tuple[Step, ...]


def command(
    trajectory_id: Annotated[str, typer.Argument(metavar="ID", help="A planted run.")],
    study: Annotated[Path, typer.Option(help="The folder of its set.")] = Path(),
    accept_edits: AcceptEdits = False,
) -> None:
    """Print a planted run beside its clean parent, the steps that differ marked."""
    folder = study.parent if study.is_file() else study
    mark = check_folder(folder, accept_edits=accept_edits)
    run, parent = find_pair(folder / "trajectories.jsonl", trajectory_id)
    table = side_by_side(run, parent)
    table.caption = mark or None
    console.print(table)


def find_pair(trajectories: Path, trajectory_id: str) -> tuple[Trajectory, Trajectory]:
    """Return a planted run and its clean parent."""
    if not trajectories.is_file():
        raise UsageError(f"There is no {trajectories}. Build the set first: `faultpair build`.")
    run = _find(trajectories, trajectory_id)
    if run is None:
        raise UsageError(
            f"{trajectories} holds no trajectory {trajectory_id!r}. "
            "Name the study that holds it with --study."
        )
    if not run.label.faulty and run.label.control is None:
        raise UsageError(
            f"{trajectory_id} is a clean run; name one with a planted fault or control."
        )
    parent_id = run.label.parent_id or f"{run.instance_id}-clean"
    parent = _find(trajectories, parent_id)
    if parent is None:
        raise UsageError(f"{trajectories} lacks the clean parent {parent_id} of {trajectory_id}.")
    return run, parent


def side_by_side(run: Trajectory, parent: Trajectory) -> Table:
    """Return a table of both runs by step, in which ``≠`` marks a difference."""
    table = Table("", "", title=_title(run), title_justify="left")
    for shown in (parent, run):
        table.add_column(shown.trajectory_id, overflow="fold")
    for clean, planted in _aligned(parent.steps, run.steps):
        place = "" if planted is None else str(planted.index)
        mark = "" if _shown(clean) == _shown(planted) else "≠"
        table.add_row(place, mark, _step(clean), _step(planted), end_section=True)
    mark = "" if parent.final_answer == run.final_answer else "≠"
    table.add_row("reply", mark, parent.final_answer, run.final_answer)
    mark = "" if parent.end_state == run.end_state else "≠"
    table.add_row("end", mark, _json(parent.end_state), _json(run.end_state))
    return table


def _find(trajectories: Path, trajectory_id: str) -> Trajectory | None:
    """Return a run of a file; it is read as a stream, so it may be large."""
    runs = read_records(trajectories, Trajectory)
    return next((run for run in runs if run.trajectory_id == trajectory_id), None)


def _title(run: Trajectory) -> str:
    label = run.label
    kind = f"control {label.control}" if label.control else f"fault {label.failure_type}"
    at = "" if label.failure_step is None else f" at step {label.failure_step}"
    return f"{run.goal}\n{kind}{at}, cell {label.cell}: {label.edit}"


def _aligned(clean: Steps, planted: Steps) -> Iterator[tuple[Step | None, Step | None]]:
    """Yield pairs of steps, equal ones together, so that an added or lost step shifts no other."""
    left, right = (list(map(_shown, steps)) for steps in (clean, planted))
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    for _, low, high, first, last in matcher.get_opcodes():
        yield from zip_longest(clean[low:high], planted[first:last])


def _shown(step: Step | None) -> bytes:
    """Return what two equal steps have in common; their times may differ."""
    return b"" if step is None else encode((step.thought, step.call, step.observation))


def _step(step: Step | None) -> Group | str:
    if step is None:
        return "—"
    thought = styled(step.thought, "italic")
    lines = [f"{step.call.tool} {_json(step.call.args)}"]
    if step.observation is not None:
        answer = step.observation
        text = _json(answer.data) if answer.ok else f"refused: {answer.error}"
        lines.append(f"→ {text}")
    return Group(thought, *lines)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
