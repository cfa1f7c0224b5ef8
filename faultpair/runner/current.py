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

    Parameters
    ----------
    report : takes a message to the user, if the verdicts were derived
    study : the study file, or its folder; ``out`` if None
    """
    kept, log = out / "verdicts.jsonl", out / "replies.jsonl"
    if not log.is_file() or (kept.is_file() and holds_last_exchange(kept, log)):
        yield kept
        return
    with TemporaryDirectory(prefix="faultpair-") as scratch:
        derived = Path(scratch, kept.name)
        resolve_name(DERIVE)(study or out, out, derived)
        if kept.is_file() and kept.read_bytes() == derived.read_bytes():
            yield kept
            return
        report(f"The last run of {out} did not end; verdicts are derived from {log.name}.")
        yield derived


def holds_last_exchange(verdicts: Path, log: Path) -> bool:
    """Return whether a file of verdicts holds that of the last exchange that settled a request.

    A log is only appended to and verdicts are written from a whole log, so a file
    that holds the last one holds all. It may answer False although nothing is missing,
    such as for a run that is no longer in the set.
    """
    exchange = _last_final(log)
    return exchange is None or any(
        verdict.repeat == exchange.repeat
        # The parts of a graded verdict are merged under sample 0.
        and verdict.sample == (0 if verdict.scores else exchange.sample)
        and verdict.error == exchange.error
        and verdict.shared_from is None
        and verdict.latency_s >= exchange.latency_s
        and verdict.completion_tokens >= exchange.completion_tokens
        for verdict in _verdicts_on(verdicts, exchange)
    )


def _last_final(log: Path) -> Exchange | None:
    """Return the last exchange of a log that settled a request, reading from its end."""
    decoder = msgspec.json.Decoder(Exchange)
    with log.open("rb") as file:
        end = file.seek(0, 2)
        size = 0
        while size < end:
            size = min(end, 2 * size or TAIL_BYTES)
            file.seek(end - size)
            first, *lines = file.read(size).split(b"\n")[:-1] or [b""]
            for line in reversed([first, *lines] if size == end else lines):
                exchange = decoder.decode(line)
                if exchange.is_final:
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
            yield decoder.decode(text[place : end if end >= 0 else len(text)])
            place = text.find(start, place + 1)
