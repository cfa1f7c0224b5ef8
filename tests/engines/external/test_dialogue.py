"""Which line is the answer to which question: programs that print more than they are asked for."""

import json
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep

import pytest

from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import EngineOptions, ProcessOptions
from faultpair.engines.external import dialogue as dialogues
from faultpair.engines.external import process as processes
from faultpair.engines.external.dialogue import Dialogue, LogLines
from faultpair.engines.external.process import LineProcess
from faultpair.engines.external.surroundings import surroundings_of
from faultpair.env.errors import EngineError

SERVE = """\
import json, os, sys, time
say = lambda line: print(line if isinstance(line, str) else json.dumps(line), flush=True)
for line in sys.stdin:
    q = json.loads(line)
    n, goal = q["n"], q["goal"]
    answer = {"faulty": True, "goal": goal}
    echo = answer | {"n": n}
"""
LATE_S = 0.3


@pytest.fixture
def program(tmp_path):
    """Return a function that opens a program, given what it does with each question."""
    engines = []

    def open_one(*lines, timeout_s=20.0, **options):
        file = tmp_path / "judge.py"
        file.write_text(SERVE + "".join(f"    {line}\n" for line in lines))
        name = f"cmd:{shlex.join([sys.executable, str(file)])}"
        engines.append(open_engine(name, EngineOptions(timeout_s=timeout_s, **options)))
        return engines[-1]

    yield open_one
    for engine in engines:
        engine.close()


@pytest.fixture
def impatient(monkeypatch):
    """Let no process have time beyond that of its slowest answer."""
    monkeypatch.setattr(dialogues, "GRACE_S", 0.0)
    monkeypatch.setattr(processes, "_GRACE_S", 0.2)


def reply(engine, ask, goal="a"):
    return engine.complete(ask(json.dumps({"goal": goal})))


def answers(engine, ask, goals="abc"):
    return [json.loads(reply(engine, ask, goal).text)["goal"] for goal in goals]


def failure(engine, ask, goal="a"):
    with pytest.raises(EngineError) as caught:
        reply(engine, ask, goal)
    return caught.value


def surplus(engine):
    """Return the processes with an answer too many, once all have ended."""
    engine.close()
    return [found.process for found in engine.take_surplus()]


def wait_until(condition):
    deadline = monotonic() + 20
    while not condition():
        assert monotonic() < deadline
        sleep(0.005)


def test_each_question_has_the_next_number_and_else_what_the_request_holds(program, ask):
    engine = program('say({"faulty": True, "saw": q})')
    saw = [json.loads(reply(engine, ask, goal).text)["saw"] for goal in "ab"]
    assert saw == [{"n": 1, "goal": "a"}, {"n": 2, "goal": "b"}]


@pytest.mark.parametrize(
    "line",
    [
        '"loading"',
        '{"event": "loaded", "faulty": False}',
        '{"event": "loaded", "faulty": False, "n": n + 10}',
        "answer",
        '[{"faulty": True}]',
        r'"\u00e4" * 10_000',
        '"null"',
        '"DEBUG answer={\\"faulty\\": true}"',
        'answer | {"n": str(n)}',
    ],
)
def test_a_program_that_repeats_n_may_print_any_other_line(program, ask, line):
    engine = program("say(echo) if n == 1 else (say(%s), say(echo), say(%s))" % (line, line))  # noqa: UP031
    assert answers(engine, ask) == ["a", "b", "c"]
    assert surplus(engine) == []
    (message,) = engine.take_messages()
    assert "printed 4 lines that are no answers" in message


def test_n_is_taken_out_of_an_answer_that_repeats_it_and_the_answer_names_no_process(program, ask):
    found = reply(program("say(echo)"), ask)
    assert (json.loads(found.text), found.process) == ({"faulty": True, "goal": "a"}, None)


def test_n_may_come_back_as_a_float(program, ask):
    assert reply(program('say(answer | {"n": float(n)})'), ask).process is None


@pytest.mark.parametrize("number", ["str(n)", "True", "None", "n - 1", "n + 1", "n + 0.5", "[n]"])
def test_another_n_in_the_first_answer_is_a_final_error_that_quotes_it(program, ask, number):
    error = failure(program(f'say(answer | {{"n": {number}}})'), ask)
    assert not error.transient
    assert 'answered question 1 with another "n": ' in str(error)


def test_an_answer_without_faulty_is_one_if_it_repeats_n(program, ask):
    engine = program('say({"n": n, "goal": goal})')
    assert answers(engine, ask) == ["a", "b", "c"]
    assert surplus(engine) == []


def test_of_two_answers_to_one_question_the_first_counts(program, ask):
    engine = program("say(echo)", 'say(echo | {"goal": "second"})')
    assert answers(engine, ask) == ["a", "b", "c"]
    assert surplus(engine) == []


def test_answers_without_n_name_their_process_and_other_objects_are_log_lines(program, ask):
    engine = program('say({"event": "loaded"})', "say([answer])", "say(answer)", first_process=7)
    assert [reply(engine, ask).process for _ in "abc"] == [7, 7, 7]
    assert surplus(engine) == []
    (message,) = engine.take_messages()
    assert '6 lines that are no answers, first: \'{"event": "loaded"}\'' in message


