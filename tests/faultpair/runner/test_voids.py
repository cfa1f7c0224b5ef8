"""Programs that print more than they are asked for, through a run, a kill and a replay.

Their answer quotes a digest of the exhibit, so that the answer to another one shows.
"""

import json
import shlex
import sys

import pytest

from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import EngineOptions
from faultpair.runner.current_verdicts import current_verdicts, holds_last_exchange
from faultpair.runner.run import derive_verdicts
from faultpair.studies.exchanges import read_exchange_log
from faultpair.studies.folder import open_study

from ...conftest import records, seal_as_is

JUDGE = """\
import hashlib, json

def judge(exhibit):
    text = json.dumps({key: value for key, value in exhibit.items() if key != "n"})
    digest = hashlib.sha256(text.encode()).hexdigest()
    return {"faulty": int(digest[0], 16) % 2 == 0, "rationale": digest}
"""
PROGRAM = """\
import json, os, sys, time
sys.path.insert(0, os.path.dirname(__file__))
from true_judge import judge
{setting}
for count, line in enumerate(sys.stdin, start=1):
    exhibit = json.loads(line)
    {before}
    answer = judge(exhibit)
    {after}
    print(json.dumps(answer), flush=True)
"""
NOISE = "print(json.dumps({'faulty': False, 'rationale': 'noise'}), flush=True)"
ONCE = "is_noisy = not os.path.exists(__file__ + '.ran'); open(__file__ + '.ran', 'w').close()"
SHIFT = {"before": f"if count == 1: {NOISE}"}
SHIFT_ONCE = {"setting": ONCE, "before": f"if is_noisy and count == 3: {NOISE}"}
ECHO = {"after": "answer['n'] = exhibit['n']"}
ADVICE = 'Let it repeat the "n" of each question'


class Messages(list):
    """A listener that keeps the messages of a run."""

    def on_message(self, text):
        self.append(text)

    def on_built(self, n): ...

    def on_start(self, total): ...

    def on_attempt(self, judge_id, verdict): ...


