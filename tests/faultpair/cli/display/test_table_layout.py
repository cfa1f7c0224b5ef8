"""Tables on a terminal: intervals apart, groups as headings, nothing cut without a sign."""

from rich.console import Console

from faultpair.analysis.stats.estimate import Estimate, count, undefined
from faultpair.analysis.tables.table import Column, Style, Table
from faultpair.cli.display.table_layout import laid_out, widened

DELTA = Estimate(0.5, 0.25, 0.75, 40, "score")
ZERO = Estimate(0.0, None, None, 40, "structural zero")
COLUMNS = (Column("Judge"), Column("Pairs", Style.COUNT), Column("Paired Δ", Style.SIGNED))


def printed(table, width=80, whole=False):
    console = Console(width=width, force_terminal=False, color_system=None)
    with console.capture() as caught:
        if whole:
            console.print(widened(laid_out(table)), soft_wrap=True)
        else:
            console.print(laid_out(table))
    return [line.rstrip() for line in caught.get().splitlines()]


def table_of(*rows, columns=COLUMNS, notes=()):
    return Table("t", "A title", columns, rows, notes)


def test_an_interval_has_a_column_of_its_own():
    lines = printed(table_of(("a", count(40, 40), DELTA), ("b", count(7, 7), None)))
    assert lines == [
        "A title",
        "",
        "                 Paired",
        "Judge     Pairs       Δ     95 % interval",
        "─────────────────────────────────────────",
        "a            40  +0.500  [+0.250, +0.750]",
        "b             7",
        "",
        "",
    ]


def test_a_group_is_a_heading_above_its_rows():
    columns = (Column("Group"), *COLUMNS)
    rows = (("one", "a", count(1, 1), DELTA), ("one", "b", count(1, 1), DELTA),
            ("two", "a", count(1, 1), DELTA))  # fmt: skip
    firsts = [line.split(" ")[0] for line in printed(table_of(*rows, columns=columns))[5:]]
    assert firsts[:6] == ["one", "a", "b", "", "two", "a"]


def test_a_missing_number_is_explained_below_the_table():
    lines = printed(table_of(("a", undefined("it is late"), ZERO), notes=("A note.",)))
    assert lines[5].split() == ["a", "n/a", "blind"]
    assert lines[7:10] == [
        "A note.",
        "blind: no fault of the group reaches what the judge is shown, so its Δ is 0.",
        "n/a: it is late.",
    ]


def test_an_unsteady_judge_that_is_blind_keeps_its_number():
    unsteady = Estimate(0.025, None, None, 40, "structural zero")
    lines = printed(table_of(("a", count(40, 40), unsteady)))
    assert lines[5].split() == ["a", "40", "+0.025"]
    assert not any(line.startswith("blind") for line in lines)


def test_a_table_without_rows_says_so():
    assert "There is nothing to show." in printed(table_of())


def test_where_it_is_narrow_names_fold_and_a_number_that_is_cut_shows_it():
    name = "a-judge-with-a-very-long-name"
    lines = printed(table_of((name, count(123_456, 1), DELTA)), width=48)
    assert "".join(line[:14].strip() for line in lines[5:]) == name
    assert "123456  +0.500" in lines[5]
    narrow = printed(table_of((name, count(123_456, 1), DELTA)), width=20)
    assert not any("123" in line and "…" not in line for line in narrow)


def test_a_pipe_gets_every_row_on_one_line():
    name = "a-judge-with-a-very-long-name" * 4
    assert any(
        line.split()[:3] == [name, "40", "+0.500"]
        for line in printed(table_of((name, count(40, 40), DELTA)), width=40, whole=True)
    )


def test_a_name_is_not_read_as_markup():
    assert any(line.startswith("[red]a") for line in printed(table_of(("[red]a", None, DELTA))))
