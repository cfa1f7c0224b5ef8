import json
import re
import sys
from contextlib import closing

import pytest

from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import EngineOptions, Identity
from faultpair.engines.external.document import digest_of
from faultpair.engines.external.function import FunctionEngine
from faultpair.env.errors import EngineError, PluginError, UsageError

JUDGE = '''
"""A judge of a user."""
from faultpair.env.errors import EngineError

NUMBER = 7

def judge(exhibit):
    exhibit["seen"] = True
    return {"faulty": len(exhibit["steps"]) > 1, "failure_step": None}

def fails(exhibit):
    return {"faulty": exhibit["no such key"]}

def leaves(exhibit):
    raise SystemExit("enough")

def overloaded(exhibit):
    raise EngineError("later", transient=True, retry_after_s=3)

def says_yes(exhibit):
    return "yes"

async def waits(exhibit):
    return {}
'''


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Stand in a folder of one's own that holds a judge."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_judge.py").write_text(JUDGE)
    return tmp_path


def asked(name, ask, document='{"steps": [1, 2]}', **options):
    with closing(open_engine(f"python:{name}", EngineOptions(**options))) as engine:
        return engine.complete(ask(document))


def answer(name, ask, **options):
    return json.loads(asked(name, ask, **options).text)


def test_a_function_in_the_current_folder_judges(here, ask):
    reply = asked("own_judge:judge", ask)
    assert json.loads(reply.text) == {"faulty": True, "failure_step": None}
    assert reply.latency_s > 0


def test_a_function_cannot_change_the_exhibit_of_others(here, ask):
    request = ask('{"steps": []}')
    with closing(open_engine("python:own_judge:judge")) as engine:
        assert engine.complete(request).text == engine.complete(request).text
    assert request.messages[-1].content == '{"steps": []}'


def test_the_current_folder_is_looked_at_last(here, ask):
    (here / "colorsys.py").write_text("def rgb_to_hsv(exhibit): return {'faulty': True}")
    with pytest.raises(EngineError, match="raised TypeError: rgb_to_hsv"):
        asked("colorsys:rgb_to_hsv", ask)


def test_a_module_of_the_current_folder_that_an_installed_one_needs_is_found(
    here, ask, tmp_path_factory, monkeypatch
):
    installed = tmp_path_factory.mktemp("installed")
    (installed / "installed_judge.py").write_text("from own_judge import judge")
    monkeypatch.setenv("PYTHONPATH", str(installed))
    assert answer("installed_judge:judge", ask)["faulty"]


def identity_of(name):
    with closing(open_engine(name)) as engine:
        return engine.identify()


def test_identity_holds_the_digest_of_the_module(here):
    identity = identity_of("python:own_judge:judge")
    assert (identity.engine, identity.model) == ("python", "own_judge:judge")
    assert identity.model_digest == digest_of(here / "own_judge.py")


def test_a_module_without_a_file_has_no_digest():
    assert identity_of("python:sys:intern").model_digest is None


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("fails", r"raised KeyError: 'no such key' \(line 12\)"),
        ("leaves", "raised SystemExit: enough"),
        ("says_yes", "answered with a str; expected a dict"),
    ],
)
def test_a_function_that_fails_is_a_final_error_that_names_it(here, ask, name, reason):
    with pytest.raises(EngineError, match=f"python:own_judge:{name} {reason}") as caught:
        asked(f"own_judge:{name}", ask)
    assert not caught.value.transient


def test_a_function_may_raise_a_transient_error(here, ask):
    with pytest.raises(EngineError) as caught:
        asked("own_judge:overloaded", ask)
    assert (caught.value.transient, caught.value.retry_after_s) == (True, 3)


@pytest.mark.parametrize(
    ("target", "error", "reason"),
    [
        ("no_such_judge:f", UsageError, "no Python module 'no_such_judge'"),
        ("own_judge.part:f", UsageError, "no Python module 'own_judge.part'"),
        ("own_judge", UsageError, "names no function"),
        ("own_judge:", UsageError, "names no function"),
        ("own_judge:juge", UsageError, "has no 'juge'. Functions in it: fails, judge, leaves"),
        ("own_judge:NUMBER", PluginError, "is of type int; expected a plain function"),
        ("own_judge:waits", PluginError, "is an async function; expected a plain function"),
    ],
)
def test_a_target_that_names_no_function_is_refused(here, target, error, reason):
    with pytest.raises(error, match=reason):
        open_engine(f"python:{target}")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import no_such_library", "ModuleNotFoundError: No module named 'no_such_library'"),
        ("def judge(:", "SyntaxError"),
        ("raise SystemExit(3)", "SystemExit: 3"),
    ],
)
def test_a_module_that_cannot_be_imported_is_named_with_the_reason(here, code, reason):
    (here / "broken_judge.py").write_text(code)
    with pytest.raises(PluginError, match=f"'broken_judge' cannot be imported: {reason}"):
        open_engine("python:broken_judge:judge")


