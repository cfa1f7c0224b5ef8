"""Sets that an agent plays: what is kept, how it is labelled, and how a run is resumed."""

import json
import re
import threading
from collections import Counter
from functools import partial

import pytest

from faultpair.agents.episode_facts import Ending
from faultpair.calls.client import RetryPolicy
from faultpair.calls.session import CallSession, EngineFactory, RunLimits
from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import EngineError, RecordError, StudyError
from faultpair.env.kernel import Action, replay, run_episode
from faultpair.env.records import Call
from faultpair.oracle.catalog import clean_run
from faultpair.runner.run import run_study
from faultpair.sets.build import build
from faultpair.sets.episodes import EPISODES, make_episodes
from faultpair.sets.labels import label_episode
from faultpair.studies.folder import open_study
from faultpair.studies.runs import read_runs
from faultpair.studies.transcript import TURNS

from ...fake_engine import FakeEngine, player
from .conftest import kill_at_calls, lines

DESK = DOMAINS["support_desk"]
STUDY = """
title = "A model at work"
domain = "support_desk"
seed = 11
judges = ["rules", "sequence", "strict"]

[agent]
engine = "scripted:player"
episodes = 12
"""
make, FACTS = make_episodes, EPISODES

# Scripts: each reads the chat and answers with the next call, as a model would.


def answers_in(request):
    """Return what each tool answered last, None where it failed, and all calls in order."""
    called, seen = [], {}
    for message in request.messages[2:]:
        if message.role == "assistant":
            called.append(json.loads(message.content)["tool"])
        elif message.content.startswith("ANSWER: "):
            seen[called[-1]] = json.loads(message.content.splitlines()[0][8:])
        else:
            seen[called[-1]] = None
    return called, seen


def says(tool, **args):
    return json.dumps({"thought": f"Now {tool}.", "tool": tool, "args": args})


def by_the_procedure(request):
    """Play as the procedure wants, from the chat alone."""
    goal = request.messages[1].content
    email = re.search(r"\S+@[a-z.]*[a-z]", goal)[0]
    order_id = re.search(r"ORD-\d+", goal)[0]
    called, seen = answers_in(request)
    if not seen.get("get_customer"):
        return says("get_customer", email=email)
    if not seen.get("lookup_order"):
        return says("lookup_order", order_id=order_id)
    if not seen.get("get_policy"):
        return says("get_policy", sku=seen["lookup_order"]["sku"])
    check = seen.get("check_eligibility")
    if not check:
        return says("check_eligibility", order_id=order_id)
    if check["eligible"] and "issue_refund" not in called:
        (currency,) = (key[-3:] for key in check if key.startswith("max_refund_"))
        return says(
            "issue_refund",
            order_id=order_id,
            **{f"amount_{currency}": check[f"max_refund_{currency}"]},
        )
    refund = seen.get("issue_refund")
    if not refund and "escalate" not in called:
        reason = check["reason"] or "the refund was refused"
        return says("escalate", reason=reason)
    if refund:
        amount = next(value for key, value in refund.items() if key.startswith("refunded_"))
        return says("reply", text=f"We have refunded {amount:.2f} to you.")
    return says("reply", text="We have passed your case on to a specialist.")


def stops_early(request):
    """Reply once the order is known, as if that settled it."""
    called, _ = answers_in(request)
    if "lookup_order" in called:
        return says("reply", text="Your case is settled.")
    return by_the_procedure(request)


def speaks_no_json(request):
    return "I would rather talk about the weather {"


def invents_a_tool(request):
    called, _ = answers_in(request)
    return by_the_procedure(request) if called else says("open_drawer", drawer="D-7")


def never_ends(request):
    return says("get_customer", email="nobody@example.org")


def engine_of(script, version="1", context=None):
    return FakeEngine(script, identity=player(version), context_tokens=context)


