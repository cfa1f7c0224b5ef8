"""What a user sees while judges are asked."""

import io

import pytest
from rich.progress import Progress

from faultpair.cli.display import progress as module
from faultpair.cli.display.progress import Counts, ProgressDisplay, run_display
from faultpair.cli.display.terminal import Output
from faultpair.env.records import Verdict


def verdict(faulty=None, error=None):
    return Verdict("t", "j", faulty, None, None, None, "", error=error)


def console(*, terminal):
    return Output(file=io.StringIO(), force_terminal=terminal, width=200, color_system=None)


JUDGE = "a [bold] judge"
HOSTILE = "\x1b]0;title\x07 [red] \u202e"
SEEN = [verdict(True), verdict(False), verdict(), verdict(error="down"), None]


def test_each_verdict_is_of_one_kind_and_attempts_that_failed_are_none():
    counts = Counts(total=9)
    for one in SEEN:
        counts.add(one)
    assert (counts.flagged, counts.clean, counts.unscored, counts.errors) == (1, 1, 1, 1)
    assert (counts.done, counts.repeated) == (4, 1)
    assert str(counts) == "1 flagged, 1 clean, 1 unscored, 1 errors, 1 made again"


@pytest.mark.parametrize(
    ("seconds", "done", "pace", "left"),
    [
        (10.0, 50, "5 a second", "0:00:10"),
        (600.0, 50, "5 a minute", "0:10:00"),
        (36_000.0, 50, "0.0833 a minute", "10:00:00"),
        (10.0, 0, "0 a minute", "?"),
    ],
)
def test_pace_and_time_left_are_those_of_the_run_so_far(monkeypatch, seconds, done, pace, left):
    monkeypatch.setattr(module.time, "monotonic", lambda: 100.0 + seconds)
    counts = Counts(total=100, clean=done, started_s=100.0)
    assert (counts.pace(), counts.left()) == (pace, left)


def test_off_a_terminal_there_is_a_plain_line_now_and_then_and_at_the_end(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: clock[0])
    shown = console(terminal=False)
    with run_display(shown) as watch:
        watch.on_built(9)
        watch.on_start(4)
        for seconds, one in zip((5.0, 16.0, 20.0, 21.0), SEEN, strict=False):
            clock[0] = seconds
            watch.on_attempt(JUDGE, one)
    lines = shown.file.getvalue().splitlines()
    assert lines == [
        "a [bold] judge: 2 of 4 requests: 1 flagged, 1 clean, 0 unscored, 0 errors, "
        "7.5 a minute, 0:00:16 left",
        "a [bold] judge: 4 of 4 requests: 1 flagged, 1 clean, 1 unscored, 1 errors, "
        "11.4 a minute, 0:00:00 left",
    ]


def test_on_a_terminal_there_is_one_bar_with_counts_and_total():
    shown = console(terminal=True)
    with run_display(shown) as watch:
        watch.on_built(9)
        watch.on_start(40)
        watch.on_message("[red] is no colour here")
        for one in SEEN:
            watch.on_attempt(JUDGE, one)
    text = shown.file.getvalue()
    assert "a [bold] judge: 1 flagged, 1 clean, 1 unscored, 1 errors, 1 made again" in text
    assert "4/40" in text
    assert "[red] is no colour here" in text


@pytest.mark.parametrize("terminal", [True, False])
def test_a_judge_and_a_message_cannot_send_codes_to_the_terminal(terminal):
    shown = console(terminal=terminal)
    with run_display(shown) as watch:
        watch.on_start(1)
        watch.on_message(HOSTILE)
        watch.on_attempt(HOSTILE, SEEN[0])
    text = shown.file.getvalue()
    assert text.count(r"\x1b]0;title\x07 [red] \u202e") >= 2
    assert not {"\x1b]", "\x07", "\u202e"} & {
        text[n : n + k] for n in range(len(text)) for k in (1, 2)
    }


def test_the_total_starts_anew_when_asking_begins():
    terminal = console(terminal=True)
    with Progress(console=terminal) as bar:
        watch = ProgressDisplay(terminal, bar)
        watch.on_built(500)
        watch.on_start(3)
        (task,) = bar.tasks
        assert (task.completed, task.total) == (0, 3)
