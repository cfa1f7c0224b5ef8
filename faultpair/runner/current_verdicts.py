"""The verdicts of a study as its exchange log has them now, also after a killed run.

A run writes its verdicts once, at its end. After a kill the log therefore holds answers
that the file of verdicts lacks; a reader derives the verdicts and leaves the file alone.
"""

from __future__ import annotations

import mmap
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from faultpair.env.errors import RecordError, SealError, StudyError
from faultpair.env.jsonl import read_records
from faultpair.env.records import Exchange, Verdict
from faultpair.studies.append_log import AppendLog
from faultpair.studies.files import first_other_line
from faultpair.studies.manifest import STUDY_FILE, VERDICTS
from faultpair.studies.seals import SET, CheckedRecords, check_records

__all__ = [
    "CurrentVerdicts",
    "checked_records",
    "contradiction",
    "current_verdicts",
    "holds_last_exchange",
]

T = TypeVar("T")

TAIL_BYTES = 1 << 16
DERIVE = "faultpair.runner.run:derive_verdicts"
"""Imported when verdicts have to be derived: tables of a whole run need no judge."""


class CurrentVerdicts(NamedTuple):
    """The file of verdicts as they are now, and the records of the folder that were edited."""

    file: Path
    edited: tuple[str, ...] = ()


@contextmanager
def current_verdicts(
    out: Path,
    report: Callable[[str], None],
    *,
    study: Path | None = None,
    accept_edits: bool = False,
) -> Iterator[CurrentVerdicts]:
    """Yield the file of verdicts of a folder, or a temporary one if the log is newer.

    Verdicts are derived from the study file, ``study`` or the one in ``out``. Without it,
    those in the folder are read as they are. ``report`` takes a message to the user.

    Raises
    ------
    SealError
        If a record is not what was sealed, unless edits are accepted.
    """
    file = study or out / STUDY_FILE
    checked = checked_records(out, report, study=file, accept_edits=accept_edits)
    kept, log = checked.verdicts or out / VERDICTS, out / "replies.jsonl"
    is_settled = checked.are_verdicts_unknown or not log.is_file()
    if is_settled or (kept.is_file() and holds_last_exchange(kept, log)):
        yield CurrentVerdicts(kept, checked.edited)
        return
    if not file.exists():
        if not kept.is_file():
            raise StudyError(
                f"The last run of {out} did not end, and there is no study file in {out} to "
                f"derive its verdicts by. Finish it first: faultpair run STUDY --out {out}"
            )
        report(f"{log} may be newer than {kept.name}. To write it anew, run the study again.")
        yield CurrentVerdicts(kept, checked.edited)
        return
    with _derived(file, out) as derived:
        if kept.is_file() and kept.read_bytes() == derived.read_bytes():
            yield CurrentVerdicts(kept, checked.edited)
            return
        report(f"The last run of {out} did not end; verdicts are derived from {log.name}.")
        yield CurrentVerdicts(derived, checked.edited)


def checked_records(
    out: Path,
    report: Callable[[str], None],
    *,
    study: Path | None = None,
    accept_edits: bool = False,
    except_for: Collection[str] = (),
) -> CheckedRecords:
    """Check all records of a folder, its verdicts too, against the seals in its manifest.

    Verdicts that are not the sealed ones may be newer: they are those that the exchange log
    gives. ``report`` takes a line on what is not sealed, and on edits that are accepted; see
    `check_records` for the other parameters.

    Raises
    ------
    SealError
        If a record is not what was sealed, unless edits are accepted.
    """
    checked = check_records(out, study_file=study, accept_edits=accept_edits, except_for=except_for)
    if checked.are_verdicts_unknown:
        problem = contradiction(study or out / STUDY_FILE, out)
        if problem and not accept_edits:
            raise SealError(problem)
        edited = (*checked.edited, VERDICTS) if problem else checked.edited
        checked = replace(checked, edited=edited)
    for note in checked.notes(out):
        report(note)
    return checked


