"""The verdicts of a study as its exchange log has them now, also after a killed run.

A run writes its verdicts once, at its end. After a kill the log therefore holds answers
that the file of verdicts lacks; a reader derives the verdicts and leaves the file alone.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory

import msgspec
from msgspec import UNSET, UnsetType

from faultpair.env.errors import StudyError
from faultpair.env.records import Exchange, Verdict

__all__ = ["current_verdicts", "holds_last_exchange"]

TAIL_BYTES = 1 << 16
DERIVE = "faultpair.runner.run:derive_verdicts"
"""Imported when verdicts have to be derived: tables of a whole run need no judge."""


@contextmanager
def current_verdicts(
    out: Path, report: Callable[[str], None], *, study: Path | None = None
) -> Iterator[Path]:
    """Yield the file of verdicts of a folder, or a temporary one if the log is newer.

    Verdicts are derived from the study file, ``study`` or the one in ``out``. Without it,
    those in the folder are read as they are. ``report`` takes a message to the user.
    """
    kept, log, file = out / "verdicts.jsonl", out / "replies.jsonl", study or out / "study.toml"
    if not log.is_file() or (kept.is_file() and holds_last_exchange(kept, log)):
        yield kept
        return
    if not file.exists():
        if not kept.is_file():
            raise StudyError(
                f"The last run of {out} did not end, and there is no study file in {out} to "
                f"derive its verdicts by. Finish it first: faultpair run STUDY --out {out}"
            )
        report(f"{log} may be newer than {kept.name}. To write it anew, run the study again.")
        yield kept
        return
    with TemporaryDirectory(prefix="faultpair-") as scratch:
        derived = Path(scratch, kept.name)
        resolve_name(DERIVE)(file, out, derived)
        if kept.is_file() and kept.read_bytes() == derived.read_bytes():
            yield kept
            return
        report(f"The last run of {out} did not end; verdicts are derived from {log.name}.")
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
                exchange = decoder.decode(line)
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
            yield decoder.decode(text[place:end])
            place = text.find(start, place + 1)
