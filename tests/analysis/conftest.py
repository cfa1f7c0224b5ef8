"""A small study, written as records, for tests to read, break and shuffle."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest

SCENARIOS = ("happy", "expired", "fee")
TYPES = {  # step, outcome correct, reply changed
    "skipped": (1, True, False),
    "wrong_amount": (2, False, False),
    "promise": (2, True, True),
    "stop": (1, False, True),
}


HEAD = 'title = "Small"\ndomain = "toy"\nseed = 1\n'


@dataclass
class Records:
    """The lines of a study, as dictionaries, and the folder they are written to."""

    folder: Path
    instances: list = field(default_factory=list)
    trajectories: list = field(default_factory=list)
    verdicts: list = field(default_factory=list)
    study_file: str = ""

    def write(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in ("instances", "trajectories", "verdicts"):
            if name == "instances" and not self.instances:
                continue  # an empty file would be one that lost its lines
            lines = [json.dumps(record, ensure_ascii=False) for record in getattr(self, name)]
            text = "".join(f"{line}\n" for line in lines)
            (self.folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
        # A study has either an agent or clean and planted runs.
        clean = "" if "[agent]" in self.study_file else "clean = 12\n"
        text = f"{HEAD}{clean}{self.study_file}"
        (self.folder / "study.toml").write_text(text, encoding="utf-8")
        return self.folder

    def judged(self, judge_id, decide, **fields):
        """Add one judge's verdict about every run; ``decide`` sees the trajectory."""
        for trajectory in self.trajectories:
            self.verdicts.append(verdict(trajectory, judge_id, decide(trajectory), **fields))
        return self


def verdict(trajectory, judge_id, faulty, **fields):
    label = trajectory["label"]
    right_type = label["failure_type"] if faulty else None
    step = label["failure_step"] if faulty else None
    return {
        "trajectory_id": trajectory["trajectory_id"],
        "judge_id": judge_id,
        "faulty": faulty,
        "failure_step": step,
        "failure_type": right_type,
        "confidence": 0.9 if faulty else 0.8,
        "rationale": f"{judge_id} says {faulty}",
        **fields,
    }


def named(numbers):
    """Return numbers by the names that they have in files."""
    return {str(key): number for key, number in numbers.items()}


def run(number, kind=None, *, control=None):
    """One trajectory: clean, or with a fault of a kind, or a control."""
    name = f"T{number:03d}"
    step, correct, changed = TYPES.get(kind, (None, True, False))
    clean = kind is None and control is None
    n_steps = 2 if kind == "stop" else 3
    steps = [
        {
            "index": index,
            "thought": "",
            "call": {"tool": f"{kind}{control}" if index == step else "look", "args": {}},
            "observation": None,
        }
        for index in range(n_steps)
    ]
    reply = f"Hello {number}{' and more' if changed else ''}"
    return {
        "trajectory_id": f"{name}-{kind or control or 'clean'}",
        "instance_id": name,
        "goal": f"Goal {number}",
        "steps": steps,
        "final_answer": reply,
        "label": {
            "faulty": kind is not None,
            "failure_step": step,
            "failure_type": kind,
            "outcome_correct": correct,
            "parent_id": None if clean else f"{name}-clean",
            "control": control,
            "reply_changed": None if clean else changed,
        },
        "domain": "toy",
        "end_state": {"done": correct},
    }


def small_records(folder, n_instances=12):
    records = Records(folder)
    for number in range(n_instances):
        scenario = SCENARIOS[number % len(SCENARIOS)]
        records.instances.append(
            {
                "instance_id": f"T{number:03d}",
                "difficulty": scenario,
                "goal": f"Goal {number}",
                "given": {},
            }
        )
        kinds = [None, *TYPES] if number % 2 else [None, "skipped", "promise"]
        records.trajectories += [run(number, kind) for kind in kinds]
        records.trajectories.append(run(number, control="reworded"))
    return records


def sees_steps(trajectory):
    """Flag what changed a step, and some clean runs."""
    return trajectory["label"]["faulty"] or trajectory["instance_id"] in ("T001", "T004")


def sees_reply(trajectory):
    """Decide by the reply alone."""
    return sum(trajectory["final_answer"].encode()) % 3 == 0


@pytest.fixture
def records(tmp_path):
    made = small_records(tmp_path / "results" / "small")
    made.judged("stepper", sees_steps, view="full-steps", task="check")
    return made.judged("reader", sees_reply, view="goal-and-reply", task="judge")
