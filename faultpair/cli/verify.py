"""`faultpair verify`: every check of a study's records that needs no model, and a root digest.

The set, the verdicts and the manifest are made again and compared byte for byte, runs are
replayed, and tables are rebuilt. Nothing is written. The exit code is 1 if a record is not
what the others give, and 3 if a part could not be checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.util import find_spec
from itertools import islice

import typer

from faultpair.analysis.output.generated import GeneratedFiles, expected_files
from faultpair.env.errors import FaultpairError, InfrastructureError, StudyError
from faultpair.runner.current_verdicts import checked_records
from faultpair.runner.made_records import CurrentRecords
from faultpair.runner.unknown_requests import unknown_requests
from faultpair.runner.verification import RunAgain, run_again, sealed_file
from faultpair.sets.comparison import Comparison
from faultpair.studies.append_log import unsealed_tail
from faultpair.studies.folder import StudyFolder, open_study, refuse_another_study
from faultpair.studies.manifest import MANIFEST, VERDICTS, read_manifest
from faultpair.studies.seals import LOGS, SET, CheckedRecords, root_digest

from .display.terminal import INCOMPLETE, OutFolder, StudyPath, console

__all__ = ["Check", "checks_of", "command"]

MOST_PROBLEMS = 20
"""Lines that are printed of one check."""

State = Callable[[], CheckedRecords]
"""Returns what of a folder is sealed, read once for all checks that ask."""

NOT_OF_RECORDS = ("faultpair", "generated")
"""Keys of a manifest that are not compared: the version, and the list of generated files."""


@dataclass(slots=True)
class Check:
    """A check: what was compared, what could not be compared, and what differs."""

    name: str
    finding: str = ""
    left_out: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield the result in one line, and a line for each problem."""
        result = "DIFFERS" if self.problems else "partly" if self.left_out else "ok"
        yield f"{self.name:<12}{result:<9}{'; '.join(filter(None, [self.finding, *self.left_out]))}"
        yield from (f"  {problem}" for problem in islice(self.problems, MOST_PROBLEMS))
        if (more := len(self.problems) - MOST_PROBLEMS) > 0:
            yield f"  … and {more} more"


def command(study: StudyPath, out: OutFolder = None) -> None:
    """Check all records of a study and print its root digest; exit with 1 if one differs."""
    folder = open_study(study, out)
    refuse_another_study(folder)
    if not (folder.manifest.is_file() or folder.trajectories.is_file()):
        raise StudyError(
            f"{folder.out} holds no records of {folder.file}. Run the study first, or name their "
            "folder with --out."
        )
    checks = []
    for check in checks_of(folder):
        checks.append(check)
        for line in check.lines():
            console.print(line, highlight=False, soft_wrap=True)
    console.print(_root(folder), highlight=False, soft_wrap=True)
    if any(check.problems for check in checks):
        raise typer.Exit(1)
    if any(check.left_out for check in checks):
        raise typer.Exit(INCOMPLETE)


def checks_of(folder: StudyFolder, *, with_tables: bool = True) -> Iterator[Check]:
    """Carry out the checks of a study one by one, and yield the result of each."""
    yield _done("records", partial(_records, folder))

    @cache
    def state() -> CheckedRecords:
        # Edits are accepted here, since the check of the records has named them.
        return checked_records(folder.out, _no_report, study=folder.file, accept_edits=True)

    made_again = Check("run again")
    try:
        with run_again(folder) as again:
            yield _done("set", partial(_set, again))
            if again.is_whole:
                yield _done("verdicts", partial(_verdicts, again, state))
                yield _done("manifest", partial(_manifest, again, state))
            if folder.trajectories.is_file() and folder.instances.is_file():
                yield _done("replay", partial(_replay, again))
            elif with_tables and again.made.verdicts.is_file() and _is_set_written(again):
                yield _done("tables", partial(_tables, folder, again.made, state))
    except InfrastructureError:
        raise
    except FaultpairError as error:
        made_again.problems.append(str(error))
        yield made_again
    if folder.replies.is_file() and folder.trajectories.is_file():
        yield _done("exchanges", partial(_exchanges, folder))
    if with_tables and folder.verdicts.is_file():
        yield _done("tables", partial(_tables, folder, folder, state))


def _done(name: str, work: Callable[[Check], None]) -> Check:
    """Carry out a check; a record that cannot be read is a problem of the study.

    A failure of the machine, such as a full disk, is none and ends the command.
    """
    check = Check(name)
    try:
        work(check)
    except InfrastructureError:
        raise
    except FaultpairError as error:
        check.problems.append(str(error))
    return check


def _records(folder: StudyFolder, check: Check) -> None:
    """Compare all files with the seals in the manifest."""
    checked = checked_records(folder.out, _no_report, study=folder.file)
    manifest = read_manifest(folder.manifest)
    n_sealed = len({**manifest.sha256, **manifest.sealed_logs})
    check.finding = f"{n_sealed} digests in {MANIFEST} compared"
    if checked.unsealed:
        check.left_out.append(f"not sealed: {', '.join(checked.unsealed)}")
    for name, n_lines in checked.tails.items():
        check.left_out.append(f"{name}: {unsealed_tail(n_lines)}")


def _no_report(message: str) -> None:
    """Drop a message: the line of the check says the same."""


