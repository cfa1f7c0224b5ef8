import json
import sys

import pytest

from faultpair.engines.catalog import open_engine
from faultpair.engines.external.document import digest_of
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
    """Stand in a folder of one's own that holds a judge; what is imported from it is forgotten."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "own_judge.py").write_text(JUDGE)
    known = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - known:
        del sys.modules[name]


def asked(name, ask, document='{"steps": [1, 2]}'):
    return open_engine(f"python:own_judge:{name}").complete(ask(document))


def test_a_function_in_the_current_folder_judges(here, ask):
    reply = asked("judge", ask)
    assert json.loads(reply.text) == {"faulty": True, "failure_step": None}
    assert reply.latency_s > 0


def test_a_function_cannot_change_the_exhibit_of_others(here, ask):
    engine = open_engine("python:own_judge:judge")
    request = ask('{"steps": []}')
    assert engine.complete(request) is not engine.complete(request)
    assert request.messages[-1].content == '{"steps": []}'


def test_the_current_folder_is_looked_at_last(here):
    (here / "colorsys.py").write_text("def rgb_to_hsv(exhibit): ...")
    open_engine("python:colorsys:rgb_to_hsv")
    assert sys.path[-1] == str(here)
    assert not sys.modules["colorsys"].__file__.startswith(str(here))


def test_identity_holds_the_digest_of_the_module(here):
    identity = open_engine("python:own_judge:judge").identify()
    assert (identity.engine, identity.model) == ("python", "own_judge:judge")
    assert identity.model_digest == digest_of(here / "own_judge.py")


def test_a_module_without_a_file_has_no_digest():
    assert open_engine("python:sys:intern").identify().model_digest is None


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
        asked(name, ask)
    assert not caught.value.transient


def test_a_function_may_raise_a_transient_error(here, ask):
    with pytest.raises(EngineError) as caught:
        asked("overloaded", ask)
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
