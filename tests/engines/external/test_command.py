"""Programs that judge, and programs that do not: real processes, each a few lines of Python."""

import json
import os
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from time import monotonic, sleep

import pytest

from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import EngineOptions, Identity
from faultpair.engines.external.document import digest_of
from faultpair.env.errors import EngineError, UsageError

LOOP = "import json, os, sys, time\nfor line in sys.stdin:\n    exhibit = json.loads(line)\n    "
ECHO = (
    LOOP
    + "print(json.dumps({'faulty': True, 'goal': exhibit['goal'], 'pid': os.getpid()}), flush=True)"
)


@pytest.fixture
def program(tmp_path):
    """Return a function that opens a program, given its code, as an engine."""
    engines = []

    def open_one(code, *, timeout_s=20.0, parallel=None):
        file = tmp_path / "judge of mine.py"
        file.write_text(code)
        name = f"cmd:{shlex.join([sys.executable, '-u', str(file)])}"
        engines.append(open_engine(name, EngineOptions(timeout_s=timeout_s, parallel=parallel)))
        return engines[-1]

    yield open_one
    for engine in engines:
        engine.close()


def answer(engine, ask, goal="a"):
    return json.loads(engine.complete(ask(json.dumps({"goal": goal}))).text)


def failure(engine, ask):
    with pytest.raises(EngineError) as caught:
        answer(engine, ask)
    return caught.value


def wait_until(condition):
    deadline = monotonic() + 20
    while not condition():
        assert monotonic() < deadline
        sleep(0.005)


def exists(pid):
    """Return whether there is a process of this id, an ended one that waits for us included."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_one_process_answers_line_by_line(program, ask):
    engine = program(ECHO)
    first, second = answer(engine, ask, "a\nb"), answer(engine, ask, "ü")
    assert (first["goal"], second["goal"]) == ("a\nb", "ü")
    assert first["pid"] == second["pid"]


def test_an_exhibit_larger_than_a_pipe_goes_through(program, ask):
    assert answer(program(ECHO), ask, "x" * 1_000_000)["goal"] == "x" * 1_000_000


def test_calls_at_once_each_have_a_process_and_their_own_answer(program, ask):
    engine = program(ECHO, parallel=3)
    assert engine.max_parallel == 3
    with ThreadPoolExecutor(3) as threads:
        answers = list(threads.map(lambda n: answer(engine, ask, str(n)), range(30)))
    assert [found["goal"] for found in answers] == [str(n) for n in range(30)]
    assert len({found["pid"] for found in answers}) <= 3


def test_a_program_that_died_between_two_exhibits_is_started_again(program, ask):
    engine = program(ECHO + "\n    sys.stdout.close(); os._exit(0)")
    first = answer(engine, ask)
    wait_until(lambda: not engine._pool._idle[0].is_alive())
    assert answer(engine, ask)["pid"] != first["pid"]


def test_the_end_of_a_program_is_transient_and_its_last_lines_are_quoted(program, ask):
    error = failure(program(LOOP + "sys.exit('no licence')"), ask)
    assert error.transient
    assert "ended with code 1 without an answer" in str(error)
    assert "Its last lines: no licence" in str(error)


def test_a_program_that_hangs_is_killed_in_time(program, ask):
    engine = program(LOOP + "print('thinking', file=sys.stderr); time.sleep(60)", timeout_s=0.7)
    started = monotonic()
    error = failure(engine, ask)
    assert monotonic() - started < 10
    assert (error.transient, error.is_overload) == (True, True)
    assert "within 0.7 s and was killed" in str(error)


def test_a_program_that_reads_nothing_is_killed_in_time(program, ask):
    engine = program("import time\ntime.sleep(60)", timeout_s=0.3)
    with pytest.raises(EngineError, match="was killed"):
        answer(engine, ask, "x" * 1_000_000)


def test_child_processes_of_a_program_are_killed_with_it(program, ask):
    code = "import subprocess\nsubprocess.run(['sleep', '60'])"
    started = monotonic()
    assert "was killed" in str(failure(program(code, timeout_s=0.3), ask))
    assert monotonic() - started < 10


def test_a_line_of_10_mb_is_a_final_error(program, ask):
    error = failure(program(LOOP + "print('x' * 10_000_000, flush=True)"), ask)
    assert not error.transient
    assert "more than 8 MB" in str(error)


def test_closing_ends_the_processes_and_twice_does_no_harm(program, ask):
    engine = program(ECHO)
    pid = answer(engine, ask)["pid"]
    engine.close()
    engine.close()
    assert not exists(pid)


def test_a_program_that_ignores_the_end_of_its_input_is_killed(program, ask):
    engine = program(ECHO + "\ntime.sleep(60)")
    pid = answer(engine, ask)["pid"]
    engine.close()
    assert not exists(pid)


def test_identity_holds_the_digest_of_the_file_that_an_interpreter_runs(program, tmp_path):
    identity = program(ECHO).identify()
    assert identity.engine == "cmd"
    assert identity.model_digest == digest_of(tmp_path / "judge of mine.py")


def test_a_command_without_a_file_has_no_digest():
    engine = open_engine("cmd:true --quickly")
    assert engine.identify() == Identity("cmd", model="true --quickly")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("no-such-program -x", "there is no executable 'no-such-program'"),
        ("python 'judge.py", "cannot be split into words: No closing quotation"),
        ("''", "there is no executable ''"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused(command, reason):
    with pytest.raises(UsageError, match=reason):
        open_engine(f"cmd:{command}")


def test_a_file_that_no_system_can_run_is_named(tmp_path, ask):
    file = tmp_path / "judge"
    file.write_bytes(b"\x00\x01")
    file.chmod(0o755)
    with closing(open_engine(f"cmd:{file}")) as engine:
        assert "cannot be started" in str(failure(engine, ask))
