"""`faultpair run`: its options, what it says while it asks, and how it ends."""

from __future__ import annotations

import os
import shlex
from typing import Annotated, NamedTuple

import typer

from faultpair.calls.session import EngineFactory, RunLimits, RunOutcome
from faultpair.distributed.backend import (
    Backend,
    Executor,
    ExecutorName,
    Scheduler,
    Workers,
    open_backend,
)
from faultpair.engines.options import EngineOptions
from faultpair.env.errors import InfrastructureError, StudyError, UsageError
from faultpair.runner.panel import panel_of
from faultpair.runner.run import run_study
from faultpair.studies.folder import StudyFolder, open_study

from .completeness import Completeness, completeness_of
from .dry_run import forecast
from .progress import watching
from .terminal import OutFolder, StudyPath, console, errors, show_tables

__all__ = ["run"]

INCOMPLETE = 3


def run(
    invocation: typer.Context,
    study: StudyPath,
    out: OutFolder = None,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            help="A judge besides those of the study: an id, or whom to ask, such as "
            "openai:MODEL, ollama:MODEL, python:MODULE:FUNCTION, a URL; may be given again."
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
        int | None, typer.Option(help="Times that each judge goes over the set.", min=1)
    ] = None,
    share: Annotated[
        bool, typer.Option("--share/--no-share", help="Ask identical requests once.")
    ] = True,
    retry_errors: Annotated[
        bool, typer.Option("--retry-errors", help="Ask those again that ended in an error.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be asked, and ask nobody.")
    ] = False,
    base_url: Annotated[str | None, typer.Option(help="Where the model server is.")] = None,
    key_from: Annotated[
        str | None,
        typer.Option(
            metavar="VARIABLE",
            help="The environment variable that holds the key; OPENAI_API_KEY for openai:.",
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
    executor: ExecutorName = Executor.HERE,
    scheduler: Scheduler = None,
    workers: Workers = None,
) -> None:
    """Build a study's set, ask its judges what is not yet answered, and show the main table."""
    limits = RunLimits(
        verdicts=limit,
        calls=max_calls,
        only=tuple(only or ()),
        repeats=repeat,
        share=share,
        retry_errors=retry_errors,
    )
    options = EngineOptions(
        base_url=base_url,
        api_key=_key_in(key_from),
        context_tokens=context,
        timeout_s=timeout,
        parallel=parallel,
        threads=threads,
    )
    folder = open_study(study, out)
    extra = tuple(judge or ())
    if not panel_of(folder.study, extra).ids:
        raise StudyError(f'The study {folder.file} names no judges; add judges = ["rules", …].')
    if dry_run:
        for line in forecast(folder, extra=extra, limits=limits):
            console.print(line, markup=False, highlight=False, soft_wrap=True)
        return
    job = _Job(folder, extra, limits, options, Given(invocation.obj or ()))
    try:
        with open_backend(executor, scheduler, workers) as hands:
            code = _run(job, hands)
    except KeyboardInterrupt:
        _say(f"Interrupted. Every answer that came is kept. To go on:\n  {job.given.with_()}")
        code = INCOMPLETE
    if code:
        raise typer.Exit(code)


def _key_in(variable: str | None) -> str | None:
    """Return the key that a variable holds: a key on the command line would be seen and kept."""
    if variable is None:
        return None
    key = os.environ.get(variable)
    if not key:
        raise UsageError(
            f"--key-from names {variable}, and the environment holds no such variable."
        )
    return key


class Given(tuple[str, ...]):
    """The words of the command as it was given, without its name."""

    __slots__ = ()

    def with_(self, *options: str) -> str:
        """Return the command again with some options, as it can be pasted into a shell."""
        new = (option for option in options if option not in self)
        return shlex.join(["faultpair", *self, *new])


class _Job(NamedTuple):
    """What is to be run, as it was asked for."""

    folder: StudyFolder
    extra: tuple[str, ...]
    limits: RunLimits
    options: EngineOptions
    given: Given


def _run(job: _Job, hands: Backend) -> int:
    """Run a study and return the exit code."""
    from .report import main_table  # SciPy takes a second to import; few commands want it

    folder, means = job.folder, EngineFactory(job.options, hands.open)
    with watching() as watch:
        outcome = run_study(
            folder,
            extra=job.extra,
            limits=job.limits,
            means=means,
            source=hands.source,
            watch=watch,
        )
    losses: tuple[Completeness, ...] = ()
    if not outcome.n_unmade and folder.verdicts.stat().st_size:
        show_tables([main_table(folder)])
        losses = completeness_of(folder)
    for line in (line for loss in losses for line in loss.lines()):
        _say(line)
    code = _verdict_on(outcome, job.given)
    return code or (INCOMPLETE if any(loss.says_nothing for loss in losses) else 0)


def _verdict_on(outcome: RunOutcome, given: Given) -> int:
    again = given.with_("--retry-errors")
    if outcome.stopped is not None:
        _say(f"Stopped: {outcome.stopped}\nAll else is kept. To try again:\n  {again}")
        return InfrastructureError.exit_code
    if outcome.n_unmade:
        reason = "The limit is reached; " if outcome.reached_limit else ""
        _say(
            f"{reason}{outcome.n_unmade} parts of the set are open, so no judge was asked. "
            f"To go on:\n  {given.with_()}"
        )
        return INCOMPLETE
    if outcome.n_open and outcome.reached_limit:
        _say(f"The limit is reached; {outcome.n_open} requests are open.")
    elif outcome.n_open:
        _say(f"{outcome.n_open} requests are open. To go on:\n  {given.with_()}")
    if outcome.n_failed:
        _say(f"{outcome.n_failed} verdicts ended in an error. To ask again:\n  {again}")
    is_short = outcome.n_open and not outcome.reached_limit
    return INCOMPLETE if is_short or outcome.n_failed else 0


def _say(text: str) -> None:
    errors.print(text, markup=False, highlight=False)
