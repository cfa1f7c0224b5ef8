"""`python -m analysis.rebuild`: from kept records to every table, figure and number.

::

    python -m analysis.rebuild                    every study under results/
    python -m analysis.rebuild --study NAME       one of them
    python -m analysis.rebuild --check            compare with what is there; exit 1 if it differs
    python -m analysis.rebuild --raw DIR --instances FILE --out DIR
                                                  the public release of trajectory-judge
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from faultpair.analysis.command_line import (
    AcceptEdits,
    Check,
    Force,
    NoFigures,
    Results,
    StudyName,
    report,
    run,
    say,
)
from faultpair.analysis.data.release import load_release
from faultpair.analysis.data.study_data import study_in
from faultpair.analysis.output.documents import filled_documents
from faultpair.analysis.output.drift import drift
from faultpair.analysis.output.files import files_of, late_files
from faultpair.analysis.output.generated import (
    COUNTS,
    GeneratedFiles,
    expected_files,
    refuse_files_of_the_user,
    refuse_study_in,
)
from faultpair.analysis.stats.bootstrap import N_RESAMPLES
from faultpair.env.errors import UsageError
from faultpair.runner.made_records import are_kept_by_hash, current_records
from faultpair.studies.files import write_bytes
from faultpair.studies.overwriting import list_generated

__all__ = ["main", "rebuild"]

EXIT_DRIFT = 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return run(command, "analysis.rebuild", arguments)


def command(
    study: StudyName = None,
    results: Results = Path("results"),
    raw: Annotated[
        Path | None, typer.Option(help="A folder with trajectories.jsonl and verdicts.jsonl.")
    ] = None,
    instances: Annotated[
        Path | None, typer.Option(help="The instances.jsonl that belongs to --raw.")
    ] = None,
    late_parents: Annotated[
        Path | None, typer.Option(help="Further clean runs, not judged.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where the files of --raw are written.")] = None,
    check: Check = False,
    resamples: Annotated[
        int, typer.Option(help="Fewer give a quick look, not the tables.")
    ] = N_RESAMPLES,
    no_figures: NoFigures = False,
    force: Force = False,
    accept_edits: AcceptEdits = False,
) -> None:
    """Rebuild every table, figure and number from kept records."""
    figures = not no_figures
    if raw is None:
        code = rebuild(
            results=results,
            study=study,
            check=check,
            figures=figures,
            n_resamples=resamples,
            force=force,
            accept_edits=accept_edits,
        )
        raise typer.Exit(code)
    if instances is None or out is None:
        raise UsageError("--raw needs --instances FILE and --out DIR.")
    refuse_study_in(out)
    files = release_files(raw, instances, late_parents, figures=figures, n_resamples=resamples)
    made = GeneratedFiles(out, files, figures=figures)
    raise typer.Exit(_finish([made], {}, check=check, force=force))


def rebuild(
    *,
    results: Path,
    study: str | None = None,
    check: bool = False,
    figures: bool = True,
    n_resamples: int = N_RESAMPLES,
    force: bool = False,
    accept_edits: bool = False,
) -> int:
    """Write or check all generated files; return 0, or 1 if a check found a difference.

    ``force`` overwrites files that no rebuild made. No document is filled from edited records.

    Raises
    ------
    SealError
        If a record is not what was sealed, unless edits are accepted; a check accepts none.
    UsageError
        If a file that no rebuild made would be overwritten.
    """
    if check and accept_edits:
        raise UsageError("--check accepts no edits: leave out --accept-edits.")
    # A folder named with --study may lie inside another study, as with --out.
    is_named = study is not None and (results / study).is_dir() and study != "."
    if (results / "study.toml").is_file() and not is_named:
        own = results.resolve()
        raise UsageError(
            f"{results} is a study. Give the folder that holds it: "
            f"--results {own.parent} --study {own.name}."
        )
    folders = [folder for folder in studies_in(results, study) if study or _has_begun(folder)]
    if not folders:
        say(f"There is no study under {results}; nothing to rebuild.\n")
        return 0
    records_of = partial(current_records, report=_report, accept_edits=accept_edits)
    parts = [
        expected_files(folder, records_of, figures=figures, n_resamples=n_resamples)
        for folder in folders
    ]
    made = {path: content for part in parts for path, content in part.placed.items()}
    has_edits = any(part.edited for part in parts)
    documents = {} if has_edits else filled_documents(results, made)
    return _finish(parts, documents, check=check, force=force)


def _report(message: str) -> None:
    report(f"{message}\n")


def release_files(
    raw: Path, instances: Path, late_parents: Path | None, *, figures: bool, n_resamples: int
) -> dict[str, bytes]:
    """Return the files of the public release, with a table of late parents if there are any."""
    release = load_release(raw, instances, late_parents=late_parents)
    files = files_of(release, figures=figures, n_resamples=n_resamples, beside_paper=True)
    if late_parents is not None:
        files |= late_files(load_release(raw, instances), release)
    return files


def studies_in(results: Path, chosen: str | None = None) -> list[Path]:
    """Return the folders under results that hold a study or counts of validity, by name.

    Raises
    ------
    UsageError
        If there is no study of the chosen name.
    """
    marks = ("study.toml", "trajectories.jsonl", "verdicts.jsonl", COUNTS)
    inside = sorted(results.iterdir()) if results.is_dir() else []
    folders = [path for path in inside if any((path / mark).is_file() for mark in marks)]
    if chosen is None:
        return folders
    names = ", ".join(path.name for path in folders) or "none"
    if all(path.name != chosen for path in folders):
        raise UsageError(f"No study is named '{chosen}' under {results}. Known studies: {names}.")
    return [path for path in folders if path.name == chosen]


def _has_begun(folder: Path) -> bool:
    """Return whether a study has records to make tables of; print a line if it has none."""
    files = ("trajectories.jsonl", "verdicts.jsonl", COUNTS)
    present = [file for file in files if (folder / file).is_file()]
    if not present and are_kept_by_hash(folder):
        return True
    if not present:
        say(f"Study '{folder.name}' has not been run yet and is left out.\n")
    elif present == ["trajectories.jsonl"] and not _is_judged(folder):
        say(f"Study '{folder.name}' is a set without judges and is left out.\n")
        return False
    return bool(present)


def _is_judged(folder: Path) -> bool:
    """Return whether a study names judges, so that missing verdicts are an error."""
    study = study_in(folder)
    return study is None or bool(study.judge_ids or study.contrasts)


def _finish(
    parts: list[GeneratedFiles], documents: dict[Path, bytes], *, check: bool, force: bool
) -> int:
    files = {path: content for part in parts for path, content in part.placed.items()} | documents
    left_over = [path for part in parts for path in part.left_over]
    if check:
        differences = drift(files, left_over)
        say(differences or f"All {len(files)} generated files are as committed.\n")
        return EXIT_DRIFT if differences else 0
    if not force:
        refuse_files_of_the_user(parts)
    for path in left_over:
        path.unlink()
    for part in parts:
        if part.is_to_be_listed:  # before the files: a list may name one that is missing
            list_generated(part.folder, part.names)
    for path, content in files.items():
        write_bytes(path, content)
    say(f"Wrote {len(files)} files.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