def test_a_function_that_is_passed_as_an_object_runs_in_this_process_and_its_identity_says_so(ask):
    seen = []

    def judge(exhibit):
        seen.append(exhibit)
        return {"faulty": False}

    engine = FunctionEngine(judge)
    assert json.loads(engine.complete(ask('{"steps": []}')).text) == {"faulty": False}
    assert seen == [{"steps": []}]
    assert engine.identify() == Identity(
        "python-in-process", model=f"{__name__}:{judge.__qualname__}"
    )


def test_a_function_in_this_process_that_ends_it_is_an_error(ask):
    def judge(exhibit):
        raise SystemExit(0)

    with pytest.raises(EngineError, match=r"raised SystemExit: 0 \(line"):
        FunctionEngine(judge).complete(ask("{}"))


WAYWARD = """
import os, sys, threading, time

def closes(exhibit):
    sys.stdout.close(); sys.stdin.close()
    return {"faulty": True}

def prints(exhibit):
    print("thinking"); os.write(1, b'{"answer": {}}\\n')
    return {"faulty": True, "read": sys.stdin.read()}

def exits(exhibit):
    os._exit(0)

def closes_all(exhibit):
    os.closerange(3, 100)
    return {"faulty": True}

def moves(exhibit):
    before = os.getcwd()
    os.chdir("/")
    return {"faulty": True, "before": before}

def forks(exhibit):
    return {"faulty": True, "pid": os.fork()}

def starts_thread(exhibit):
    threading.Thread(target=time.sleep, args=(60,)).start()
    return {"faulty": True}

def recurses(exhibit):
    return recurses(exhibit)

def deep(exhibit):
    found = []
    for _ in range(100_000):
        found = [found]
    return {"faulty": True, "found": found}

def unsayable(exhibit):
    raise Unsayable

class Unsayable(BaseException):
    def __str__(self):
        sys.exit(0)

def not_json(exhibit):
    return {"faulty": object()}

def half(exhibit):
    return {"faulty": True, "rationale": "\\ud800"}

def hangs(exhibit):
    time.sleep(60)

def interrupts(exhibit):
    raise KeyboardInterrupt
"""


@pytest.fixture
def wayward(here, ask):
    """Return a function that asks a judge twice, through one engine."""
    (here / "wayward.py").write_text(WAYWARD)

    def ask_twice(name, **options):
        with closing(open_engine(f"python:wayward:{name}", EngineOptions(**options))) as engine:
            return [outcome(engine, ask) for _ in range(2)]

    return ask_twice


def outcome(engine, ask):
    try:
        return json.loads(engine.complete(ask('{"steps": []}')).text)
    except EngineError as error:
        return error


@pytest.mark.parametrize("name", ["closes", "starts_thread"])
def test_a_function_that_closes_its_streams_or_leaves_a_thread_goes_on_to_judge(wayward, name):
    assert wayward(name) == [{"faulty": True}] * 2


def test_what_a_function_prints_is_no_answer_and_its_input_is_empty(wayward):
    assert wayward("prints") == [{"faulty": True, "read": ""}] * 2


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("exits", "python:wayward:exits ended with code 0 without an answer"),
        ("closes_all", "ended with code 1 without an answer.*Bad file descriptor"),
        ("interrupts", "ended with code -2 without an answer.*KeyboardInterrupt"),
    ],
)
def test_a_function_that_ends_its_process_is_a_transient_error_each_time(wayward, name, reason):
    errors = wayward(name)
    assert all(re.search(reason, str(error)) and error.transient for error in errors)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("recurses", "raised RecursionError"),
        ("deep", "answered with a value that JSON cannot hold"),
        ("unsayable", r"raised Unsayable: \(its message cannot be shown\)"),
        ("not_json", "answered with a value that JSON cannot hold"),
        ("half", "answered with a value that JSON cannot hold"),
    ],
)
def test_a_function_with_an_answer_or_error_of_no_use_is_a_final_error(wayward, name, reason):
    errors = wayward(name)
    assert all(re.search(reason, str(error)) and not error.transient for error in errors)


def test_a_function_that_changes_the_folder_finds_the_usual_one_at_the_next_call(wayward):
    first, second = wayward("moves")
    assert first["before"] == second["before"]


def test_a_fork_of_a_function_gives_no_second_answer(wayward):
    assert all(answer["pid"] for answer in wayward("forks"))


def test_a_function_that_hangs_is_killed_in_time(wayward):
    errors = wayward("hangs", timeout_s=1.0)
    assert all("within 1 s and was killed" in str(error) for error in errors)


def test_a_module_that_ends_its_process_is_named(here):
    (here / "leaving.py").write_text("import os; os._exit(0)")
    with pytest.raises(PluginError, match=r"Module 'leaving' cannot be imported: .* code 0"):
        open_engine("python:leaving:judge")


def test_a_function_that_was_edited_during_the_run_is_refused(here, ask):
    (here / "changing.py").write_text("import os\ndef judge(e): os._exit(0)")
    with closing(open_engine("python:changing:judge")) as engine:
        outcome(engine, ask)
        (here / "changing.py").write_text("def judge(e): return {'faulty': True}")
        assert "changed during the run" in str(outcome(engine, ask))


def test_a_module_is_found_by_the_search_path_of_the_run(here, ask, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    monkeypatch.setattr(sys, "path", [*sys.path, str(here)])
    assert answer("own_judge:judge", ask)["faulty"]
