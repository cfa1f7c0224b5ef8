"""One run of a study: make its set, seal its judges, send open requests, derive the verdicts.

Each answer is kept as it arrives, so a run may be killed at any moment: the next one
continues it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from pkgutil import resolve_name

from faultpair.calls.session import (
    CallSession,
    EngineFactory,
    ProgressListener,
    RunLimits,
    RunOutcome,
)
from faultpair.sets.build import SetSource, build_from, runs_by_instance
from faultpair.sets.made_by_models import generate
from faultpair.studies.exchanges import ExchangeLog, open_exchange_log, read_exchange_log
from faultpair.studies.folder import StudyFolder, open_study
from faultpair.studies.lock import held
from faultpair.studies.runs import StoredRuns, read_runs
from faultpair.studies.seals import take_up

from .scheduler import RequestScheduler
from .selection import JudgeSelection, seal_selection, select_judges
from .stopping import StopRule, stops_of
from .verdicts import write_verdicts

__all__ = ["derive_verdicts", "run_study"]

CONTRADICTION = "faultpair.runner.current_verdicts:contradiction"
"""Imported when the file of verdicts is not the sealed one."""


def run_study(
    folder: StudyFolder,
    *,
    extra: Sequence[str] = (),
    limits: RunLimits = RunLimits(),  # noqa: B008, the defaults are frozen
    engines: EngineFactory = EngineFactory(),  # noqa: B008
    source: SetSource = runs_by_instance,
    listener: ProgressListener | None = None,
    stop: StopRule | None = None,
) -> RunOutcome:
    """Run a study as far as the limits allow, and write its verdicts.

    ``stop`` says when a result is clear, for a study with `[stop]`.

    Raises
    ------
    UsageError
        If another process runs it, or a limit names an unknown judge.
    StudyError
        If the study is not the one that the kept answers belong to.
    SealError
        If a record is not what was sealed.
    EngineError
        If an engine cannot be reached at all.
    """
    with held(folder.out):
        options = replace(engines.options, secret_variables=folder.study.key_variables)
        session = CallSession(replace(engines, options=options), limits, listener)
        session.outcome.edited = take_up(
            folder.out,
            session.report,
            accept_edits=folder.accepts_edits,
            contradiction=lambda: resolve_name(CONTRADICTION)(folder.file, folder.out),
        )
        log = open_exchange_log(folder.replies)
        try:
            if log.n_bytes_cut:
                session.report(_torn(log))
            selection = select_judges(folder, extra, limits, log)
            if folder.study.made_by_models:
                generate(folder, session)
            else:
                build_from(source, folder, None if listener is None else listener.on_built)
            if session.outcome.n_unmade:
                return session.outcome
            seal_selection(folder, selection, log)
            scheduler = RequestScheduler(folder=folder, log=log, session=session)
            return _judge(selection, scheduler, stop)
        finally:
            log.close()


def derive_verdicts(study: Path, out: Path, verdicts: Path) -> None:
    """Write the verdicts that the exchange log of a folder gives, to a file elsewhere."""
    folder = open_study(study, out)
    log = read_exchange_log(folder.replies)
    selection = select_judges(folder, (), RunLimits(), log)
    runs = StoredRuns(folder.trajectories, folder.instances)
    write_verdicts(verdicts, selection.panel, runs, selection.states(runs, log))


def _judge(
    selection: JudgeSelection, scheduler: RequestScheduler, stop: StopRule | None
) -> RunOutcome:
    folder, log, limits = scheduler.folder, scheduler.log, scheduler.session.limits
    outcome = scheduler.session.outcome
    panel = selection.panel
    if not panel.assignments:  # without requests, the set is read once
        runs = read_runs(folder.trajectories, folder.instances)
        write_verdicts(folder.verdicts, panel, runs, seal=log.seal_verdicts)
        return outcome
    stored = StoredRuns(folder.trajectories, folder.instances)
    states = selection.states(stored, log, share=limits.share)
    stops = None if stop is None else stops_of(folder, selection, stored, states, rule=stop)
    if stops is not None:
        stops.goes_on = limits.goes_on
        scheduler.ended, scheduler.on_answers = stops.ended, partial(stops.look, log)
        stops.look(log)
    to_send = selection.to_send(states, limits, retry=limits.retry_errors)
    to_send = to_send if stops is None else stops.open(to_send)
    selection.check_keys(to_send)
    try:
        scheduler.ask_all(selection.assignments, to_send)
    finally:
        for state in states:  # an answer to an equal request may have settled it
            state.advance(log)
        if stops is not None:
            outcome.ended = stops.noted(folder, log, states)
        left = selection.to_send(states, limits)
        outcome.n_open = len(left if stops is None else stops.open(left))
        if not limits.share:  # a verdict may rest on a shared answer all the same
            states = selection.states(stored, log)
        write_verdicts(folder.verdicts, panel, stored, states, seal=log.seal_verdicts)
    wanted = selection.wanted(states)
    wanted = wanted if stops is None else stops.open(wanted)
    outcome.n_failed = sum(state.has_failed for state in wanted)
    return outcome


def _torn(log: ExchangeLog) -> str:
    return (
        f"The last line of {log.path} was torn: its {log.n_bytes_cut} bytes were cut off. "
        "Its request is sent again."
    )
