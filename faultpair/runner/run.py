"""Running a study: build its set, seal its judges, ask what is missing, keep every answer.

Everything that is known is written before the first call, so that a run can be
broken off at any moment, and the next one goes on from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain

import msgspec

from faultpair.calls.session import (
    CallSession,
    EngineFactory,
    ProgressListener,
    RunLimits,
    RunOutcome,
)
from faultpair.env.records import Verdict
from faultpair.sets.build import SetSource, build_from, runs_by_instance
from faultpair.sets.episodes import play
from faultpair.sets.plans import plan
from faultpair.studies.exchanges import ExchangeLog, RequestKey, open_exchange_log
from faultpair.studies.files import encode, write_lines
from faultpair.studies.folder import StudyFolder
from faultpair.studies.lock import held
from faultpair.studies.manifest import kept_hash, read_manifest
from faultpair.studies.preregistration import seal_study
from faultpair.studies.runs import read_runs

from .panel import Panel
from .requests import JudgeRequest, Run, pending, plan_requests, standing
from .scheduler import RequestScheduler
from .selection import JudgeSelection, select_judges
from .verdicts import known_verdicts
from .without_model import verdicts_of

__all__ = ["run_study"]


def run_study(
    folder: StudyFolder,
    *,
    extra: Sequence[str] = (),
    limits: RunLimits = RunLimits(),  # noqa: B008, the defaults are frozen
    means: EngineFactory = EngineFactory(),  # noqa: B008
    source: SetSource = runs_by_instance,
    watch: ProgressListener | None = None,
) -> RunOutcome:
    """Bring a study as far as the limits allow.

    Raises
    ------
    UsageError
        If another process runs it, or a limit names a judge that is not there.
    StudyError
        If the study is not the one that the kept answers were given to.
    EngineError
        If an engine cannot be reached at all.
    """
    with held(folder.out):
        ledger = open_exchange_log(folder.replies)
        try:
            if watch is not None and ledger.n_bytes_cut:
                watch.on_message(_torn(ledger))
            turnout = select_judges(folder, extra, limits, ledger)
            outcome = _build(folder, source, limits, means, watch)
            if outcome.n_unmade:
                return outcome
            seal_study(
                folder, turnout.declared, asked=ledger.passes, known=_known_judges(folder, ledger)
            )
            return _run(folder, turnout, ledger, limits, means, watch, outcome)
        finally:
            ledger.close()


def _build(
    folder: StudyFolder,
    source: SetSource,
    limits: RunLimits,
    means: EngineFactory,
    watch: ProgressListener | None,
) -> RunOutcome:
    """Build the set, or let models make it; verdicts about another set are deleted."""
    was = kept_hash(read_manifest(folder.manifest), folder.trajectories.name)
    session = CallSession(means, limits, watch)
    if folder.study.agent is not None:
        play(folder, session)
    elif folder.study.planners:
        plan(folder, session)
    else:
        build_from(source, folder, watch.on_built if watch is not None else None)
    if was != kept_hash(read_manifest(folder.manifest), folder.trajectories.name):
        folder.verdicts.unlink(missing_ok=True)
    return session.outcome


def _run(
    folder: StudyFolder,
    turnout: JudgeSelection,
    ledger: ExchangeLog,
    limits: RunLimits,
    means: EngineFactory,
    watch: ProgressListener | None,
    outcome: RunOutcome,
) -> RunOutcome:
    panel = turnout.panel
    if not panel.seats:  # nobody asks, so that a set of any size can be judged run by run
        _write(folder, map(encode, _without_model(panel, _runs(folder))))
        return outcome
    records = _Records(folder, panel, list(_runs(folder)), ledger)
    asks = turnout.wanted(records.asks)
    open_asks = list(pending(asks, ledger, share=limits.share, retry=limits.retry_errors))
    records.write(but=_Pending(open_asks, share=limits.share))
    try:
        with folder.verdicts.open("ab") as verdicts:
            alike = _alike(records.asks, open_asks) if limits.share else {}
            desk = RequestScheduler(folder, ledger, limits, means, verdicts, alike, watch, outcome)
            desk.ask_all(turnout.seats, open_asks)
    finally:
        records.write()
    outcome.n_open = sum(1 for _ in pending(asks, ledger, share=limits.share, retry=False))
    outcome.n_failed = sum(1 for _ in _failed(asks, ledger))
    return outcome


@dataclass(slots=True)
class _Records:
    """All that is known about a set, as it is to be written."""

    folder: StudyFolder
    panel: Panel
    runs: Sequence[Run]
    ledger: ExchangeLog
    asks: Sequence[JudgeRequest] = field(init=False)
    _silent: Sequence[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self.asks = tuple(plan_requests(self.panel.seats, self.runs))
        self._silent = tuple(map(encode, _without_model(self.panel, self.runs)))

    def write(self, *, but: _Pending | None = None) -> None:
        """Write every verdict that is known, but those that are about to be asked for."""
        asks = self.asks if but is None else [ask for ask in self.asks if ask not in but]
        asked = known_verdicts(asks, self.panel.votes, self.ledger)
        _write(self.folder, chain(self._silent, map(encode, asked)))


class _Pending:
    """Asks that a run is about to settle; with them go those that would share the answer."""

    def __init__(self, asks: Iterable[JudgeRequest], *, share: bool) -> None:
        self._share = share
        self._keys = {self._key(ask) for ask in asks}

    def __contains__(self, ask: JudgeRequest) -> bool:
        return self._key(ask) in self._keys

    def _key(self, ask: JudgeRequest) -> RequestKey | tuple[RequestKey, str]:
        return ask.asked if self._share else (ask.asked, ask.trajectory_id)


def _alike(
    asks: Iterable[JudgeRequest], open_asks: Iterable[JudgeRequest]
) -> dict[RequestKey, list[JudgeRequest]]:
    """Return the asks of a set that share the answer to one that is open."""
    alike: dict[RequestKey, list[JudgeRequest]] = {ask.asked: [] for ask in open_asks}
    for ask in asks:
        if ask.asked in alike:
            alike[ask.asked].append(ask)
    return alike


def _runs(folder: StudyFolder) -> Iterator[Run]:
    return read_runs(folder.trajectories, folder.instances)


def _without_model(panel: Panel, runs: Iterable[Run]) -> Iterator[Verdict]:
    return verdicts_of(lambda _: panel.without_model, runs)


def _write(folder: StudyFolder, lines: Iterable[bytes]) -> None:
    with write_lines(folder.verdicts) as verdicts:
        for line in lines:
            verdicts.write_line(line)


def _failed(asks: Iterable[JudgeRequest], ledger: ExchangeLog) -> Iterator[JudgeRequest]:
    for ask in asks:
        _, settled = standing(ask, ledger)
        if settled is not None and settled.error is not None:
            yield ask


def _known_judges(folder: StudyFolder, ledger: ExchangeLog) -> set[str]:
    """Return the judges that have said something about the set."""
    known = set(ledger.passes)
    if folder.verdicts.exists():
        with folder.verdicts.open("rb") as lines:
            for line in lines:
                # A run that was killed may have left half a line; the file is written anew anyway.
                with suppress(msgspec.DecodeError, RecursionError):
                    known.add(_SIGNATURE.decode(line).judge_id)
    return known


class _Signed(msgspec.Struct):
    judge_id: str


_SIGNATURE = msgspec.json.Decoder(_Signed)


def _torn(ledger: ExchangeLog) -> str:
    return (
        f"The last line of {ledger.path} was torn: its {ledger.n_bytes_cut} bytes were cut off. "
        "What it was about is asked again."
    )
