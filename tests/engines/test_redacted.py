"""What judges of a user's own and servers return and raise, without the keys of the run."""

import sys
from contextlib import closing

import pytest

from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import EngineOptions, Identity, ProcessOptions, Reply
from faultpair.engines.redacted import RedactedEngine
from faultpair.engines.secrets import Redactor
from faultpair.env.errors import EngineError, PluginError
from faultpair.env.records import TokenChoice

KEY = "sk-Zx8Qw3JvKd90LmPnYt77"
OPTIONS = EngineOptions(secret_variables=("SOME_KEY",), process=ProcessOptions(env=("SOME_KEY",)))


@pytest.fixture(autouse=True)
def _key(monkeypatch, tmp_path):
    monkeypatch.setenv("SOME_KEY", KEY)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)


@pytest.fixture
def judge(tmp_path, monkeypatch):
    """Return a function that writes a module and opens a function of it as a judge."""

    def write(body):
        name = f"judge_in_{tmp_path.name}"
        (tmp_path / f"{name}.py").write_text(f"import os\nkey = os.environ['SOME_KEY']\n{body}")
        monkeypatch.delitem(sys.modules, name, raising=False)
        return open_engine(f"python:{name}:judge", OPTIONS)

    return write


def test_an_exception_of_a_function_shows_no_key(judge, ask):
    engine = judge("def judge(exhibit):\n    raise ValueError('x' * 990 + key)\n")
    with closing(engine), pytest.raises(EngineError, match="raised ValueError") as caught:
        engine.complete(ask("{}"))
    assert KEY[:8] not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_module_that_cannot_be_imported_shows_no_key(judge):
    with pytest.raises(PluginError, match=r"\[key\]") as caught:
        judge("raise RuntimeError(key)\n")
    assert KEY not in str(caught.value)


def test_an_answer_of_a_function_holds_no_key(judge, ask):
    engine = judge("def judge(exhibit):\n    return {'faulty': True, 'rationale': key}\n")
    with closing(engine):
        assert engine.complete(ask("{}")).text == '{"faulty":true,"rationale":"[key]"}'


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("read x; echo $SOME_KEY >&2; exit 3", "ended with code 3"),
        ("read x; echo '{\"faulty\": no' $SOME_KEY", "expected one line"),
        ("read x; printf '{\"faulty\": %0180d%s\\n' 0 $SOME_KEY", "expected one line"),
        ("read x; printf '%0990d%s\\n' 0 $SOME_KEY >&2; exit 3", "ended with code 3"),
    ],
)
def test_a_failure_of_a_program_shows_no_key(script, said, ask, tmp_path):
    (tmp_path / "judge.sh").write_text(script)
    engine = open_engine("cmd:sh judge.sh", OPTIONS)
    with closing(engine), pytest.raises(EngineError, match=said) as caught:
        engine.complete(ask("{}"))
    pieces = [KEY[start : start + 8] for start in range(len(KEY) - 7)]
    assert not [piece for piece in pieces if piece in str(caught.value)]
    assert KEY[:3] in script.replace("$SOME_KEY", KEY)


def test_all_that_a_reply_holds_is_without_the_key():
    class Repeating:
        name, max_parallel = "m", 1

        def identify(self):
            return Identity("e", KEY, f"m {KEY}", None, KEY[:9])

        def complete(self, request):
            tokens = tuple(TokenChoice(text, -1.0, ((KEY, -2.0),)) for text in (KEY[:9], KEY[9:]))
            return Reply(KEY, finish_reason=KEY, tokens=tokens)

    engine = RedactedEngine(Repeating(), Redactor([KEY]))
    assert engine.identify() == Identity("e", "[key]", "m [key]", None, "[key]")
    top = (("[key]", -2.0),)
    assert engine.complete(None) == Reply(
        "[key]",
        finish_reason="[key]",
        tokens=(TokenChoice("[key]", -1.0, top), TokenChoice("", -1.0, top)),
    )


def test_an_error_keeps_what_it_says_about_another_attempt():
    class Failing:
        def complete(self, request):
            raise EngineError(KEY, transient=True, is_overload=True, retry_after_s=2.0)

    with pytest.raises(EngineError, match=r"\[key\]") as caught:
        RedactedEngine(Failing(), Redactor([KEY])).complete(None)
    error = caught.value
    assert (error.transient, error.is_overload, error.retry_after_s) == (True, True, 2.0)
