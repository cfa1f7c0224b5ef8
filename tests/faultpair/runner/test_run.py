"""Running a study whose judges ask: what is asked, what is kept, what a second run adds."""

import json
import subprocess
import sys
import threading
import time
from collections import Counter

import pytest
from werkzeug import Response

from faultpair.calls.client import RetryPolicy
from faultpair.engines.catalog import open_engine
from faultpair.engines.options import EngineOptions
from faultpair.env.errors import EngineError, UsageError
from faultpair.studies.folder import open_study

from ...fake_engine import FakeEngine

REPLY = 'view = "goal-and-reply"\ntask = "judge-reply"\n'
VERDICT = (
    '{"reasoning":"So.","faulty":true,"failure_step":0,"failure_type":"wrong_tool",'
    '"confidence":0.9}'
)


def asked(reply=VERDICT, **settings):
    """Return an engine in place of `scripted:clean`."""
    return FakeEngine(reply, name="scripted:clean", **settings)


def keys(verdicts):
    return [
        (one["trajectory_id"], one["judge_id"], one["sample"], one["repeat"]) for one in verdicts
    ]


def test_every_judge_answers_about_every_run_once(lab):
    outcome = lab.study({"s": "", "r": REPLY}).run()
    assert (outcome.n_open, outcome.n_failed, outcome.stopped) == (0, 0, None)
    assert len(set(keys(lab.verdicts))) == len(lab.verdicts) == 18


def test_a_second_run_asks_nobody_and_changes_no_byte(lab):
    lab.study({"s": "", "r": REPLY}).run()
    before = {file.name: file.read_bytes() for file in lab.out.iterdir()}
    engine = asked()
    assert lab.run(engine).n_calls == engine.n_calls == 0
    assert {file.name: file.read_bytes() for file in lab.out.iterdir()} == before


def test_only_what_is_missing_is_asked(lab):
    lab.study({"s": ""}).run(verdicts=4)
    engine = asked(VERDICT.replace("true", "false"))
    assert lab.run(engine).n_calls == 5
    assert len(lab.replies) == len(set(keys(lab.verdicts))) == 9


def test_a_run_in_pieces_writes_the_verdicts_of_one_in_a_piece(lab, tmp_path):
    judges = {"s": "samples = 2\ntemperature = 0.7\n", "r": REPLY}
    whole = type(lab)(tmp_path / "whole").study(judges)
    whole.run()
    lab.study(judges)
    while lab.run(verdicts=5).n_open:
        pass
    assert lab.folder.verdicts.read_bytes() == whole.folder.verdicts.read_bytes()
    assert lab.folder.replies.read_bytes() == whole.folder.replies.read_bytes()


def test_a_study_that_asks_nobody_leaves_no_ledger_and_no_lock_behind(lab):
    lab.study({})
    text = lab.folder.file.read_text().replace("clean = 3", 'clean = 3\njudges = ["rules"]')
    lab.folder.file.write_text(text)
    lab.folder = open_study(lab.out)
    lab.run()
    assert sorted(file.name for file in lab.out.iterdir()) == [
        "instances.jsonl", "manifest.json", "study.toml", "trajectories.jsonl", "verdicts.jsonl",
    ]  # fmt: skip
    assert "judges" not in lab.manifest


# Sharing.


def test_a_fault_and_its_parent_share_one_call_where_nothing_else_is_shown(lab):
    engine = asked()
    lab.study({"r": REPLY}).run(engine)
    assert engine.n_calls == len(lab.replies) == 6
    shared = [one for one in lab.verdicts if one["shared_from"]]
    assert len(shared) == 3
    by_key = {one["trajectory_id"]: one for one in lab.verdicts}
    for one in shared:
        origin = by_key[one["shared_from"]]
        assert origin["shared_from"] is None
        assert (one["faulty"], one["rationale"]) == (origin["faulty"], origin["rationale"])
        assert (one["latency_s"], one["prompt_tokens"], one["completion_tokens"]) == (0.0, 0, 0)
        assert origin["prompt_tokens"] > 0


def test_without_sharing_every_request_is_sent(lab):
    engine = asked()
    lab.study({"r": REPLY}).run(engine, share=False)
    assert engine.n_calls == 9
    assert not any(one["shared_from"] for one in lab.verdicts)


