"""A run of a study: what is asked, what is kept, what a second run adds."""

import json
import subprocess
import sys

import pytest

from faultpair.calls.client import RetryPolicy
from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import EngineOptions
from faultpair.env.errors import EngineError, UsageError
from faultpair.studies.folder import open_study

from ...conftest import seal_as_is
from ...fake_engine import FakeEngine
from .conftest import REPLY, VERDICT, asked, keys


def test_every_judge_answers_about_every_run_once(lab):
    outcome = lab.study({"s": "", "r": REPLY}).run()
    assert (outcome.n_open, outcome.n_failed, outcome.stopped) == (0, 0, None)
    assert len(set(keys(lab.verdicts))) == len(lab.verdicts) == 18


def test_a_second_run_sends_no_request_and_changes_no_byte(lab):
    lab.study({"s": "", "r": REPLY}).run()
    before = {file.name: file.read_bytes() for file in lab.out.iterdir()}
    engine = asked()
    assert lab.run(engine).n_calls == engine.n_calls == 0
    assert {file.name: file.read_bytes() for file in lab.out.iterdir()} == before


def test_only_missing_requests_are_sent(lab):
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


def test_a_study_without_model_judges_leaves_no_log_and_no_lock(lab):
    lab.study({})
    text = lab.folder.file.read_text().replace("clean = 3", 'clean = 3\njudges = ["rules"]')
    lab.folder.file.write_text(text)
    lab.folder = open_study(lab.out)
    lab.run()
    assert sorted(file.name for file in lab.out.iterdir()) == [
        "instances.jsonl", "manifest.json", "study.toml", "trajectories.jsonl", "verdicts.jsonl",
    ]  # fmt: skip
    assert "judges" not in lab.manifest


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
    seal_as_is(lab.out)
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


def test_a_replay_of_the_kept_replies_gives_the_same_verdicts(lab, tmp_path):
    lab.study({"s": ""}).run()
    engine = open_engine(f"replay:{lab.folder.replies}", EngineOptions())
    again = type(lab)(tmp_path / "again").study({"s": ""})
    again.run(engine, retry_policy=RetryPolicy(attempts=1))
    assert [one["faulty"] for one in again.verdicts] == [one["faulty"] for one in lab.verdicts]
    assert [one["score"] for one in again.verdicts] == [one["score"] for one in lab.verdicts]
