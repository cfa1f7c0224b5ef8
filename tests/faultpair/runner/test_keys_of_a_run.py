"""Which judge, agent or planner of a study is asked with which key."""

import json
import socketserver
import threading

import pytest

from faultpair.calls.client import RetryPolicy
from faultpair.env.errors import StudyError, UsageError

ONE, TWO = "sk-one-0123456789", "sk-two-0123456789"


@pytest.fixture(autouse=True)
def _keys(monkeypatch):
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "OLLAMA_HOST", "OLLAMA_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("KEY_ONE", ONE)
    monkeypatch.setenv("KEY_TWO", TWO)
    monkeypatch.setattr(RetryPolicy, "pause_after", lambda self, attempt: 0.001)


@pytest.fixture
def judge_at(httpserver):
    """Return a function that makes an endpoint and returns its address."""

    def make(path):
        httpserver.expect_request(path).respond_with_json({"faulty": True})
        return httpserver.url_for(path)

    return make


def sent(httpserver, path):
    """Return the keys that a path was asked with."""
    requests = [request for request, _ in httpserver.log if request.path == path]
    return {request.headers.get("Authorization") for request in requests}


def table(engine, key=None):
    return f'engine = "{engine}"\n' + (f'key_from = "{key}"\n' if key else "")


def test_each_judge_is_asked_with_the_key_of_its_table(lab, judge_at, httpserver):
    one, two, none = map(judge_at, ("/one", "/two", "/none"))
    judges = {"1": table(one, "KEY_ONE"), "2": table(two, "KEY_TWO"), "3": table(none)}
    lab.study(judges).run()
    assert sent(httpserver, "/one") == {f"Bearer {ONE}"}
    assert sent(httpserver, "/two") == {f"Bearer {TWO}"}
    assert sent(httpserver, "/none") == {None}


def test_two_judges_with_one_engine_are_asked_with_their_own_keys(lab, judge_at, httpserver):
    address = judge_at("/j")
    lab.study({"1": table(address, "KEY_ONE"), "2": table(address, "KEY_TWO")}).run()
    keys = [request.headers["Authorization"] for request, _ in httpserver.log]
    assert keys == [f"Bearer {ONE}"] * 9 + [f"Bearer {TWO}"] * 9


def test_a_key_is_not_sealed_and_may_change(lab, judge_at, httpserver):
    address = judge_at("/j")
    lab.study({"1": table(address, "KEY_ONE")}).run(verdicts=4)
    lab.study({"1": table(address, "KEY_TWO")}).run()
    assert sent(httpserver, "/j") == {f"Bearer {ONE}", f"Bearer {TWO}"}
    assert "key" not in json.dumps(lab.manifest).casefold()


def test_a_missing_key_is_refused_before_any_judge_is_asked(lab, judge_at, httpserver):
    judges = {"1": table(judge_at("/one")), "2": table(judge_at("/two"), "ABSENT")}
    with pytest.raises(UsageError, match="key_from of the judge '2' names ABSENT"):
        lab.study(judges).run()
    assert not httpserver.log
    assert not lab.replies


def test_a_run_that_asks_nothing_needs_no_key(lab, judge_at, monkeypatch):
    lab.study({"1": table(judge_at("/j"), "KEY_ONE")}).run()
    monkeypatch.delenv("KEY_ONE")
    assert lab.run().n_asked == 0


@pytest.mark.parametrize("engine", ["scripted:clean", "local:m", "python:m:f", "cmd:true"])
def test_a_key_for_an_engine_that_asks_no_server_is_refused(lab, engine):
    with pytest.raises(StudyError, match="asks no server"):
        lab.study({"1": table(engine, "KEY_ONE")})


@pytest.mark.parametrize("kind", ["model_judges", "plan_judges", "agent", "planners"])
def test_a_key_in_a_study_file_is_refused_and_not_shown(kind, study_file, faultpair):
    head = f"[{kind}]" if kind == "agent" else f"[[{kind}]]"
    more = "episodes = 1" if kind == "agent" else 'id = "m"'
    file = study_file(
        f'title = "t"\ndomain = "workflow"\nseed = 1\nclean = 1\n{head}\n{more}\n'
        f'engine = "openai:m"\nkey_from = "{ONE}"\n'
    )
    code, out, err = faultpair("run", file)
    assert code == 2
    assert "expected the name of an environment variable" in err
    assert "0123456" not in out + err