def test_what_was_shared_can_be_asked_for_later(lab):
    engine = asked()
    lab.study({"r": REPLY}).run(engine)
    lab.run(engine, share=False)
    assert engine.n_calls == 9
    assert len(set(keys(lab.verdicts))) == len(lab.verdicts) == 9
    assert not any(one["shared_from"] for one in lab.verdicts)


def test_repeats_and_samples_are_never_shared(lab):
    engine = asked()
    lab.study({"r": REPLY + "samples = 2\n"}).run(engine, repeats=3)
    assert engine.n_calls == 6 * 2 * 3
    assert Counter(one[2:] for one in keys(lab.verdicts)) == {
        (sample, repeat): 9 for sample in (0, 1) for repeat in (0, 1, 2)
    }


def test_an_attempt_is_reported_once_with_its_verdict_however_many_runs_share_it(lab):
    attempts = []

    class Listener:
        def on_built(self, n): ...
        def on_message(self, text): ...
        def on_start(self, total):
            attempts.append(total)

        def on_attempt(self, judge_id, verdict):
            attempts.append((judge_id, verdict.faulty))

    lab.study({"r": REPLY}).run(listener=Listener())
    assert attempts == [6, *[("r", False)] * 6]
    assert len(lab.verdicts) == 9


# Limits.


def test_a_limit_of_verdicts_is_kept_across_engines(lab):
    lab.study({"s": "", "t": 'engine = "scripted:faulty"\n'})
    outcome = lab.run(verdicts=12)
    assert (outcome.n_asked, outcome.reached_limit, outcome.n_open) == (12, True, 6)


def test_a_limit_of_none_asks_nobody_and_opens_no_engine(lab):
    lab.study({"s": ""})
    for limit in ({"verdicts": 0}, {"calls": 0}):
        assert lab.run(FakeEngine(identity=AssertionError()), **limit).reached_limit
    assert lab.replies == lab.verdicts == []


def test_a_limit_of_calls_counts_those_that_fail(lab):
    engine = asked(fail=lambda n: EngineError("busy", transient=True) if n == 1 else None)
    outcome = lab.study({"s": ""}).run(engine, calls=4)
    assert (engine.n_calls, outcome.n_calls, outcome.n_asked) == (4, 4, 3)
    assert outcome.reached_limit


def test_only_the_judges_that_are_named_ask(lab):
    outcome = lab.study({"s": "", "r": REPLY}).run(only=("r",))
    assert {one["judge_id"] for one in lab.verdicts} == {"r"}
    assert outcome.n_open == 0


def test_a_judge_that_is_not_there_cannot_be_the_only_one(lab):
    with pytest.raises(UsageError, match=r"The study has no judge 'q'\. Its judges: s\."):
        lab.study({"s": ""}).run(only=("q",))


def test_a_judge_that_was_named_once_keeps_its_verdicts(lab):
    lab.study({"s": ""}).run(extra=("scripted:coin",))
    lab.run()
    assert {one["judge_id"] for one in lab.verdicts} == {"s", "scripted:coin"}


def test_repeats_that_were_made_once_keep_their_verdicts(lab):
    lab.study({"s": ""}).run(repeats=3)
    engine = asked()
    lab.run(engine)
    assert engine.n_calls == 0
    assert len(lab.verdicts) == 27


def test_a_judge_of_some_pairs_asks_about_these_faults_and_their_parents(lab):
    lab.study({"s": "pairs = 2\n"}).run()
    runs = [json.loads(line) for line in lab.folder.trajectories.read_bytes().splitlines()]
    faults = [run for run in runs if run["label"]["faulty"]][:2]
    wanted = {one for run in faults for one in (run["trajectory_id"], run["label"]["parent_id"])}
    assert {one["trajectory_id"] for one in lab.verdicts} == wanted


def test_as_many_requests_are_underway_as_is_allowed(lab):
    meet = threading.Barrier(3)

    def script(request):
        meet.wait(10)
        return VERDICT

    outcome = lab.study({"s": ""}).run(FakeEngine(script), parallel=3)
    assert outcome.n_asked == 9


# Failures.