def contradiction(study: Path, out: Path) -> str:
    """Return how a file of verdicts differs from those that the log gives; empty if it does not."""
    kept, advice = out / VERDICTS, "Restore it, or delete it, and `faultpair run` makes it again."
    if not (study.is_file() and (out / SET[0]).is_file()):
        return f"{kept} is not what was sealed. {advice}"
    with _derived(study, out) as derived:
        number = first_other_line(kept, derived)
    if number is None:
        return ""
    return (
        f"{kept} is not what was sealed, and from line {number} on it is not what the kept answers "
        f"give. {advice}"
    )


@contextmanager
def _derived(study: Path, out: Path) -> Iterator[Path]:
    with TemporaryDirectory(prefix="faultpair-") as scratch:
        derived = Path(scratch, VERDICTS)
        resolve_name(DERIVE)(study, out, derived)
        yield derived


def holds_last_exchange(verdicts: Path, log: Path) -> bool:
    """Return whether a file of verdicts holds that of the last exchange that settled a request.

    A log is only appended to, an answer is never replaced, and verdicts are written from a
    whole log, so a file with the verdict of its last answer holds all. (One that version 0.1
    left when it was killed may lack votes; ``faultpair run --limit 0`` writes it anew.)

    It may return False although nothing is missing: for an error or an unsent request, which
    may have ended alike in an earlier run, and for an answer that gives no verdict of its own.
    """
    exchange = _last_final(log)
    if exchange is None:
        return True
    return exchange.text is not None and any(
        _is_of(verdict, exchange) for verdict in _verdicts_on(verdicts, exchange)
    )


def _is_of(verdict: Verdict, exchange: Exchange) -> bool:
    """Return whether a verdict was made from this answer; a shared one was made from another."""
    if verdict.repeat != exchange.repeat or verdict.error or verdict.shared_from is not None:
        return False
    if verdict.scores:  # of all parts of a pass, merged under sample 0, with the sum of their costs
        return verdict.sample == 0 and verdict.latency_s >= exchange.latency_s
    # An unsent request has no latency either, and its verdict no finding.
    is_answered = verdict.faulty is not None or verdict.latency_s > 0
    is_same_pass = (verdict.sample, verdict.latency_s) == (exchange.sample, exchange.latency_s)
    return is_answered and is_same_pass


def _last_final(log: Path) -> Exchange | None:
    """Return the last exchange of a log that settles a request, reading from its end."""
    decoder = msgspec.json.Decoder(Exchange)
    with log.open("rb") as file:
        end = file.seek(0, 2)
        size = 0
        void: set[int | UnsetType] = set()
        while size < end:
            size = min(end, 2 * size or TAIL_BYTES)
            file.seek(end - size)
            first, *lines = file.read(size).split(b"\n")[:-1] or [b""]
            for line in reversed([first, *lines] if size == end else lines):
                exchange = _decoded(decoder, line, AppendLog(log, Exchange).read())
                if exchange.voided is not UNSET:
                    void.add(exchange.process)
                elif exchange.is_final and exchange.process not in void:
                    return exchange
    return None


def _verdicts_on(path: Path, exchange: Exchange) -> Iterator[Verdict]:
    """Yield the verdicts of a judge on a run; a search of bytes is faster than reading all."""
    ids = {"trajectory_id": exchange.trajectory_id, "judge_id": exchange.judge_id}
    start = msgspec.json.encode(ids)[:-1] + b","
    if not path.stat().st_size:
        return
    decoder = msgspec.json.Decoder(Verdict)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        place = text.find(start)
        while place >= 0:
            end = text.find(b"\n", place)
            if end < 0:  # a torn line, which version 0.1 may have left
                return
            yield _decoded(decoder, text[place:end], read_records(path, Verdict))
            place = text.find(start, place + 1)


def _decoded(decoder: msgspec.json.Decoder[T], line: bytes, records: Iterable[T]) -> T:
    """Return the record on a line; if it is none, read all records: that error names the line."""
    try:
        return decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        deque(records, maxlen=0)
        raise RecordError(
            f"A record changed while it was being read: {error}. Try again."
        ) from error