@pytest.mark.parametrize("place", ["agent", "planners"])
def test_a_model_that_makes_runs_is_asked_with_its_own_key(
    place, study_file, faultpair, httpserver, monkeypatch
):
    answer = {"choices": [{"message": {"content": "nothing"}}]}
    httpserver.expect_request("/v1/models").respond_with_json({"data": []})
    httpserver.expect_request("/v1/chat/completions").respond_with_json(answer)
    monkeypatch.setenv("OPENAI_API_KEY", TWO)
    makes = {
        "agent": 'domain = "support_desk"\nclean = 0\n[agent]\nepisodes = 1\nturns = 1\n',
        "planners": 'domain = "workflow"\nclean = 1\n[[planners]]\nid = "p"\n',
    }[place]
    file = study_file(
        f'title = "t"\nseed = 1\njudges = ["flag-none"]\n{makes}'
        'engine = "openai:m"\nkey_from = "KEY_ONE"\n'
    )
    faultpair("run", file, "--base-url", httpserver.url_for("/v1"))
    assert sent(httpserver, "/v1/chat/completions") == {f"Bearer {ONE}"}
    written = [path.read_text(encoding="utf-8") for path in file.parent.glob("*.json*")]
    assert written
    assert not any("KEY_ONE" in text or "key_from" in text for text in written)


def test_one_key_for_two_servers_is_refused_before_anything_is_sent(
    lab, judge_at, httpserver, faultpair
):
    one = judge_at("/one")
    two = one.replace("localhost", "127.0.0.1").replace("/one", "/two")
    two = two if two.replace("/two", "") != one.replace("/one", "") else "http://localhost:1/two"
    lab.study({"1": table(one), "2": table(two)})
    code, _, err = faultpair("run", lab.out, "--key-from", "KEY_ONE")
    assert code == 2
    assert "could be for several servers" in err
    assert not httpserver.log
    assert faultpair("run", lab.out, "--key-from", "KEY_ONE", "--only", "1").code == 0
    assert sent(httpserver, "/one") == {f"Bearer {ONE}"}


def test_a_key_goes_to_the_named_server_alone(lab, judge_at, httpserver, raw_lines, faultpair):
    lab.study({"1": table(judge_at("/one")), "2": table(f"{raw_lines.url}/j")})
    place = httpserver.url_for("/")
    faultpair("run", lab.out, "--key-from", f"KEY_ONE@{place}", "--max-calls", 12, "-j", 1)
    assert sent(httpserver, "/one") == {f"Bearer {ONE}"}
    assert raw_lines.heads
    assert not any(b"Authorization" in head for head in raw_lines.heads)


@pytest.fixture
def raw_lines():
    """Return a second server, which keeps the heads of requests and hangs up."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            self.server.heads.append(b"".join(iter(self.rfile.readline, b"\r\n")))

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.heads = []
        server.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_addresses_that_differ_in_secrets_alone_are_one_judge(lab, judge_at, httpserver):
    address = judge_at("/j")
    lab.study({}).run(extra=[f"{address}?key=first-secret"], verdicts=4)
    lab.run(extra=[f"{address}?key=second-secret"])
    assert {one["judge_id"] for one in lab.verdicts} == {f"{address}?key=…"}
    assert len(lab.verdicts) == 9
    queries = [request.query_string.decode() for request, _ in httpserver.log]
    assert queries == ["key=first-secret"] * 4 + ["key=second-secret"] * 5


def test_two_judges_of_one_name_are_refused_without_their_secrets(lab, judge_at):
    address = judge_at("/j")
    with pytest.raises(StudyError, match="Make each one of") as caught:
        lab.study({}).run(extra=[f"{address}?v=secret-1", f"{address}?v=secret-2"])
    assert "secret" not in str(caught.value).replace("secrets", "")
    lab.study({"a": table(f"{address}?v=secret-1"), "b": table(f"{address}?v=secret-2")}).run()
    assert len(lab.verdicts) == 18


def test_a_contrast_and_a_vote_may_name_a_judge_by_its_whole_address(lab, judge_at):
    address = f"{judge_at('/j')}?key=secret-1"
    lab.study(
        {"2": ""},
        f'[[votes]]\nid = "v"\nof = "{address}"\nk = 1\n'
        f'[[contrasts]]\nname = "c"\njudge = "{address}"\nagainst = "2"\n',
    ).run(extra=[address])
    assert "secret" not in lab.folder.manifest.read_text(encoding="utf-8")
    assert "secret" not in lab.folder.verdicts.read_text(encoding="utf-8")