def test_a_model_that_follows_the_procedure_is_labelled_clean_in_every_scenario(stage):
    engine = engine_of(by_the_procedure)
    folder, summary = stage(engine)
    assert (summary.n_episodes, summary.n_faulty, summary.n_unreadable) == (12, 0, 0)
    assert summary.ended[Ending.REPLY] == summary.n_replies == 12
    assert summary.n_oracles_reply == 0
    assert summary.n_to_confirm == summary.n_confirmed > 0
    runs = list(read_runs(folder.trajectories, folder.instances))
    assert [run.trajectory_id for run, _ in runs] == [f"INS-{n:05d}-agent" for n in range(12)]
    for run, instance in runs:
        assert instance == DESK.generate(11, int(run.instance_id[4:]))
        label = run.label
        assert (label.faulty, label.outcome_correct, label.parent_id) == (False, True, None)
        clean = clean_run(DESK, instance)
        assert [step.call.tool for step in run.steps] == [step.call.tool for step in clean.steps]
    assert engine.is_closed


def test_an_episode_that_stops_early_is_labelled_by_the_rules(stage):
    folder, summary = stage(engine_of(stops_early))
    runs = lines(folder.trajectories)
    assert summary.n_faulty == summary.n_loud == 12
    assert summary.by_kind == {"premature_stop": (0, 12)}
    assert all(run["label"]["failure_step"] == len(run["steps"]) - 1 for run in runs)
    assert {facts["labelled_by"] for facts in lines(folder.out / EPISODES)} == {"rule"}
    assert "premature_stop: 0 silent, 12 loud" in str(summary)


def test_an_unreadable_agent_has_episodes_without_a_step_and_is_counted(stage):
    folder, summary = stage(engine_of(speaks_no_json))
    assert summary.ended[Ending.UNREADABLE] == 12
    assert summary.n_unreadable == 24
    assert summary.n_replies == 0
    for run in lines(folder.trajectories):
        assert run["steps"] == []
        label = run["label"]
        assert (label["faulty"], label["failure_step"]) == (True, None)
    turns = lines(folder.out / TURNS)
    assert Counter(turn["unreadable"] for turn in turns) == {"the answer is not JSON": 24}
    assert len(list(read_runs(folder.trajectories, folder.instances))) == 12


def test_an_unknown_tool_is_a_refused_step(stage):
    folder, summary = stage(engine_of(invents_a_tool))
    first = [run["steps"][0] for run in lines(folder.trajectories)]
    assert {step["call"]["tool"] for step in first} == {"open_drawer"}
    assert not any(step["observation"]["ok"] for step in first)
    assert all(facts["n_refused"] >= 1 for facts in lines(folder.out / EPISODES))
    assert summary.n_faulty == 0


def test_an_endless_episode_is_stopped_at_the_limit_of_the_study(stage):
    folder, summary = stage(engine_of(never_ends), STUDY + "turns = 3\n")
    assert {len(run["steps"]) for run in lines(folder.trajectories)} == {3}
    assert summary.ended[Ending.TURN_LIMIT] == 12


def test_a_chat_that_does_not_fit_is_not_sent_and_ends_the_episode(stage):
    folder, summary = stage(engine_of(by_the_procedure, context=800))
    assert summary.ended[Ending.TOO_LONG] == 12
    unsent = [turn for turn in lines(folder.out / TURNS) if turn["unsent"]]
    assert len(unsent) == 12
    assert "the context holds 800" in unsent[0]["unsent"]
    before = stage.made(folder)
    assert stage.made(stage()[0]) == before


def test_where_only_the_end_is_wrong_the_last_step_is_a_premature_stop():
    instance = DESK.generate(11, 0)
    steps = clean_run(DESK, instance).steps
    calls = [step.call for step in steps[:-2] if step.observation.ok]
    hand_over = [Call("escalate", {"reason": "I am not sure."}), Call("reply", {"text": "Wait."})]
    agent = replay([Action(call) for call in (*calls, *hand_over)])
    run, rule_fired = label_episode(DESK, instance, run_episode(DESK, instance, agent), "x")
    assert not rule_fired
    label = run.label
    assert (label.faulty, label.failure_type, label.outcome_correct) == (
        True, "premature_stop", False,
    )  # fmt: skip
    assert label.failure_step == len(run.steps) - 1


