"""The command line: each command reads its arguments, calls one function, prints what came.

Exit codes: 0 ok, 1 a gate or drift check failed, 2 usage, 3 incomplete, 4 infrastructure.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text
from typer.core import TyperGroup

from faultpair.distributed.backend import Executor, ExecutorName, Scheduler, Workers, open_backend
from faultpair.env.catalog import DEFAULT_DOMAIN, DOMAINS
from faultpair.env.errors import FaultpairError, InfrastructureError, UsageError
from faultpair.env.plans.records import Tier
from faultpair.injector.catalog import faults_of, find_fault
from faultpair.injector.conformance import check_fault
from faultpair.injector.fault import Fault
from faultpair.judges.catalog import find_judge
from faultpair.judges.judge import Judge
from faultpair.runner.panel import panel_of
from faultpair.runner.without_model import verdicts_of
from faultpair.sets.build import build_from as build_set
from faultpair.studies.files import write_lines
from faultpair.studies.folder import open_study
from faultpair.studies.lock import held
from faultpair.studies.runs import read_as_kept, read_runs
from faultpair.version import __version__

from .check_domain import command as check_domain
from .list import LISTS, laid_out, lines
from .models import models_app
from .progress_bar import counting
from .replay import Replay
from .run import run
from .show import find_pair, side_by_side
from .terminal import OutFolder, StudyPath, console, errors, show_tables

__all__ = ["app", "main"]

INCOMPLETE = 3


class _Commands(TyperGroup):
    """The commands, each of which may be interrupted; typer has codes of its own for that."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            errors.print("faultpair: interrupted before the end.", highlight=False)
            raise typer.Exit(INCOMPLETE) from None


app = typer.Typer(
    cls=_Commands,
    help="Tells whether a judge of agent runs can be trusted, by planting known faults.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


Instances = Annotated[Path, typer.Option(help="The instances behind the trajectories.")]
Trajectories = Annotated[Path, typer.Option(help="The runs, as JSON Lines.")]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; a user's mistake ends in one sentence and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # else a letter the terminal lacks ends the command
            stream.reconfigure(errors="replace")
    try:
        given = sys.argv[1:] if arguments is None else list(arguments)
        app(args=given, prog_name="faultpair", obj=tuple(given))
    except FaultpairError as error:
        errors.print(f"faultpair: {error}", markup=False, highlight=False)
        sys.exit(error.exit_code)
    except OSError as error:  # such as a full disk behind the standard output
        errors.print(f"faultpair: {error}", markup=False, highlight=False)
        sys.exit(InfrastructureError.exit_code)


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        console.print(f"faultpair {__version__}")
        raise typer.Exit


@app.command()
def build(
    study: StudyPath,
    out: OutFolder = None,
    executor: ExecutorName = Executor.HERE,
    scheduler: Scheduler = None,
    workers: Workers = None,
) -> None:
    """Build a study's set: clean runs, planted faults, controls, in one fixed order."""
    folder = open_study(study, out)
    panel_of(folder.study)  # its judges are refused before the work, not after
    with (
        open_backend(executor, scheduler, workers) as hands,
        held(folder.out),
        counting("trajectories") as count,
    ):
        report = build_set(hands.source, folder, count)
    console.print(
        f"{report.n_trajectories} trajectories of {report.n_instances} instances "
        f"in {folder.trajectories}",
        soft_wrap=True,
    )


@app.command()
def judge(
    judges: Annotated[list[str], typer.Option("--judge", help="A judge; may be given again.")],
    instances: Instances,
    trajectories: Trajectories,
    out: Annotated[Path, typer.Option(help="Where the verdicts go.")],
) -> None:
    """Ask judges that need no model about every run of a file."""
    n_verdicts = _judge(judges, trajectories, instances, out)
    console.print(f"{n_verdicts} verdicts in {out}", soft_wrap=True)


app.command()(run)
app.add_typer(models_app, name="models")


@app.command()
def report(study: StudyPath, out: OutFolder = None) -> None:
    """Show the main tables of a study that is judged, and say what they mean."""
    from .report import report as report_of

    found = report_of(open_study(study, out))
    show_tables(found.tables)
    for sentence in found.sentences:
        console.print(Text(f"{sentence}\n"), soft_wrap=not console.is_terminal)
    console.print(found.rest, markup=False, highlight=False, soft_wrap=True)


@app.command()
def power(
    study: StudyPath,
    base_rates: Annotated[
        list[float] | None,
        typer.Option(
            "--base-rate",
            help="Share of clean runs a judge is thought to flag, 0.05 if not given; "
            "may be given again.",
        ),
    ] = None,
    half_width: Annotated[
        float, typer.Option(help="The half-width that is wanted of an interval of Δ.")
    ] = 0.05,
    delta: Annotated[
        float, typer.Option(help="The Δ at which half-widths are given; widest near 0.5.")
    ] = 0.5,
) -> None:
    """Say what a study can show, and how many calls it takes, before a judge is asked."""
    from .power import plan

    folder = open_study(study)
    with counting("trajectories") as count:
        tables = plan(
            folder, count, base_rates=base_rates or [0.05], half_width=half_width, delta=delta
        )
    show_tables(tables)


@app.command()
def rebuild(
    results: Annotated[Path, typer.Option(help="The folder that holds the studies.")] = Path(
        "results"
    ),
    study: Annotated[str | None, typer.Option(help="The name of one study; all if none.")] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Compare, do not write; exit with 1 on a difference.")
    ] = False,
    no_figures: Annotated[bool, typer.Option("--no-figures", help="Leave figures alone.")] = False,
) -> None:
    """Rebuild every table, figure and number of the studies from kept records."""
    from faultpair.analysis.rebuild import rebuild as rebuild_all

    if not results.is_dir():  # A check of nothing must not pass for one that found nothing.
        raise UsageError(f"There is no folder {results}. Name yours with --results.")
    code = rebuild_all(results=results, study=study, check=check, figures=not no_figures)
    raise typer.Exit(code)