def test_an_error_is_kept_as_an_unscored_verdict_and_asked_again_on_demand(lab):
    engine = asked(fail=lambda n: EngineError("down") if n in (2, 5) else None)
    outcome = lab.study({"s": ""}).run(engine)
    assert (outcome.n_failed, outcome.n_open) == (2, 0)
    assert [one["error"] for one in lab.verdicts if one["faulty"] is None] == ["down"] * 2
    assert lab.run(engine).n_calls == 0
    assert lab.run(engine, retry_errors=True).n_failed == 0
    assert engine.n_calls == 11
    assert len(set(keys(lab.verdicts))) == len(lab.verdicts) == 9
    assert all(one["faulty"] for one in lab.verdicts)
    assert sorted(one["attempt"] for one in lab.replies) == [1] * 9 + [2] * 2


def test_verdicts_are_written_once_when_the_run_is_over(lab):
    lab.study({"s": ""}).run(asked(fail=lambda n: EngineError("down") if n == 2 else None))
    before = lab.folder.verdicts.read_bytes()

    def script(request):
        assert lab.folder.verdicts.read_bytes() == before
        return VERDICT

    engine = asked(script)
    lab.run(engine, retry_errors=True)
    assert engine.n_calls == 1
    assert len(lab.verdicts) == 9
    assert lab.folder.verdicts.read_bytes() != before


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_verdicts_are_written_after_an_interruption_or_an_error_too(lab, error):
    engine = asked(fail=lambda n: error() if n == 4 else None)
    with pytest.raises(error):
        lab.study({"s": ""}).run(engine, parallel=1)
    assert len(lab.verdicts) == len(lab.replies) == 3


def test_repeated_failure_stops_all_and_keeps_what_came_before(lab):
    engine = asked(fail=lambda n: EngineError("down") if n > 4 else None)
    outcome = lab.study({"s": "", "t": 'engine = "scripted:faulty"\n'}).run(engine)
    assert outcome.stopped == "3 requests in a row failed. The last: down"
    assert engine.n_calls == 7
    assert len(lab.verdicts) == 7


def test_an_engine_that_cannot_be_reached_leaves_what_is_known(lab):
    lab.study({"s": ""}).run(verdicts=3)
    with pytest.raises(EngineError, match="there is no server"):
        lab.run(FakeEngine(identity=EngineError("there is no server")))
    assert len(lab.verdicts) == 3


def test_a_torn_last_line_is_cut_reported_and_asked_again(lab):
    notes = []

    class Listener:
        def on_built(self, n): ...
        def on_message(self, text):
            notes.append(text)

        def on_start(self, total): ...
        def on_attempt(self, judge_id, verdict): ...

    lab.study({"s": ""}).run()
    whole = lab.folder.replies.read_bytes()
    verdicts = lab.folder.verdicts.read_bytes()
    lab.folder.replies.write_bytes(whole[:-10])
    lab.folder.verdicts.write_bytes(verdicts[:-10])
    engine = asked(json.loads(whole.splitlines()[-1])["text"])
    assert lab.run(engine, listener=Listener()).n_calls == 1
    assert notes[0].startswith(f"The last line of {lab.folder.replies} was torn: its ")
    assert lab.folder.verdicts.read_bytes() == verdicts


def test_a_folder_that_another_process_holds_is_refused(lab):
    lab.study({"s": ""})
    hold = (
        "import sys; from pathlib import Path; from faultpair.studies.lock import held\n"
        "with held(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, lab.out], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(UsageError, match=f"Another process is at work on {lab.out}"):
            lab.run()
        other.stdin.close()
        other.wait()
    assert lab.run().n_asked == 9


# Over HTTP, against a server on loopback.

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
        options=options, verdicts=1, patience=RetryPolicy(attempts=9, pause_s=0.05)
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


def test_a_replay_of_the_kept_replies_gives_the_same_verdicts(lab, tmp_path):
    lab.study({"s": ""}).run()
    engine = open_engine(f"replay:{lab.folder.replies}", EngineOptions())
    again = type(lab)(tmp_path / "again").study({"s": ""})
    again.run(engine, patience=RetryPolicy(attempts=1))
    assert [one["faulty"] for one in again.verdicts] == [one["faulty"] for one in lab.verdicts]
    assert [one["score"] for one in again.verdicts] == [one["score"] for one in lab.verdicts]
