"""`faultpair list`: the names that a study or a command can use, of one kind.

On a terminal an entry is a name with a description below it; elsewhere it is one
line, in columns, so that other programs can search and cut it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, islice
from typing import Annotated, Any

import typer
from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from faultpair.engines.catalog import PROVIDERS
from faultpair.env.catalog import DEFAULT_DOMAIN, DOMAINS
from faultpair.env.plugins import documentation
from faultpair.env.registry import Registry
from faultpair.injector.catalog import faults_of
from faultpair.judges.catalog import judges_of
from faultpair.judges.task import TASKS
from faultpair.judges.view import VIEWS

from .display.terminal import console, styled

__all__ = ["LISTS", "Listing", "command", "laid_out", "lines"]


def command(
    what: Annotated[
        str, typer.Argument(help="faults, domains, scenarios, judges, views, tasks or engines")
    ],
    domain: Annotated[str, typer.Option(help="Their domain.")] = DEFAULT_DOMAIN,
) -> None:
    """List faults, domains, scenarios, judges, views, tasks or engines."""
    listing = LISTS[what](domain)
    if console.is_terminal:
        console.print(laid_out(listing))
    else:
        console.print("\n".join(lines(listing)), highlight=False, soft_wrap=True)


@dataclass(frozen=True, slots=True)
class Listing:
    """Rows of cells: the first is a name, the last its description."""

    title: str
    rows: tuple[tuple[str, ...], ...]


def laid_out(listing: Listing) -> Group:
    """Lay a listing out for a terminal of any width."""
    return Group(styled(f"{listing.title}\n", "italic"), *map(_entry, listing.rows))


def lines(listing: Listing) -> Iterator[str]:
    """Yield one line an entry, the cells in columns."""
    widths = [max(map(len, column)) for column in zip(*listing.rows, strict=True)]
    for row in listing.rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def _entry(row: tuple[str, ...]) -> Group:
    name, *details, description = row
    head = Text.assemble(styled(name, "bold"), *(styled(f"  {cell}", "dim") for cell in details))
    return Group(head, Padding(styled(description), (0, 0, 0, 4)))


def _faults(domain: str) -> Listing:
    rows = (
        (
            fault.name,
            "control" if fault.is_control else "fault",
            ", ".join(fault.scenarios) or "all",
            _first_line(fault),
        )
        for fault in faults_of(domain)
    )
    return Listing(f"Faults of {domain}", tuple(rows))


def _domains(_: str) -> Listing:
    rows = (
        (
            domain.name,
            f"{len(domain.tools)} tools",
            ", ".join(domain.scenarios),
            _first_line(domain),
        )
        for domain in DOMAINS.values()
    )
    return Listing("Domains", tuple(rows))


def _judges(domain: str) -> Listing:
    rows = (
        (judge.judge_id, judge.view, judge.task, judge.summary)
        for judge in judges_of(DOMAINS[domain].name).values()
    )
    return Listing(f"Judges of {domain}", tuple(rows))


def _views(_: str) -> Listing:
    rows = ((view.name, ", ".join(view.parts).replace("_", " ")) for view in VIEWS.values())
    return Listing("Views", tuple(rows))


def _tasks(_: str) -> Listing:
    rows = ((task.name, task.form.value, task.summary) for task in TASKS.values())
    return Listing("Tasks", tuple(rows))


def _engines(_: str) -> Listing:
    rows = ((provider.name, provider.example, provider.summary) for provider in PROVIDERS.values())
    return Listing("Engines", tuple(rows))


def _scenarios(domain: str) -> Listing:
    rows = (
        (name, f"in world 1 instances {', '.join(map(str, _first_of(domain, name)))} and so on")
        for name in DOMAINS[domain].scenarios
    )
    return Listing(f"Scenarios of {domain}", tuple(rows))


def _first_of(domain: str, scenario: str) -> Iterator[int]:
    """Return the indices of the first three instances of a scenario."""
    of_scenario = (index for index in count() if DOMAINS[domain].scenario(index) == scenario)
    return islice(of_scenario, 3)


def _first_line(part: Any) -> str:
    return documentation(part).partition("\n")[0].replace("``", "")


LISTS: Registry[Callable[[str], Listing]] = Registry("list")
"""Functions that take the name of a domain."""

for _list in (_faults, _domains, _judges, _views, _tasks, _engines, _scenarios):
    LISTS.add(_list.__name__.removeprefix("_"), _list)
