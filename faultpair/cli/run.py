"""`faultpair run`: its options, its messages and its exit codes."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pkgutil import resolve_name
from typing import Annotated, Any

import typer

from faultpair.calls.session import EngineFactory, RunLimits, RunOutcome
from faultpair.distributed.backend import Executor, open_backend
from faultpair.engines.engine import BoundKey, EngineOptions, ProcessOptions
from faultpair.engines.secrets import shown_arguments
from faultpair.env.errors import InfrastructureError, StudyError
from faultpair.runner.run import run_study
from faultpair.studies.folder import StudyFolder, open_study
from faultpair.studies.seals import edited_mark

from .build import ExecutorName, Scheduler, Workers
from .display.dry_run import forecast
from .display.progress import run_display
from .display.terminal import (
    INCOMPLETE,
    AcceptEdits,
    OutFolder,
    StudyPath,
    console,
    say,
    say_world,
)

__all__ = ["command"]

KEYS = "faultpair.runner.keys:keys_of_run"
"""Imported if a key is given: it brings the HTTP client, which most runs need not."""

STOPS = "faultpair.cli.display.stops"
"""Imported for a study with `[stop]`, and likewise NumPy."""

SUMMARY = "faultpair.cli.display.run_summary"
"""Imported after the run: SciPy takes a second to import, and not every run shows the table."""


def command(
    invocation: typer.Context,
    study: StudyPath,
    out: OutFolder = None,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            help="A further judge: an id, or an engine, such as openai:MODEL, ollama:MODEL, "
            "python:MODULE:FUNCTION, a URL; may be given again."
        ),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(help="Ask only this judge now; may be given again.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            help="Requests to settle at most: answers to judges, turns of an agent, and plans "
            "together.",
            min=0,
        ),
    ] = None,
    max_calls: Annotated[
        int | None,
        typer.Option(
            help="Calls to make at most, failed ones and those of agents and planners included.",
            min=0,
        ),
    ] = None,
    parallel: Annotated[
        int | None, typer.Option("-j", help="Requests in flight at most.", min=1)
    ] = None,
    repeat: Annotated[
        int | None, typer.Option(help="Passes of each judge over the set.", min=1)
    ] = None,
    share: Annotated[
        bool, typer.Option("--share/--no-share", help="Send identical requests once.")
    ] = True,
    retry_errors: Annotated[
        bool,
        typer.Option("--retry-errors", help="Also send requests again that ended in an error."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the requests of the run, and send none.")
    ] = False,
    base_url: Annotated[str | None, typer.Option(help="The address of the model server.")] = None,
    key_from: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VARIABLE[@HOST]",
            help="The environment variable that holds the key of a server; @HOST, @HOST:PORT or "
            "@https://HOST:PORT says which one if several are asked. May be given again.",
        ),
    ] = None,
    pass_env: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="An environment variable that python: and cmd: judges get besides the usual ones; "
            "may be given again.",
        ),
    ] = None,
    context: Annotated[
        int | None, typer.Option(help="Tokens of context, prompt and answer together.", min=1)
    ] = None,
    timeout: Annotated[
        float, typer.Option(help="Seconds to wait for an answer.", min=0.1, max=86_400)
    ] = 600.0,
    threads: Annotated[
        int | None, typer.Option(help="Threads of the embedded engine.", min=1)
    ] = None,
    go_on: Annotated[
        bool,
        typer.Option("--go-on", help="Ask judges further whose result is clear under [stop]."),
    ] = False,
    executor: ExecutorName = Executor.HERE,
    scheduler: Scheduler = None,
    workers: Workers = None,
    accept_edits: AcceptEdits = False,
) -> None:
    """Build a study's set, send the requests that have no answer yet, and show the main table."""
    folder = replace(open_study(study, out), accepts_edits=accept_edits)
    extra = tuple(judge or ())
    limits = RunLimits(
        verdicts=limit,
        calls=max_calls,
        only=tuple(only or ()),
        repeats=repeat,
        share=share,
        retry_errors=retry_errors,
        goes_on=go_on,
    )
    options = EngineOptions(
        base_url=base_url,
        bound_keys=_keys(key_from, folder, extra=extra, only=limits.only, base_url=base_url),
        context_tokens=context,
        timeout_s=timeout,
        parallel=parallel,
        threads=threads,
        process=ProcessOptions(env=tuple(pass_env or ())),
    )
    if not (*folder.study.judge_ids, *extra):
        raise StudyError(f'The study {folder.file} names no judges; add judges = ["rules", …].')
    if dry_run:
        _show_forecast(folder, extra, limits)
        return
    again = shlex.join(["faultpair", *shown_arguments(invocation.obj or ())])
    try:
        with open_backend(executor, scheduler, workers) as backend:
            with run_display() as display:
                outcome = run_study(
                    folder,
                    extra=extra,
                    limits=limits,
                    engines=EngineFactory(options, backend.open),
                    source=backend.source,
                    listener=display,
                    stop=_stop_rule(folder),
                )
            is_complete = bool(outcome.n_unmade) or _show_results(folder, outcome)
    except KeyboardInterrupt:
        say(f"Interrupted. Every answer that arrived is kept. To continue:\n  {again}")
        raise typer.Exit(INCOMPLETE) from None
    code = _exit_code(outcome, again) or (0 if is_complete else INCOMPLETE)
    if code:
        raise typer.Exit(code)