def test_a_finished_set_is_made_again_byte_for_byte_and_without_a_call(stage):
    folder, summary = stage(engine_of(by_the_procedure))
    before = stage.made(folder)
    for name in stage.made_files[:3]:
        (folder.out / name).unlink()
    again, same = stage()
    assert stage.made(again) == before
    assert same == summary


def test_the_whole_set_follows_from_the_turns_except_the_builds_in_the_manifest(stage):
    folder, _ = stage(engine_of(by_the_procedure))
    before = stage.made(folder)
    folder.manifest.unlink()
    again, _ = stage()
    after = stage.made(again)
    lost = json.loads(before["manifest.json"])
    lost["agent"]["builds"] = []
    made = json.loads(after.pop("manifest.json"))
    del lost["digest"], made["digest"]
    assert made == lost
    assert all(before[name] == after[name] for name in after)


def test_the_manifest_describes_the_agent_before_the_first_call(stage, tmp_path):
    seen = []

    def spy(request):
        seen.append(json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8")))
        return by_the_procedure(request)

    folder, _ = stage(engine_of(spy))
    sealed = seen[0]["agent"]
    assert sealed == json.loads(folder.manifest.read_text(encoding="utf-8"))["agent"]
    assert (sealed["engine"], sealed["engine_version"]) == ("scripted:player", "1")
    assert (sealed["temperature"], sealed["seed"], sealed["turns"]) == (0.0, 7, 10)
    assert (sealed["model_digest"], sealed["builds"]) == ("sha256:0", ["by hand"])
    assert len(sealed["prompt_hash"]) == 64


def test_more_episodes_are_added_to_those_that_are_kept(stage):
    few = STUDY.replace("12", "4")
    folder, _ = stage(engine_of(by_the_procedure), few)
    kept = (folder.out / TURNS).read_bytes()
    first = folder.trajectories.read_bytes()
    engine = engine_of(by_the_procedure)
    folder, summary = stage(engine)
    assert (folder.out / TURNS).read_bytes().startswith(kept)
    assert folder.trajectories.read_bytes().startswith(first)
    assert summary.n_episodes == 12
    assert engine.n_calls == len(lines(folder.out / TURNS)) - kept.count(b"\n")


def test_a_torn_line_is_removed_and_reported_and_its_turn_repeated(stage):
    folder, _ = stage(engine_of(by_the_procedure))
    before = stage.made(folder)
    turns = folder.out / TURNS
    whole = turns.read_bytes()
    turns.write_bytes(whole[:-40])
    engine = engine_of(by_the_procedure)
    again, _ = stage(engine)
    assert turns.read_bytes() == whole
    assert stage.made(again) == before
    assert engine.n_calls == 1
    assert any("torn" in line for line in stage.messages)


def test_episodes_played_at_a_time_make_the_set_of_those_played_in_turn(stage, tmp_path):
    in_turn, _ = stage(engine_of(by_the_procedure), out=tmp_path / "in turn")
    meeting = threading.Barrier(4, timeout=20)

    def meets_the_others_first(request):
        called, _ = answers_in(request)
        if not called:
            meeting.wait()
        return by_the_procedure(request)

    at_a_time, _ = stage(engine_of(meets_the_others_first), out=tmp_path / "abreast", parallel=4)
    for name in stage.made_files[:3]:
        assert stage.made(at_a_time)[name] == stage.made(in_turn)[name]
    first, second = (
        {(turn["trajectory_id"], turn["index"], turn["text"]) for turn in lines(out / TURNS)}
        for out in (at_a_time.out, in_turn.out)
    )
    assert first == second


def test_where_one_of_several_episodes_breaks_off_the_rest_keep_their_turns(stage):
    def breaks_at_the_third(request):
        called, _ = answers_in(request)
        if len(called) == 3:
            raise EngineError("The model went away.")
        return by_the_procedure(request)

    # The order of answers is open: three failures in a row may stop the run before its end.
    policy = RetryPolicy(pause_s=0.0, failures_in_a_row=99)
    _, nothing = stage(engine_of(breaks_at_the_third), parallel=4, retry_policy=policy)
    assert nothing is None
    assert stage.outcome.n_unmade == sum("went away" in text for text in stage.messages) == 12
    folder, summary = stage(engine_of(by_the_procedure), parallel=4)
    answered = [turn for turn in lines(folder.out / TURNS) if turn["text"] is not None]
    keys = [(turn["trajectory_id"], turn["index"]) for turn in answered]
    assert len(keys) == len(set(keys))
    assert (summary.n_episodes, summary.n_faulty) == (12, 0)


def test_each_new_episode_is_reported_at_its_end(stage):
    stage(engine_of(stops_early), STUDY.replace("12", "2"))
    assert stage.messages[:3] == [
        "scripted:player plays 2 episodes; 0 of its turns are kept.",
        "episode 1 of 2: 3 turns, ended by its reply; premature_stop",
        "episode 2 of 2: 3 turns, ended by its reply; premature_stop",
    ]
    stage(text=STUDY.replace("12", "2"))
    assert stage.messages[0] == "scripted:player plays 2 episodes; 6 of its turns are kept."
    assert stage.messages[1].startswith("2 episodes, 2 faulty")


def test_off_a_terminal_the_command_prints_each_episode_on_a_line(faultpair, study_file):
    text = STUDY.replace("scripted:player", "scripted:garbage").replace("12", "1")
    done = faultpair("run", study_file(text))
    assert done.err.splitlines()[:3] == [
        "scripted:garbage plays 1 episode; 0 of its turns are kept.",
        "episode 1 of 1: 2 turns, ended by answers that cannot be read; premature_stop",
        "1 episode, 1 faulty (0 silent, 1 loud)",
    ]


def test_a_line_that_is_no_turn_is_named(stage):
    folder, _ = stage(engine_of(by_the_procedure))
    turns = folder.out / TURNS
    turns.write_bytes(turns.read_bytes() + b'{"index": "x"}\n')
    with pytest.raises(RecordError, match=r"turns.jsonl, line \d+: "):
        stage()


def test_kept_answers_to_another_question_are_refused(stage):
    stage(engine_of(by_the_procedure))
    with pytest.raises(StudyError, match="another question"):
        stage(engine_of(by_the_procedure), STUDY.replace("seed = 11", "seed = 12"))


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("scripted:player", "scripted:other", "engine"),
        ("episodes = 12", "episodes = 12\ntemperature = 0.5", "temperature"),
        ("episodes = 12", "episodes = 12\nturns = 4", "prompt_hash"),
    ],
)
def test_an_agent_that_changed_is_another_agent(stage, old, new, key):
    stage(engine_of(by_the_procedure))
    with pytest.raises(StudyError, match=f"sealed in .* with {key} "):
        stage(engine_of(by_the_procedure), STUDY.replace(old, new))


