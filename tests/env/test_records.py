"""The wire format: what a line of a record looks like, and that it comes back as it went."""

import json

import msgspec
import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Call, Cell, Label, Observation, Step, Trajectory, Verdict
from faultpair.oracle.catalog import clean_run

RUNS = [
    clean_run(domain, domain.generate(5, index))
    for domain in DOMAINS.values()
    for index in range(12)
]
FOREIGN = Trajectory(
    "t",
    "i",
    "Größe 鞄 \N{PILE OF POO}",
    (
        Step(0, "", Call("t", {"amount": 5.0, "n": 5, "none": None, "é": [True]}), None),
        Step(1, "", Call("", {}), Observation(False, {}, "no\nsuch\ttool")),
    ),
    "",
    Label(True, 0, "x", True, cell=Cell.CHANGED_LOST),
    end_state={"amount": 100.0},
)


@pytest.mark.parametrize("run", [*RUNS[::5], FOREIGN])
def test_a_trajectory_comes_back_as_it_was_written(run):
    assert msgspec.json.decode(msgspec.json.encode(run), type=Trajectory) == run


@pytest.mark.parametrize("domain", DOMAINS.values(), ids=list(DOMAINS))
def test_an_instance_comes_back_as_it_was_written(domain):
    for index in range(30):
        instance = domain.generate(5, index)
        line = msgspec.json.encode(instance)
        assert msgspec.json.decode(line, type=domain.instance_type) == instance


def test_a_line_is_compact_utf8_without_escapes():
    line = msgspec.json.encode(FOREIGN)
    assert "Größe 鞄 💩".encode() in line
    assert b"\\u" not in line
    assert b"\n" not in line
    assert line == json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":")).encode()


def test_a_whole_float_keeps_its_point_and_an_integer_has_none():
    line = msgspec.json.encode(FOREIGN)
    assert b'"amount":5.0,"n":5,' in line
    assert b'{"amount":100.0}' in line


def test_every_key_is_present_in_the_order_of_the_schema():
    for record in (FOREIGN, Verdict("t", "j", None, None, None, None, "")):
        assert list(json.loads(msgspec.json.encode(record))) == list(record.__struct_fields__)
    (step, _) = json.loads(msgspec.json.encode(FOREIGN))["steps"]
    assert list(step) == list(Step.__struct_fields__)
    assert step["observation"] is None


def test_the_fields_of_the_release_come_first_in_its_order():
    assert Trajectory.__struct_fields__[:6] == (
        "trajectory_id", "instance_id", "goal", "steps", "final_answer", "label",
    )  # fmt: skip
    assert Label.__struct_fields__[:4] == (
        "faulty", "failure_step", "failure_type", "outcome_correct",
    )  # fmt: skip
    assert Verdict.__struct_fields__[:11] == (
        "trajectory_id", "judge_id", "faulty", "failure_step", "failure_type", "confidence",
        "rationale", "latency_s", "prompt_tokens", "completion_tokens", "error",
    )  # fmt: skip


def test_a_record_cannot_be_changed():
    with pytest.raises(AttributeError, match="immutable"):
        FOREIGN.goal = "another"


def test_an_unknown_field_is_refused_at_any_depth():
    line = msgspec.json.encode(FOREIGN).replace(b'"amount":5.0', b'"amount":5.0}, "x": {')
    with pytest.raises(
        msgspec.ValidationError, match=r"unknown field `x` - at `\$.steps\[0\].call`"
    ):
        msgspec.json.decode(line, type=Trajectory)


@pytest.mark.parametrize("reply_changed", [True, False])
@pytest.mark.parametrize("outcome_survives", [True, False])
def test_a_cell_says_what_it_is_made_of(reply_changed, outcome_survives):
    reply, outcome = Cell.of(reply_changed=reply_changed, outcome_survives=outcome_survives).split(
        "-"
    )
    assert reply == ("changed" if reply_changed else "unchanged")
    assert outcome == ("survives" if outcome_survives else "lost")