@app.command()
def replay(instances: Instances, trajectories: Trajectories) -> None:
    """Make kept calls again in a fresh world; exit with 1 if what comes of them differs."""
    done = Replay()
    for kept, instance in read_as_kept(trajectories, instances):
        for difference in done.differences(kept, instance):
            console.print(str(difference), markup=False, soft_wrap=True)
    console.print(str(done), soft_wrap=True)
    if done.n_different:
        raise typer.Exit(1)


@app.command("list")
def list_parts(
    what: Annotated[
        str, typer.Argument(help="faults, domains, scenarios, judges, views, tasks or engines")
    ],
    domain: Annotated[str, typer.Option(help="Whose.")] = DEFAULT_DOMAIN,
) -> None:
    """List what there is of one kind, such as the faults."""
    listing = LISTS[what](domain)
    if console.is_terminal:
        console.print(laid_out(listing))
    else:
        console.print("\n".join(lines(listing)), markup=False, highlight=False, soft_wrap=True)


@app.command()
def show(
    trajectory_id: Annotated[str, typer.Argument(metavar="ID", help="A planted run.")],
    study: Annotated[Path, typer.Option(help="The folder of its set.")] = Path("results/paper"),
) -> None:
    """Print a planted run beside its clean parent, the steps that differ marked."""
    folder = study.parent if study.is_file() else study
    run, parent = find_pair(folder / "trajectories.jsonl", trajectory_id)
    console.print(side_by_side(run, parent))


@app.command("human-sample")
def human_sample(
    study: StudyPath,
    tier: Annotated[Tier | None, typer.Option(help="Whose requests; the hardest if none.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The file to write; human-sample.csv beside the records if none."),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(help="The folder that holds the set; that of the study if none."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write over a file that is there.")
    ] = False,
) -> None:
    """Draw plans for people to read, as a table that they fill in."""
    from .human_sample import sample_of, write_sample

    folder = open_study(study, records)
    file = out or folder.out / "human-sample.csv"
    sample = sample_of(folder, tier)
    write_sample(file, sample, force=force)
    for shortfall in sample.shortfalls:
        errors.print(shortfall, markup=False, highlight=False)
    console.print(
        f"{len(sample.rows)} plans in {file}", markup=False, highlight=False, soft_wrap=True
    )


@app.command("check-fault")
def check(
    name: Annotated[str, typer.Argument(help="A fault type or control.")],
    domain: Annotated[str, typer.Option(help="Its domain.")] = DEFAULT_DOMAIN,
    n: Annotated[int, typer.Option(help="Instances to try it on.", min=1)] = 200,
) -> None:
    """Hold a fault type to its contract; exit with 1 if it breaks a law."""
    report = check_fault(_find_fault(domain, name), n_instances=n)
    console.print(str(report), markup=False, soft_wrap=True)
    if not report.ok:
        raise typer.Exit(1)


app.command("check-domain")(check_domain)


def _find_fault(domain: str, name: str) -> Fault:
    try:
        return find_fault(domain, name)
    except UsageError as error:
        homes = [other for other in DOMAINS if domain in DOMAINS and _has_fault(other, name)]
        if not homes:
            raise
        options = " or ".join(f"--domain {home}" for home in homes)
        raise UsageError(
            f"The domain {domain!r} has no fault {name!r}; it is one of {', '.join(homes)}. "
            f"Give {options}."
        ) from error


def _has_fault(domain: str, name: str) -> bool:
    return any(fault.name == name for fault in faults_of(domain))


def _judge(names: Sequence[str], trajectories: Path, instances: Path, out: Path) -> int:
    with write_lines(out) as verdicts, counting("verdicts") as count:
        for verdict in verdicts_of(
            lambda domain: _find_judges(names, domain), read_runs(trajectories, instances)
        ):
            verdicts.write(verdict)
            count(1)
    return verdicts.n_lines


def _find_judges(names: Sequence[str], domain: str) -> list[Judge]:
    return [find_judge(name, domain) for name in names]