def test_another_version_of_the_engine_may_not_finish_what_one_began(stage):
    stage(engine_of(by_the_procedure), STUDY.replace("12", "4"))
    with pytest.raises(StudyError, match="engine_version '1', and now it is '2'"):
        stage(engine_of(by_the_procedure, version="2"))


def test_a_seal_without_an_answer_is_not_binding(stage):
    def fails(request):
        raise EngineError("The server has no such model.")

    stage(engine_of(fails))
    assert "no such model" in stage.outcome.stopped
    _, summary = stage(engine_of(by_the_procedure, version="2"))
    assert summary.n_episodes == 12


def test_an_error_that_may_pass_is_tried_again_and_every_attempt_is_kept(stage):
    failures = iter([True, True, False])

    def shaky(request):
        if next(failures, False):
            raise EngineError("The server is busy.", transient=True)
        return by_the_procedure(request)

    folder, summary = stage(engine_of(shaky))
    assert summary.n_faulty == 0
    first = [turn for turn in lines(folder.out / TURNS) if turn["index"] == 0][:3]
    assert [turn["attempt"] for turn in first] == [1, 2, 3]
    assert [turn["error"] for turn in first] == ["The server is busy."] * 2 + [None]
    before = stage.made(folder)
    assert stage.made(stage()[0]) == before


