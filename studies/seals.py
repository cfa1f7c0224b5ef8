"""Seals: what the records of a study were when its manifest was written.

A file that is written whole has its SHA-256 in the manifest. A log, to which lines are only
added, has the count, the size and the SHA-256 of its lines at that time; a longer log is
normal, and its further lines are a tail that is not sealed yet. What the user writes, the
study file and the human grades, is sealed as the last run read it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from faultpair.env.errors import RecordError, SealError

from .append_log import repeated_answer, unsealed_tail
from .files import begins_with, partial_of, sha256_of, text_sha256
from .manifest import (
    HUMAN,
    MANIFEST,
    STUDY_FILE,
    VERDICTS,
    Manifest,
    SealedLog,
    read_manifest,
    readable_manifest,
    write_manifest,
)

__all__ = [
    "LOGS",
    "SET",
    "CheckedRecords",
    "check_records",
    "edited_mark",
    "refuse_to_replace_edits",
    "root_digest",
    "seal_verdicts",
    "take_up",
]

SET = ("trajectories.jsonl", "instances.jsonl", "episodes.jsonl", "plans.jsonl")
LOGS = ("replies.jsonl", "turns.jsonl")
ROOT_TERMS = (
    "title", "domain", "seed", "sha256", "sealed_logs", "judges", "contrasts", "stop", "agent",
    "planners",
)  # fmt: skip

_RESTORE = (
    "Restore it from version control or from a copy. With --accept-edits, `faultpair report` and "
    "other commands that read records read it as it is, for one call."
)
_RESEAL = (
    "Restore it, or run the study again: `faultpair run STUDY --limit 0` makes its records again "
    "without a call, refuses what contradicts them, and seals the file."
)
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRecords:
    """What a check of a folder found.

    Attributes
    ----------
    edited : the files that are not what was sealed; empty unless edits are accepted
    unsealed : the files that the manifest has no seal of
    tails : the number of lines of each log that came after its seal
    verdicts : the file of the sealed verdicts, if there is one
    are_verdicts_unknown : whether the file of verdicts is not the sealed one; it may be a newer
        one, which is known from the verdicts that the log gives
    """

    edited: tuple[str, ...] = ()
    unsealed: tuple[str, ...] = ()
    tails: Mapping[str, int] = field(default_factory=dict)
    verdicts: Path | None = None
    are_verdicts_unknown: bool = False

    def notes(self, folder: Path) -> Iterator[str]:
        """Yield a line on what is not sealed, and one on what was edited."""
        if self.unsealed:
            yield f"{folder}: not sealed: {', '.join(self.unsealed)}. `faultpair run` seals them."
        for name, n_lines in self.tails.items():
            yield f"{folder / name}: {unsealed_tail(n_lines)}."
        if self.edited:
            yield f"{folder}: {edited_mark(self.edited)}."


def check_records(
    folder: Path,
    *,
    study_file: Path | None = None,
    accept_edits: bool = False,
    except_for: Collection[str] = (),
) -> CheckedRecords:
    """Compare the records of a folder with the seals in its manifest.

    Parameters
    ----------
    study_file : the study file if it is not in the folder
    accept_edits : name what was edited, in place of an error
    except_for : names of files that are left to the caller

    Raises
    ------
    SealError
        If a file is not what was sealed. Verdicts are only said to be unknown.
    RecordError
        If the manifest or a file cannot be read.
    """
    while True:  # until no run has renewed the seals in between
        before = _bytes_of(folder / MANIFEST)
        try:
            return _checked(folder, study_file or folder / STUDY_FILE, accept_edits, except_for)
        except SealError:
            if before == _bytes_of(folder / MANIFEST):
                raise


def _checked(
    folder: Path, study_file: Path, accept_edits: bool, except_for: Collection[str]
) -> CheckedRecords:
    path, edits = folder / MANIFEST, dict[str, str]()
    try:
        manifest = read_manifest(path)
    except SealError as error:
        edits[MANIFEST] = str(error)
        manifest = read_manifest(path, accept_edits=True)
    tails: dict[str, int] = {}
    for name in _sealed_names(manifest):
        if name not in except_for:
            file = study_file if name == STUDY_FILE else folder / name
            edits[name], tails[name] = _compared(file, name, manifest)
    edits = {name: edit for name, edit in edits.items() if edit}
    if edits and not accept_edits:
        raise SealError("\n".join(edits.values()))
    sealed, kept = manifest.sha256.get(VERDICTS), folder / VERDICTS
    candidates = (kept, partial_of(kept)) if sealed else (kept,)
    present = [file for file in candidates if file.is_file()]
    verdicts = next((file for file in present if sealed in (None, sha256_of(file))), None)
    return CheckedRecords(
        edited=tuple(edits),
        unsealed=tuple(_unsealed(folder, manifest)),
        tails={name: n_lines for name, n_lines in tails.items() if n_lines},
        verdicts=verdicts,
        are_verdicts_unknown=verdicts is None and kept.is_file(),
    )


def _sealed_names(manifest: Manifest) -> list[str]:
    return [name for name in {**manifest.sha256, **manifest.sealed_logs} if name != VERDICTS]


def _unsealed(folder: Path, manifest: Manifest) -> Iterator[str]:
    if (folder / MANIFEST).is_file() and not manifest.is_sealed:
        yield MANIFEST
    for name in (*SET, *LOGS, VERDICTS, HUMAN):
        file, is_sealed = folder / name, name in manifest.sha256 or name in manifest.sealed_logs
        if not is_sealed and file.is_file() and file.stat().st_size:
            yield name


def _compared(file: Path, name: str, manifest: Manifest) -> tuple[str, int]:
    """Return how a file differs from its seal, an empty text if it does not, and its tail."""
    if name in manifest.sealed_logs:
        return _compared_log(file, manifest.sealed_logs[name])
    sealed = manifest.sha256[name]
    if not file.is_file():
        if name in SET and (file.parent / SET[0]).is_file():
            return f"{file} is missing, and the manifest has its seal. {_RESTORE}", 0
        return "", 0
    if name in (STUDY_FILE, HUMAN):
        content = _bytes_of(file)
        found = text_sha256(content)
        if sealed in (found, hashlib.sha256(content).hexdigest()):
            return "", 0
        return f"{file} was edited after the records beside it were sealed. {_RESEAL}", 0
    found = sha256_of(file)
    if found == sealed or (name in LOGS and begins_with(file, sealed)):
        return "", 0
    return (
        f"{file} is not what was sealed: its SHA-256 is {found[:12]}…, and the manifest has "
        f"{sealed[:12]}…. {_RESTORE}"
    ), 0


def _compared_log(file: Path, sealed: SealedLog) -> tuple[str, int]:
    digest, left, n_tail = hashlib.sha256(), sealed.bytes, 0
    if not file.is_file():
        return f"{file} is missing, and {sealed.lines} lines of it are sealed. {_RESTORE}", 0
    try:
        with file.open("rb") as stream:
            while left and (chunk := stream.read(min(left, _CHUNK))):
                digest.update(chunk)
                left -= len(chunk)
            while chunk := stream.read(_CHUNK):
                n_tail += chunk.count(b"\n")
    except OSError as error:
        raise RecordError(f"Cannot read {file}: {error.strerror}.") from error
    if left:
        what = f"it lacks {left} of the {sealed.bytes} bytes"
    elif digest.hexdigest() != sealed.sha256:
        what = f"it differs in the first {sealed.bytes} bytes"
    elif n_tail and (number := repeated_answer(file)):
        what = f"line {number} repeats an answer; sealed were the first {sealed.bytes} bytes"
    else:
        return "", n_tail
    return f"{file} is not what was sealed: {what} of its {sealed.lines} lines. {_RESTORE}", 0


def _bytes_of(file: Path) -> bytes:
    try:
        return file.read_bytes() if file.exists() else b""
    except OSError as error:
        raise RecordError(f"Cannot read {file}: {error.strerror}.") from error


def take_up(
    folder: Path,
    report: Callable[[str], None],
    *,
    accept_edits: bool,
    contradiction: Callable[[], str],
) -> tuple[str, ...]:
    """Check the records that a run goes on from, and finish what the last run left.

    Return what was edited and cannot be made again, if edits are accepted. The study file and
    human grades are the user's. The set is checked by its build, which makes it in any case.
    ``contradiction`` says how verdicts that are not the sealed ones differ from the log.
    """
    read_manifest(folder / MANIFEST)  # a run writes it, so that an edited one is never accepted
    left = (STUDY_FILE, HUMAN, *(() if accept_edits else SET))
    checked = check_records(folder, accept_edits=accept_edits, except_for=left)
    if checked.verdicts not in (None, folder / VERDICTS):
        partial_of(folder / VERDICTS).replace(folder / VERDICTS)
    made_again = [name for name in checked.edited if name in SET]
    problem = contradiction() if checked.are_verdicts_unknown else ""
    if problem and not accept_edits:
        raise SealError(problem)
    made_again += [VERDICTS] if problem else []
    edited = tuple(name for name in checked.edited if name not in made_again)
    if checked.unsealed:
        report(next(checked.notes(folder)))
    if made_again:
        report(f"{folder}: edited, and made again: {', '.join(made_again)}.")
    if edited:
        report(f"{folder}: {edited_mark(edited)}.")
    return edited


def refuse_to_replace_edits(folder: Path, made: Mapping[str, str]) -> None:
    """Refuse to write the files of a set, by name and SHA-256, over others or edited ones.

    A file may be the sealed one, or the one that is made now: a build that was killed leaves a
    new set beside an old manifest.

    Raises
    ------
    SealError
        If a file is neither.
    """
    manifest = folder / MANIFEST  # without one, the files are not of a study
    sealed = readable_manifest(manifest).sha256 if manifest.exists() else dict.fromkeys(made, "")
    for file, new in ((folder / name, made[name]) for name in made if name in sealed):
        if file.is_file() and sha256_of(file) not in (sealed[file.name], new):
            raise SealError(
                f"{file} is neither what was sealed nor what its study makes now. Restore it from "
                "version control or from a copy, or delete it, and it is made again."
            )


def seal_verdicts(folder: Path, digest: str) -> None:
    """Seal the verdicts of a run, and the human grades as the run found them."""
    manifest, human = read_manifest(folder / MANIFEST), folder / HUMAN
    entry = manifest.entry("sha256") | {VERDICTS: digest}
    entry.pop(HUMAN, None)
    if human.is_file():
        entry[HUMAN] = text_sha256(_bytes_of(human))
    write_manifest(folder / MANIFEST, manifest.with_entry("sha256", entry=entry))


def edited_mark(names: Sequence[str]) -> str:
    """Return the mark of what rests on records which are not what was sealed, if there are any."""
    return f"EDITED RECORDS: {', '.join(names)}" if names else ""


def root_digest(manifest: Manifest) -> str:
    """Return the SHA-256 of all that a manifest seals: records, logs, and what was registered.

    Stated elsewhere, such as in a paper, it also tells an edit by which the seals were renewed.
    The version that wrote the manifest and the files made from the records are no part of it.
    """
    terms = {key: manifest.document[key] for key in ROOT_TERMS if key in manifest.document}
    text = json.dumps(terms, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