def _set(again: RunAgain, check: Check) -> None:
    """Compare the set with the one made again, from the study file or from kept turns."""
    if not again.is_whole:
        check.left_out.append("models have yet to make a part of it")
        return
    names: tuple[str, ...] = SET
    if not _is_set_written(again):
        check.left_out.append("the last run did not end, so a part of it is not written yet")
        names = tuple(name for name in SET if (again.kept.out / name).is_file())
    check.problems += again.problems(*names)
    manifest = read_manifest(again.made.manifest)
    source = "kept turns" if again.kept.study.made_by_models else "the study file"
    check.finding = (
        f"{manifest.n_trajectories:,} runs of {manifest.n_instances:,} instances made again from "
        f"{source}"
    )
    if not again.kept.trajectories.is_file():
        check.finding += ", and compared by their digests"


def _verdicts(again: RunAgain, state: State, check: Check) -> None:
    """Compare the verdicts with those that the log, the rules and the study file give."""
    if again.outcome is None:
        check.finding = "none: the study has not been run"
        return
    with again.made.verdicts.open("rb") as lines:
        check.finding = f"{sum(1 for _ in lines):,} derived again from the log and the rules"
    problems = list(again.problems(VERDICTS))
    if problems and _has_stopped(again, state()):
        check.left_out.append("the last run did not end, so those kept are older than the log")
    else:
        check.problems += problems


def _manifest(again: RunAgain, state: State, check: Check) -> None:
    """Compare what was fixed before the first answer with the study file as it is."""
    kept, made = (read_manifest(f.manifest) for f in (again.kept, again.made))
    check.finding = (
        f"{len(kept.judges)} judges that were asked and {len(kept.contrasts)} contrasts, "
        "as registered"
    )
    if not kept.is_sealed or _has_stopped(again, state()):
        check.left_out.append("not compared: the next run seals it")
        return
    for key in {**kept.document, **made.document}:
        if key not in NOT_OF_RECORDS and kept.document.get(key) != made.document.get(key):
            check.problems.append(f"{again.kept.manifest}: {key} is not as a run makes it again")


def _has_stopped(again: RunAgain, checked: CheckedRecords) -> bool:
    """Return whether the last run was stopped before it sealed its answers."""
    has_set, has_verdicts = again.kept.trajectories.is_file(), again.kept.verdicts.is_file()
    is_unjudged = again.outcome is not None and has_set and not has_verdicts
    is_sealed = read_manifest(again.kept.manifest).is_sealed
    has_tail = bool(checked.tails) or (is_sealed and not set(LOGS).isdisjoint(checked.unsealed))
    return has_tail or is_unjudged or not _is_set_written(again)


def _is_set_written(again: RunAgain) -> bool:
    """Return whether a run has written all files of the set, or their digests."""
    sealed = read_manifest(again.kept.manifest, accept_edits=True).sha256
    return SET[0] in sealed or all(
        (again.kept.out / name).is_file() for name in SET if (again.made.out / name).is_file()
    )


def _replay(again: RunAgain, check: Check) -> None:
    """Compare each field of each run with a replay, and with the set made again."""
    comparison = Comparison()
    made = again.made if again.is_whole else None
    files = (again.kept.trajectories, again.kept.instances)
    check.problems += map(str, comparison.differences(*files, made, why_not="not made again"))
    n_parts = sum(count.n_compared for count in comparison.counts)
    check.finding = f"{comparison.n_runs:,} runs, {n_parts:,} parts of them compared"


def _exchanges(folder: StudyFolder, check: Check) -> None:
    """Find the request of each kept exchange among those that the study makes."""
    check.problems += unknown_requests(folder)
    with folder.replies.open("rb") as lines:
        n_lines = sum(1 for _ in lines)
    check.finding = f"{n_lines:,} kept, each of a request that the study makes"


def _tables(folder: StudyFolder, records: StudyFolder, state: State, check: Check) -> None:
    """Rebuild tables, numbers and figures of some records, and compare them with the files."""
    has_figures = any((folder.out / "figures").glob("*.svg"))
    if has_figures and find_spec("matplotlib") is None:
        check.left_out.append("figures are not compared: matplotlib is not installed")
        has_figures = False
    digest = read_manifest(records.manifest).sha256.get(VERDICTS)
    current = CurrentRecords(records.out, sealed_file(records.verdicts, digest))
    part = expected_files(folder.out, lambda _: nullcontext(current), figures=has_figures)
    present = [path for path in part.placed if path.is_file()]
    if not present and not read_manifest(folder.manifest).generated:
        check.finding = "none: `faultpair rebuild` has not been run"
        return
    if state().tails:
        check.left_out.append("not compared: the last run did not end, and its answers are newer")
        return
    check.problems += _drift(part)
    check.finding = f"{len(part.made)} generated files rebuilt"


def _drift(part: GeneratedFiles) -> Iterator[str]:
    for path, content in part.placed.items():
        if not path.is_file():
            yield f"{path}: missing"
        elif path.read_bytes() != content:
            yield f"{path}: it is not what the records give"
    for path in part.left_over:
        yield f"{path}: no rebuild makes this file"


def _root(folder: StudyFolder) -> str:
    manifest = read_manifest(folder.manifest, accept_edits=True)
    if manifest.is_sealed:
        return f"root digest {root_digest(manifest)}"
    return (
        f"no root digest: {folder.manifest} is of version 0.1 and seals no records. "
        "`faultpair run STUDY --limit 0` seals them."
    )