def test_blank_lines_are_skipped_in_silence(program, ask):
    engine = program('say("")', "say(answer)", 'say("  ")')
    assert answers(engine, ask) == ["a", "b", "c"]
    assert surplus(engine) == []
    assert engine.take_messages() == []


def test_the_first_log_line_is_told_at_once_and_their_number_at_the_end(program, ask):
    engine = program('say("loading")', "say(answer)")
    answers(engine, ask)
    first = engine.take_messages()
    assert answers(engine, ask) == ["a", "b", "c"]
    assert (len(first), engine.take_messages()) == (1, [])
    engine.close()
    engine.close()
    assert len(engine.take_messages()) == 1


def test_an_answer_too_many_after_the_last_question_is_found_at_the_end(program, ask):
    engine = program("if n == 1: say({'faulty': False, 'goal': 'noise'})", "say(answer)")
    assert answers(engine, ask, "a") == ["noise"]
    assert surplus(engine) == [1]


def test_an_answer_too_many_that_waits_at_the_next_question_is_a_transient_error(program, ask):
    engine = program('if goal == "a": say(answer)', "say(answer)")
    reply(engine, ask)
    wait_until(lambda: not engine._pool._idle[0].process._lines.empty())
    error = failure(engine, ask, "b")
    assert error.transient
    assert '{"faulty": true, "goal": "a"}' in str(error)
    assert reply(engine, ask, "b").process == 2
    assert surplus(engine) == [1]


def test_a_slow_judge_that_is_one_answer_ahead_is_waited_for_at_the_end(program, ask, impatient):
    slow = f"time.sleep({LATE_S})"
    engine = program("if n == 1: say({'faulty': False, 'goal': 'noise'})", slow, "say(answer)")
    assert answers(engine, ask) == ["noise", "a", "b"]
    assert surplus(engine) == [1]


def test_an_answer_too_many_before_the_process_died_is_found(program, ask):
    engine = program("say(answer)", "say(answer)", "os._exit(0)")
    reply(engine, ask)
    wait_until(lambda: not engine._pool._idle[0].is_alive())
    assert reply(engine, ask, "b").process == 2
    assert surplus(engine) == [1, 2]


def test_an_answer_that_comes_too_late_is_none_too_many(program, ask, tmp_path):
    engine = program(
        'if n == 2: print(json.dumps(answer), end="", flush=True); time.sleep(60)',
        "say(answer)",
        timeout_s=1.0,
    )
    reply(engine, ask)
    assert "was killed" in str(failure(engine, ask))
    assert surplus(engine) == []


def test_an_answer_to_an_earlier_question_puts_all_before_it_in_doubt(program, ask):
    engine = program("say({'faulty': False, 'goal': 'noise'} if n == 1 else echo | {'n': n - 1})")
    reply(engine, ask)
    assert "one answer more than it was asked" in str(failure(engine, ask))
    assert surplus(engine) == [1]


def test_a_program_that_once_repeated_n_is_known_to_in_its_next_process(program, ask):
    engine = program("if n == 1: say({'faulty': False, 'goal': 'noise'})", "say(echo)")
    reply(engine, ask)
    failure(engine, ask, "b")
    assert answers(engine, ask, "bc") == ["b", "c"]
    assert surplus(engine) == [1]


def test_a_program_that_repeats_n_from_its_second_answer_on_has_none_too_many(program, ask):
    engine = program("say(answer if n == 1 else echo)", "say(answer) if n > 1 else None")
    assert [reply(engine, ask).process for _ in "abc"] == [1, None, None]
    assert surplus(engine) == []


@pytest.mark.parametrize(
    "broken", ['{"faulty": true, "confidence": NaN}', "{'faulty': True}", '{"faulty": tr']
)
def test_an_answer_that_is_no_json_is_a_final_error(program, ask, broken):
    error = failure(program(f"say({broken!r})"), ask)
    assert not error.transient
    assert "expected one line with a JSON object" in str(error)


def test_processes_at_once_have_numbers_of_their_own(program, ask):
    engine = program("say(answer)", parallel=3, first_process=5)
    with ThreadPoolExecutor(3) as threads:
        found = list(threads.map(lambda _: reply(engine, ask).process, range(12)))
    assert set(found) <= {5, 6, 7}
    assert surplus(engine) == []


def test_what_was_printed_before_the_first_question_answers_none():
    code = "import sys\nprint('{\"faulty\": false}', flush=True)\n"
    code += "for line in sys.stdin: print('{\"faulty\": true}', flush=True)"
    log_lines = LogLines()
    given = surroundings_of(ProcessOptions())
    process = LineProcess([sys.executable, "-c", code], given, name="j", timeout_s=20)
    judge = Dialogue(process, "j", 1, log_lines)
    wait_until(lambda: not process._lines.empty())
    assert judge.ask(b"{}").fields == {"faulty": True}
    judge.end()
    assert (judge.surplus, log_lines.n) == (None, 1)