def test_an_engine_that_stays_away_stops_the_play_and_leaves_the_set_as_it_was(stage):
    calls = iter(range(1000))

    def dies(request):
        if next(calls) >= 20:
            raise EngineError("The server went away.", transient=True)
        return by_the_procedure(request)

    engine = engine_of(dies)
    failed, nothing = stage(engine)
    assert nothing is None
    assert "went away" in stage.outcome.stopped
    assert engine.is_closed
    assert not failed.trajectories.exists()
    engine = engine_of(by_the_procedure)
    folder, _ = stage(engine)
    turns = lines(folder.out / TURNS)
    assert sum(turn["text"] is not None for turn in turns) == 20 + engine.n_calls


def test_text_that_is_no_text_is_kept_as_far_as_it_is(stage):
    folder, summary = stage(engine_of(lambda request: '{"thought": "\ud800"}'))
    assert summary.ended[Ending.UNREADABLE] == 12
    assert lines(folder.out / TURNS)[0]["text"] == '{"thought": "?"}'


def test_episodes_are_of_no_effect_on_each_other(stage, tmp_path):
    """The n-th episode is the same, whichever others are played."""
    folder, _ = stage(engine_of(by_the_procedure), STUDY.replace("12", "3"), out=tmp_path / "few")
    more, _ = stage(engine_of(by_the_procedure), out=tmp_path / "more")
    assert more.trajectories.read_bytes().startswith(folder.trajectories.read_bytes())


def test_a_player_of_another_domain_is_labelled_by_its_rules(stage):
    text = STUDY.replace('"support_desk"', '"toy"').replace('"rules", "sequence", "strict"', "")
    reply = partial(says, "reply")
    folder, summary = stage(engine_of(lambda request: reply(text="No coat.")), text)
    assert summary.n_faulty == 12
    assert {run["label"]["failure_type"] for run in lines(folder.trajectories)} != {None}


def test_a_run_plays_then_judges_and_the_rules_agree_with_their_labels(stage, tmp_path):
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    folder = open_study(tmp_path)
    engine = engine_of(stops_early)
    outcome = run_study(folder, engines=EngineFactory(open=lambda name, options: engine))
    assert outcome.n_open == 0
    verdicts = lines(folder.verdicts)
    assert Counter(verdict["judge_id"] for verdict in verdicts) == dict.fromkeys(
        ("rules", "sequence", "strict"), 12
    )
    by_rules = {v["trajectory_id"]: v for v in verdicts if v["judge_id"] == "rules"}
    for run in lines(folder.trajectories):
        said, label = by_rules[run["trajectory_id"]], run["label"]
        for key in ("faulty", "failure_step", "failure_type"):
            assert said[key] == label[key]
    before = stage.made(folder) | {"verdicts": folder.verdicts.read_bytes()}
    run_study(folder, engines=EngineFactory(open=None))  # no engine is opened again
    assert stage.made(folder) | {"verdicts": folder.verdicts.read_bytes()} == before


def test_a_played_set_is_not_built_over(stage):
    folder, _ = stage(engine_of(by_the_procedure))
    before = stage.made(folder)
    with pytest.raises(StudyError, match="so they cannot be built"):
        build(folder)
    assert stage.made(folder) == before


def test_a_study_without_an_agent_cannot_be_played(study_file):
    with pytest.raises(StudyError, match="names no agent"):
        make_episodes(open_study(study_file()), CallSession())