def _keys(given: list[str] | None, folder: StudyFolder, **run: Any) -> tuple[BoundKey, ...]:
    """Return which server each key of the command line is for."""
    keys: tuple[BoundKey, ...] = resolve_name(KEYS)(given, folder.study, **run) if given else ()
    return keys


def _show_forecast(folder: StudyFolder, extra: Sequence[str], limits: RunLimits) -> None:
    for line in forecast(folder, extra=extra, limits=limits):
        console.print(line, highlight=False, soft_wrap=True)


def _stop_rule(folder: StudyFolder) -> Any:
    return None if folder.study.stop is None else resolve_name(STOPS).rule_of(folder.study.stop)


def _show_results(folder: StudyFolder, outcome: RunOutcome) -> bool:
    """Show the main table and its completeness.

    Return whether every judge with verdicts has a scored one.
    """
    say_world(folder.study)
    if not folder.verdicts.stat().st_size:
        return True
    summary = resolve_name(SUMMARY)
    summary.show_main_table(folder, edited_mark(outcome.edited))
    judges = summary.completeness_of(folder)
    for line in (line for judge in judges for line in judge.lines()):
        say(line)
    if folder.study.stop is not None:
        for line in resolve_name(STOPS).sentences(folder.study.stop, outcome.ended):
            say(line)
    return not any(judge.is_empty for judge in judges)


def _exit_code(outcome: RunOutcome, again: str) -> int:
    """Return the exit code of a run and print what is left; ``again`` is the command line."""
    retry = again if "--retry-errors" in again.split() else f"{again} --retry-errors"
    if outcome.stopped is not None:
        say(f"Stopped: {outcome.stopped}\nAll answers are kept. To try again:\n  {retry}")
        return InfrastructureError.exit_code
    if outcome.n_unmade:
        reason = "The limit is reached; " if outcome.reached_limit else ""
        say(
            f"{reason}{outcome.n_unmade} parts of the set are open, so no judge was asked. "
            f"To continue:\n  {again}"
        )
        return INCOMPLETE
    if outcome.n_open and outcome.reached_limit:
        say(f"The limit is reached; {outcome.n_open} requests are open.")
    elif outcome.n_open:
        say(f"{outcome.n_open} requests are open. To continue:\n  {again}")
    if outcome.n_failed:
        say(f"{outcome.n_failed} requests ended in an error. To send them again:\n  {retry}")
    is_short = outcome.n_open and not outcome.reached_limit
    return INCOMPLETE if is_short or outcome.n_failed else 0
