"""What the calls of episodes are, in written trajectories and in the committed ones."""

import json
from pathlib import Path

import pytest

from faultpair.analysis.data.episode_calls import read_episode_calls
from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.episodes import episode_numbers

from ..conftest import named

AGENT = Path(__file__).resolve().parents[3] / "results" / "agent"


def read(tmp_path, *calls, reply="", end_state=None, domain="support_desk"):
    steps = [
        {"index": i, "thought": "", "call": {"tool": tool, "args": args}, "observation": None}
        for i, (tool, args) in enumerate(calls)
    ]
    run = {"trajectory_id": "a", "steps": steps, "final_answer": reply, "domain": domain}
    path = tmp_path / "trajectories.jsonl"
    path.write_text(json.dumps(run | {"end_state": end_state}) + "\n", encoding="utf-8")
    (found,) = read_episode_calls(path)
    return found


def test_a_call_is_repeated_if_tool_and_arguments_are_those_of_an_earlier_one(tmp_path):
    one, same, other = {"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1}
    found = read(tmp_path, ("x", one), ("x", same), ("y", one), ("x", other), ("x", one))
    assert found.n_repeated == 2


def test_replies_are_the_calls_that_speak_to_the_user(tmp_path):
    found = read(
        tmp_path, ("reply", {"text": "Wait."}), ("escalate", {}), ("reply", {"text": "No."})
    )
    assert found.n_replies == 2


@pytest.mark.parametrize(
    ("reply", "mentions"),
    [
        ("Your refund is on its way.", True),
        ("It was REFUNDED.", True),
        ("A colleague calls.", False),
    ],
)
def test_a_reply_speaks_of_a_refund_or_not(tmp_path, reply, mentions):
    assert read(tmp_path, reply=reply).mentions is mentions


def test_without_a_reply_nothing_is_spoken_of(tmp_path):
    assert read(tmp_path).mentions is None


def test_a_refund_is_done_if_the_end_state_has_its_amount(tmp_path):
    assert read(tmp_path, reply="Done.", end_state={"amount_eur": 5.0}).is_done
    assert not read(tmp_path, reply="Done.", end_state={"amount_eur": None}).is_done


def test_a_domain_without_a_sequence_has_none(tmp_path):
    found = read(tmp_path, ("look", {}), ("look", {}), domain="toy")
    assert (found.n_repeated, found.follows, found.follows_strictly) == (1, None, None)
    assert read(tmp_path, ("look", {}), domain="of nobody here").follows is None


def test_the_committed_episodes_are_counted():
    numbers = named(episode_numbers(load_study(AGENT)))
    counted = {
        "calls-repeated": 122,
        "replies": 20,
        "repeats-a-call": 21 / 40,
        "replied-once": 20 / 40,
        "sequence-strict": 5 / 40,
        "sequence-lenient": 15 / 40,
        "states-refund": 5 / 12,
        "mentions-done": 11 / 12,
        "mentions-undone": 5 / 8,
    }
    assert {name: numbers[f"agent/{name}"].estimate for name in counted} == counted


def test_the_committed_episodes_repeat_what_other_code_counts():
    lines = (AGENT / "trajectories.jsonl").read_text(encoding="utf-8").splitlines()
    repeated = 0
    for line in lines:
        calls = [json.dumps(s["call"], sort_keys=True) for s in json.loads(line)["steps"]]
        repeated += sum(call in calls[:place] for place, call in enumerate(calls))
    assert repeated == 122