@pytest.mark.slow
def test_a_kill_loses_the_call_in_flight_and_nothing_else(stage, tmp_path):
    whole, _ = stage(engine_of(by_the_procedure), out=tmp_path / "whole")
    study, out = tmp_path / "study.toml", tmp_path / "killed"
    kept = kill_at_calls(__name__, study, out, (1, 0, 11, 30))
    engine = engine_of(by_the_procedure)
    folder, _ = stage(engine, out=out)
    assert engine.n_calls == len(lines(whole.out / TURNS)) - kept
    assert stage.made(folder) == stage.made(whole)


# Limits, and failures of single requests: the same as for judges.


@pytest.mark.parametrize("limit", [{"calls": 5}, {"verdicts": 5}])
def test_a_limit_stops_the_play_and_the_next_run_resumes_it(stage, limit):
    whole, _ = stage(engine_of(by_the_procedure), out=stage.root / "whole")
    engine = engine_of(by_the_procedure)
    folder, nothing = stage(engine, **limit)
    assert nothing is None
    assert engine.n_calls == len(lines(folder.out / TURNS)) == 5
    assert (stage.outcome.reached_limit, stage.outcome.stopped) == (True, None)
    assert stage.outcome.n_unmade == 12
    assert not folder.trajectories.exists()
    again = engine_of(by_the_procedure)
    folder, _ = stage(again)
    assert 5 + again.n_calls == len(lines(whole.out / TURNS))
    assert stage.made(folder) == stage.made(whole)


def test_a_limit_of_zero_opens_no_engine_and_counts_open_requests(stage):
    stage(engine_of(by_the_procedure), STUDY.replace("12", "3"))
    stage(None, verdicts=0)
    assert (stage.outcome.n_unmade, stage.outcome.reached_limit) == (9, True)


def test_a_request_that_fails_leaves_its_episode_open_and_the_others_are_played(stage):
    broken = iter([True])

    def fails_once(request):
        if "lookup_order" in answers_in(request)[0] and next(broken, False):
            raise EngineError("The request is refused.")
        return by_the_procedure(request)

    _, nothing = stage(engine_of(fails_once))
    assert nothing is None
    assert (stage.outcome.stopped, stage.outcome.n_unmade) == (None, 1)
    assert "INS-00000-agent: The request is refused." in stage.messages
    _, summary = stage(engine_of(by_the_procedure))
    assert (summary.n_episodes, summary.n_faulty) == (12, 0)


def test_overload_is_waited_out(stage):
    refused = iter([True, True])

    def full(request):
        if next(refused, False):
            raise EngineError("Too many requests.", transient=True, is_overload=True)
        return by_the_procedure(request)

    _, summary = stage(engine_of(full), parallel=2)
    assert summary.n_episodes == 12


def test_the_limits_of_a_run_hold_for_its_agent_and_its_judges_together(tmp_path):
    text = STUDY.replace("12", "1") + '[[model_judges]]\nid = "j"\nengine = "scripted:clean"\n'
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    engine = engine_of(never_ends)
    folder = open_study(tmp_path)
    factory = EngineFactory(open=lambda name, options: engine)
    outcome = run_study(folder, engines=factory, limits=RunLimits(verdicts=10))
    assert engine.n_calls == len(lines(folder.out / TURNS)) == 10
    assert (outcome.n_unmade, outcome.n_open, outcome.reached_limit) == (0, 1, True)


def test_max_calls_ends_the_command_with_3_and_the_same_command_goes_on(faultpair, study_file):
    study = study_file(STUDY.replace("scripted:player", "scripted:garbage").replace("12", "4"))
    done = faultpair("run", study, "--max-calls", 5)
    assert done.code == 3
    assert "The limit is reached; 2 parts of the set are open" in done.err
    assert len(lines(study.parent / TURNS)) == 5
    assert not (study.parent / "trajectories.jsonl").exists()
    assert faultpair("run", study).code == 0
    assert len(lines(study.parent / TURNS)) == 8
