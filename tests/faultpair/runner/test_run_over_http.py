"""A run over HTTP, against a server on loopback."""

import json
import threading
import time

import pytest
from werkzeug import Response

from faultpair.calls.client import RetryPolicy
from faultpair.engines.engine import EngineOptions

from .conftest import VERDICT

ANSWER = {
    "choices": [{"message": {"content": VERDICT}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 70, "completion_tokens": 20},
}


class Server:
    """Answers as an OpenAI-compatible server does, after the failures it is given."""

    def __init__(self, httpserver):
        self.failures = []
        self.times = []
        self.underway = self.most_underway = 0
        self._lock = threading.Lock()
        httpserver.expect_request("/v1/models").respond_with_json({"data": []})
        httpserver.expect_request("/v1/chat/completions").respond_with_handler(self)
        self.options = EngineOptions(
            base_url=httpserver.url_for("/v1"), api_key="none", timeout_s=0.5
        )

    def __call__(self, request):
        with self._lock:
            self.times.append(time.monotonic())
            failure = self.failures.pop(0) if self.failures else None
        return failure() if failure else Response(json.dumps(ANSWER), mimetype="application/json")


def status(code, **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda: Response("{}", status=code, headers=headers, mimetype="application/json")


def truncated():
    return Response('{"choices": [', mimetype="application/json")


def page():
    return Response("<p>Welcome.</p>", mimetype="text/html")


@pytest.fixture
def server(httpserver):
    return Server(httpserver)


def test_a_server_is_asked_and_its_counts_are_kept(lab, server):
    outcome = lab.study({"s": 'engine = "openai:m"\n'}).run(options=server.options, parallel=4)
    assert (outcome.n_asked, outcome.n_calls) == (9, 9)
    assert all(one["prompt_tokens"] == 70 for one in lab.verdicts)
    assert all(0 < one["latency_s"] < 10 for one in lab.verdicts)


@pytest.mark.parametrize("failure", [status(500), status(503), status(408), truncated, page])
def test_a_failure_of_infrastructure_is_tried_again_and_kept(lab, server, failure):
    server.failures = [failure, failure]
    outcome = lab.study({"s": 'engine = "openai:m"\n'}).run(
        options=server.options, verdicts=2, parallel=1
    )
    assert (outcome.n_asked, outcome.n_calls, len(server.times)) == (2, 4, 4)
    assert [one["is_final"] for one in lab.replies] == [False, False, True, True]
    assert all(one["faulty"] for one in lab.verdicts)


def test_retry_after_is_honoured(lab, server):
    server.failures = [status(429, Retry_After="0.2")]
    lab.study({"s": 'engine = "openai:m"\n'}).run(options=server.options, verdicts=2, parallel=1)
    first, second, _ = server.times
    assert second - first >= 0.2


def test_a_time_out_is_tried_again(lab, server):
    def hang():
        time.sleep(0.2)
        return page()

    server.failures = [hang]
    options = EngineOptions(base_url=server.options.base_url, api_key="none", timeout_s=0.1)
    outcome = lab.study({"s": 'engine = "openai:m"\n'}).run(
        options=options, verdicts=1, retry_policy=RetryPolicy(attempts=9, pause_s=0.05)
    )
    assert outcome.n_asked == 1
    assert outcome.n_calls == len(lab.replies) >= 2
    assert lab.verdicts[0]["faulty"]
    assert "within 0.1 s" in lab.replies[0]["error"]


def test_a_refusal_is_final_and_three_of_them_stop_all(lab, server):
    server.failures = [status(401)] * 9
    outcome = lab.study({"s": 'engine = "openai:m"\n'}).run(options=server.options, parallel=1)
    assert "answered 401" in outcome.stopped
    assert len(server.times) == len(lab.verdicts) == 3
    assert all(one["error"] for one in lab.verdicts)