@pytest.fixture
def judged(lab, tmp_path, monkeypatch):
    """Return a function that makes a study with some programs and a true judge."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "true_judge.py").write_text(JUDGE)
    monkeypatch.delitem(sys.modules, "true_judge", raising=False)

    def make(more="", **programs):
        judges = {"true": 'engine = "python:true_judge:judge"\n'}
        for name, does in programs.items():
            file = tmp_path / f"{name}.py"
            nothing = {"setting": "", "before": "pass", "after": "pass"}
            file.write_text(PROGRAM.format(**nothing | does))
            engine = f"cmd:{shlex.join([sys.executable, str(file)])}"
            judges[name] = f"engine = {json.dumps(engine)}\n{more}"
        return lab.study(judges)

    return make


def findings(verdicts, judge_id):
    return {
        (one["trajectory_id"], one["repeat"]): (one["faulty"], one["rationale"])
        for one in verdicts
        if one["judge_id"] == judge_id
    }


def is_true(lab, judge_id):
    """Return whether a judge has the verdicts of the true judge on all runs."""
    return findings(lab.verdicts, judge_id) == findings(lab.verdicts, "true")


def void_records(lab):
    return [one for one in lab.replies if "voided" in one]


def read(lab):
    with current_verdicts(lab.out, lambda text: None) as (verdicts, _):
        return records(verdicts)


@pytest.mark.parametrize("echo", [{}, ECHO], ids=["as in 0.1", "echo"])
@pytest.mark.parametrize("noise", ["{'event': 'model loaded'}", "'model loaded'", "[1]"])
def test_a_log_line_moves_no_answer_and_the_user_is_told(judged, echo, noise):
    shift = {"before": f"if count == 1: print(json.dumps({noise}), flush=True)"}
    lab, messages = judged(shift=shift | echo), Messages()
    outcome = lab.run(listener=messages)
    assert (outcome.n_open, is_true(lab, "shift")) == (0, True)
    assert not void_records(lab)
    assert "printed a line that is no answer: " in messages[0]


def test_a_judge_that_repeats_n_may_print_other_answers_before_and_after_it(judged):
    lab = judged(noise={"before": f"count > 1 and {NOISE}"} | ECHO)
    assert lab.run().n_open == 0
    assert is_true(lab, "noise")
    assert not void_records(lab)


def test_only_an_answer_without_n_names_its_process(judged):
    lab = judged(plain={}, echo=ECHO)
    lab.run()
    processes = {one["judge_id"]: one.get("process") for one in lab.replies}
    assert processes == {"true": None, "plain": 1, "echo": None}
    assert all(("process" in one) is (one["judge_id"] == "plain") for one in lab.replies)


def test_each_run_numbers_its_processes_after_those_of_the_log(judged):
    lab = judged(plain={})
    lab.run(verdicts=3, only=["plain"])
    lab.run()
    numbers = [one["process"] for one in lab.replies if one["judge_id"] == "plain"]
    assert numbers == [1] * 3 + [2] * (len(numbers) - 3)


def test_an_answer_too_many_voids_what_its_process_said_and_all_is_asked_again(judged):
    lab, messages = judged(shift=SHIFT_ONCE), Messages()
    outcome = lab.run(listener=messages)
    assert (outcome.n_open, outcome.n_failed, is_true(lab, "shift")) == (0, 0, True)
    (record,) = void_records(lab)
    said = [one for one in lab.replies if one.get("process") == 1 and one["text"] is not None]
    places = [[one["trajectory_id"], one["sample"], one["repeat"]] for one in said]
    assert (record["process"], record["voided"]) == (1, places)
    assert "noise" in [json.loads(one["text"])["rationale"] for one in said]
    assert "gave one answer more than it was asked questions" in record["error"]
    assert f"Requests that are open again: {len(said)}." in messages[0]
    assert outcome.n_asked == len(lab.verdicts)


def test_an_answer_asked_for_again_is_a_later_attempt(judged):
    lab = judged(shift=SHIFT_ONCE)
    lab.run(only=["shift"])
    again = [one["attempt"] for one in lab.replies if one.get("process", 1) != 1]
    assert 2 in again


def test_a_limit_does_not_count_what_became_void(judged):
    lab = judged(shift=SHIFT_ONCE)
    assert lab.run(only=["shift"], verdicts=5).reached_limit
    assert len(findings(lab.verdicts, "shift")) == 5


def test_the_second_time_the_judge_stops_and_the_others_go_on(judged):
    lab, messages = judged(shift=SHIFT, plain={}), Messages()
    outcome = lab.run(listener=messages)
    assert (outcome.n_open, outcome.stopped) == (9, None)
    assert findings(lab.verdicts, "shift") == {}
    assert is_true(lab, "plain")
    assert len(void_records(lab)) == 2
    assert any("shift is asked no more" in text and ADVICE in text for text in messages)


def test_the_command_ends_with_3_and_the_advice_and_asks_no_more_in_a_later_run(judged, faultpair):
    lab = judged(shift=SHIFT)
    done = faultpair("run", lab.out)
    assert (done.code, ADVICE in done.err) == (3, True)
    log = lab.folder.replies.read_bytes()
    done = faultpair("run", lab.out)
    assert (done.code, ADVICE in done.err) == (3, True)
    assert lab.folder.replies.read_bytes() == log


def test_a_kill_after_the_first_time_does_not_start_the_count_again(judged):
    lab = judged(shift=SHIFT)
    lab.run()
    lines = lab.folder.replies.read_bytes().splitlines(keepends=True)
    first = next(n for n, line in enumerate(lines) if b'"voided"' in line)
    lab.folder.replies.write_bytes(b"".join(lines[: first + 1]))
    seal_as_is(lab.out)
    messages = Messages()
    assert lab.run(listener=messages).n_open == 9
    assert len(void_records(lab)) == 2
    assert any(ADVICE in text for text in messages)


def test_a_run_that_was_killed_anywhere_after_a_void_ends_as_one_that_was_not(judged, tmp_path):
    lab = judged(shift=SHIFT_ONCE)
    lab.run()
    whole = findings(lab.verdicts, "shift")
    lines = lab.folder.replies.read_bytes().splitlines(keepends=True)
    first = next(n for n, line in enumerate(lines) if b'"voided"' in line)
    for end in range(first + 1, len(lines)):
        lab.folder.replies.write_bytes(b"".join(lines[:end]))
        seal_as_is(lab.out)
        derive_verdicts(lab.out / "study.toml", lab.out, tmp_path / "derived.jsonl")
        derived = records(tmp_path / "derived.jsonl")
        assert findings(derived, "shift").items() <= whole.items()
    lab.folder.replies.write_bytes(b"".join(lines[: first + 1]))
    seal_as_is(lab.out)
    assert lab.run().n_open == 0
    assert findings(lab.verdicts, "shift") == whole


def test_verdicts_older_than_a_void_do_not_count_its_answers(judged, faultpair):
    lab = judged(shift={"before": f"if os.path.exists('noisy') and count == 2: {NOISE}"})
    lab.run(only=["true"])
    lab.run(only=["shift"], verdicts=3)
    early = lab.folder.verdicts.read_bytes()
    lines = lab.folder.replies.read_bytes()
    said = json.loads(lines.splitlines()[-1]) | {"process": 9, "trajectory_id": "gone"}
    void = said | {"text": None, "error": "void", "is_final": False, "voided": [["gone", 0, 0]]}
    with lab.folder.replies.open("a") as log:
        log.writelines(json.dumps(line) + "\n" for line in (said, void))
    assert holds_last_exchange(lab.folder.verdicts, lab.folder.replies)
    assert faultpair("report", lab.out).code == 0
    assert lab.folder.verdicts.read_bytes() == early


def test_report_and_rebuild_after_a_kill_show_no_void_answer(judged, faultpair):
    lab = judged(shift=SHIFT)
    lab.run()
    lab.folder.verdicts.unlink()
    assert findings(read(lab), "shift") == {}
    report = faultpair("report", lab.out)
    assert "shift" not in report.out
    assert faultpair("rebuild", "--results", lab.out.parent, "--study", lab.out.name).code == 0


def test_a_void_reply_is_not_replayed(judged):
    lab = judged(shift=SHIFT_ONCE)
    lab.run(only=["shift"])
    kept = open_engine(f"replay:{lab.folder.replies}", EngineOptions())
    replayed = [reply.text for replies in kept._rest.values() for reply in replies]
    assert sorted(replayed) == sorted(
        one["text"] for one in lab.replies if one.get("process", 1) != 1 and one["text"]
    )


def test_judges_that_share_a_program_lose_what_its_process_said_together(judged, tmp_path):
    lab = judged(shift=SHIFT_ONCE)
    text = (lab.out / "study.toml").read_text()
    table = text[text.index('[[model_judges]]\nid = "shift"') :]
    (lab.out / "study.toml").write_text(text + table.replace('"shift"', '"twin"', 1))
    lab.folder = open_study(lab.out)
    lab.run()
    assert is_true(lab, "shift")
    assert is_true(lab, "twin")
    assert {one["judge_id"] for one in void_records(lab)} == {"shift", "twin"}
    assert read_exchange_log(lab.folder.replies).voids == {"shift": 1, "twin": 1}


@pytest.mark.parametrize("does", [SHIFT, SHIFT_ONCE, {"before": f"count % 3 or {NOISE}"}])
def test_several_processes_at_once_leave_no_answer_of_another_run(judged, does):
    lab = judged("repeats = 3\n", shift=does)
    lab.run(parallel=3, repeats=3)
    true = findings(lab.verdicts, "true")
    assert findings(lab.verdicts, "shift").items() <= true.items()


def test_a_shared_answer_that_becomes_void_settles_no_other_request(judged):
    lab = judged(shift=SHIFT)
    lab.run()
    assert lab.run(share=False).n_open == 9
    assert findings(lab.verdicts, "shift") == {}


def test_a_key_in_the_environment_hides_no_answer_too_many(judged, monkeypatch):
    # Replies of engines that could repeat a key go through another object.
    monkeypatch.setenv("OPENAI_API_KEY", "sk-Zx8Qw3JvKd90LmPnYt77")
    lab, messages = judged(shift=SHIFT_ONCE), Messages()
    outcome = lab.run(listener=messages)
    assert (outcome.n_open, is_true(lab, "shift")) == (0, True)
    assert len(void_records(lab)) == 1
    assert any("those of this process are void" in text for text in messages)


def test_the_quote_of_a_line_shows_no_key(judged, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-Zx8Qw3JvKd90LmPnYt77")
    quoting = NOISE.replace("'noise'", "'sk-Zx8Qw3JvKd90LmPnYt77'")
    log = {"before": "if count == 1: print('sk-Zx8Qw3JvKd90LmPnYt77', flush=True)"}
    surplus = {"setting": ONCE, "before": f"if is_noisy and count == 3: {quoting}"}
    lab, messages = judged(log=log, surplus=surplus), Messages()
    lab.run(listener=messages)
    said = "\n".join(messages) + lab.folder.replies.read_text()
    assert "printed a line that is no answer" in said
    assert "one answer more than it was asked questions" in said
    assert "Zx8Qw3Jv" not in said
