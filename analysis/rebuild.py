"""`python -m analysis.rebuild`: from kept records to every table, figure and number.

::

    python -m analysis.rebuild                    every study under results/
    python -m analysis.rebuild --study NAME       one of them
    python -m analysis.rebuild --check            compare with what is there; exit 1 if it differs
    python -m analysis.rebuild --raw DIR --instances FILE --out DIR
                                                  the public release of trajectory-judge
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from faultpair.analysis.data.declared import read_declared
from faultpair.analysis.data.release import load_release
from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.output.content import block_content
from faultpair.analysis.output.documents import documents, fill, has_marks
from faultpair.analysis.output.drift import drift, stale
from faultpair.analysis.output.files import files_of, late_files, validity_files
from faultpair.analysis.stats.bootstrap import N_RESAMPLES
from faultpair.env.errors import FaultpairError, InfrastructureError, UsageError

__all__ = ["expected_files", "main", "rebuild", "studies_in"]

EXIT_DRIFT = 1
COUNTS = "counts.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    try:
        return rebuild(
            results=options.results,
            study=options.study,
            raw=options.raw,
            instances=options.instances,
            late_parents=options.late_parents,
            out=options.out,
            check=options.check,
            figures=not options.no_figures,
            n_resamples=options.resamples,
        )
    except FaultpairError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code


def rebuild(
    *,
    results: Path,
    study: str | None = None,
    raw: Path | None = None,
    instances: Path | None = None,
    late_parents: Path | None = None,
    out: Path | None = None,
    check: bool = False,
    figures: bool = True,
    n_resamples: int = N_RESAMPLES,
) -> int:
    """Write or check all generated files; return 0, or 1 if a check found a difference."""
    if raw is not None:
        if instances is None or out is None:
            raise UsageError("--raw needs --instances FILE and --out DIR.")
        loaded = load_release(raw, instances, late_parents=late_parents)
        made = files_of(loaded, figures=figures, n_resamples=n_resamples)
        if late_parents is not None:
            made |= late_files(load_release(raw, instances), loaded)
        files = {out / path: text for path, text in made.items()}
        return _finish(files, [out], check=check, figures=figures)
    if (results / "study.toml").is_file():
        raise UsageError(
            f"{results} is a study. Give the folder that holds it: "
            f"--results {results.parent} --study {results.name}."
        )
    folders = [folder for folder in studies_in(results, study) if study or _has_begun(folder)]
    if not folders:
        sys.stdout.write(f"There is no study under {results}; nothing to rebuild.\n")
        return 0
    files = expected_files(results, folders, figures=figures, n_resamples=n_resamples)
    return _finish(files, folders, check=check, figures=figures)


def studies_in(results: Path, chosen: str | None = None) -> list[Path]:
    """Return the folders under results that hold a study or counts of validity, by name.

    Raises
    ------
    UsageError
        If the study asked for does not exist.
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
    """Return whether there is anything of a study to make tables of; say so if there is not."""
    files = ("trajectories.jsonl", "verdicts.jsonl", COUNTS)
    found = [file for file in files if (folder / file).is_file()]
    if not found:
        sys.stdout.write(f"Study '{folder.name}' has not been run yet and is left out.\n")
    elif found == ["trajectories.jsonl"] and not _is_judged(folder):
        sys.stdout.write(f"Study '{folder.name}' is a set without judges and is left out.\n")
        return False
    return bool(found)


def _is_judged(folder: Path) -> bool:
    """Return whether a study names judges, so that verdicts that are not there are missing."""
    declared = read_declared(folder / "study.toml")
    return declared is None or bool(declared.judges or declared.contrasts)


def expected_files(
    results: Path, folders: list[Path], *, figures: bool, n_resamples: int = N_RESAMPLES
) -> dict[Path, bytes]:
    """Return every file as it ought to be: those of the studies, and documents with blocks."""
    files: dict[Path, bytes] = {}
    for folder in folders:
        if (folder / COUNTS).is_file():
            made = validity_files(folder / COUNTS)
        else:
            made = files_of(load_study(folder), figures=figures, n_resamples=n_resamples)
        files |= {folder / path: text for path, text in made.items()}
    content = block_content(results, files)
    for path in documents(results.resolve().parent):
        text = _text_of(path)
        filled = fill(text, content, str(path))
        if has_marks(text):
            files[path] = filled.encode()
    return files


def _text_of(document: Path) -> str:
    try:
        return document.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{document} is not UTF-8 text; convert it and try again.") from error


def _finish(files: dict[Path, bytes], folders: list[Path], *, check: bool, figures: bool) -> int:
    left_over = stale(files, folders, figures=figures)
    if check:
        report = drift(files, left_over)
        sys.stdout.write(report or f"All {len(files)} generated files are as committed.\n")
        return EXIT_DRIFT if report else 0
    for path in left_over:
        path.unlink()
    for path, text in files.items():
        _write(path, text)
    sys.stdout.write(f"Wrote {len(files)} files.\n")
    return 0


def _write(path: Path, text: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    except OSError as error:
        raise InfrastructureError(f"Cannot write {path}: {error.strerror}.") from error


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m analysis.rebuild",
        description="Rebuild every table, figure and number from kept records.",
    )
    parser.add_argument("--study", help="only the study of this name")
    parser.add_argument("--results", type=Path, default=Path("results"), help="where studies lie")
    parser.add_argument("--raw", type=Path, help="folder of trajectories.jsonl and verdicts.jsonl")
    parser.add_argument("--instances", type=Path, help="instances.jsonl that belongs to --raw")
    parser.add_argument("--late-parents", type=Path, help="further clean runs, not judged")
    parser.add_argument("--out", type=Path, help="where the files of --raw are written")
    parser.add_argument("--check", action="store_true", help="compare, do not write")
    parser.add_argument(
        "--resamples", type=int, default=N_RESAMPLES, help="fewer give a quick look, not the tables"
    )
    parser.add_argument("--no-figures", action="store_true", help="leave figures alone")
    return parser


if __name__ == "__main__":
    sys.exit(main())
