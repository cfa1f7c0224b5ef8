"""`faultpair list`: readable in 80 columns, and one line an entry when piped."""

import pytest
from rich.console import Console

from faultpair.cli.list import LISTS, laid_out
from faultpair.engines.catalog import PROVIDERS
from faultpair.env.catalog import DOMAINS
from faultpair.injector.catalog import faults_of
from faultpair.judges.catalog import judges_of
from faultpair.judges.task import TASKS
from faultpair.judges.view import VIEWS

NAMES = {
    "faults": [fault.name for fault in faults_of("support_desk")],
    "domains": list(DOMAINS),
    "judges": list(judges_of("support_desk")),
    "views": list(VIEWS),
    "tasks": list(TASKS),
    "engines": list(PROVIDERS),
    "scenarios": list(DOMAINS["support_desk"].scenarios),
}


@pytest.mark.parametrize("what", LISTS)
def test_piped_it_is_one_line_an_entry_that_begins_with_the_name(faultpair, what):
    done = faultpair("list", what)
    assert done.code == 0
    lines = done.out.splitlines()
    assert [line.split()[0] for line in lines] == NAMES[what]
    assert all(line == line.rstrip() for line in lines)
    assert len({line.count("\x1b") for line in lines}) == 1


def test_piped_the_cells_stand_under_one_another(faultpair):
    lines = faultpair("list", "faults").out.splitlines()
    kinds = [
        line.index("control  ") if "control  " in line else line.index("fault  ") for line in lines
    ]
    assert len(set(kinds)) == 1


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("what", LISTS)
def test_on_a_terminal_no_name_is_cut_at_any_width(what, width):
    console = Console(width=width, force_terminal=True, color_system=None)
    with console.capture() as captured:
        console.print(laid_out(LISTS[what]("support_desk")))
    told = captured.get()
    assert all(len(line) <= width for line in told.splitlines())
    assert all(name in told.split() for name in NAMES[what])
    assert "…" not in told


def test_controls_are_distinguished_from_faults(faultpair):
    lines = faultpair("list", "faults").out.splitlines()
    controls = {line.split()[0] for line in lines if line.split()[1] == "control"}
    assert controls == {fault.name for fault in faults_of("support_desk") if fault.is_control}


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("what", ["faults", "domains", "judges", "views", "tasks", "engines"])
def test_no_two_entries_say_the_same_of_themselves(what, domain):
    said = [row[-1] for row in LISTS[what](domain).rows]
    assert all(said)
    assert len(set(said)) == len(said)


def test_another_domain_can_be_listed(faultpair):
    assert faultpair("list", "faults", "--domain", "toy").out.startswith("coat_kept")
    assert faultpair("list", "scenarios", "--domain", "toy").out.split()[0] == "found"


@pytest.mark.parametrize("what", ["faults", "judges", "scenarios"])
def test_an_unknown_domain_is_refused(faultpair, what):
    done = faultpair("list", what, "--domain", "moon")
    assert done.code == 2
    assert done.err.strip() == (
        "faultpair: No domain is named 'moon'. Known domains: toy, support_desk, workflow."
    )


def test_an_unknown_list_is_refused_with_the_known_ones(faultpair):
    done = faultpair("list", "moons")
    assert done.code == 2
    assert "Known lists: faults, domains, judges, views, tasks, engines, scenarios." in done.err
