"""Judges of plans in a study, from its file to the verdicts, on a set that is written by hand."""

import json
import re
from collections import Counter

import pytest
from pydantic import ValidationError

from faultpair.calls.client import RetryPolicy
from faultpair.calls.session import EngineFactory, RunLimits
from faultpair.env.errors import StudyError, UsageError
from faultpair.env.plans.records import Tier, ToolSchema
from faultpair.env.records import Call, Label, Step, Trajectory
from faultpair.env.workflow.instances import WorkflowInstance, at_tier
from faultpair.judges.plan_metrics.metrics import METRICS
from faultpair.runner.current_verdicts import holds_last_exchange
from faultpair.runner.panel import panel_of
from faultpair.runner.run import run_study
from faultpair.sets.host_offers import InstanceRuns
from faultpair.sets.order import stratum_of
from faultpair.studies.files import encode
from faultpair.studies.folder import open_study
from faultpair.studies.spec import PlanJudgeSpec, StudySpec

from ...fake_engine import FakeEngine

TOPOLOGIES = ("linear", "fan_in")
N_RECORDS = 8

HEAD = """\
title = "Plans"
domain = "workflow"
seed = 7
clean = 8
tiers = ["easy", "hard"]
"""


def record(number):
    """Return a record that plans with two of five tools."""
    names = [f"tool_{(number + step) % 5}" for step in range(2)]
    asks = {"properties": {"area": {"type": "string"}}, "required": ["area"]}
    gives = {"type": "object", "properties": {"load": {"type": "number"}}}
    return WorkflowInstance(
        f"WFL-{number:05}-easy", TOPOLOGIES[number % 2], f"Easy {number}.", {}, f"WFL-{number:05}",
        "energy_grid", Tier.EASY, f"Easy {number}.", f"Medium {number}.", f"Hard {number}.",
        tuple(ToolSchema(f"tool_{each}", "Do it.", asks, gives) for each in range(5)),
        (Call(names[0], {"area": "north"}), Call(names[1], {"area": f"${names[0]}.load"})),
    )  # fmt: skip


def run(instance, origin, calls, label):
    steps = tuple(Step(index, "", call, None) for index, call in enumerate(calls))
    name = f"{instance.instance_id}-{origin}"
    return Trajectory(
        name, instance.instance_id, instance.goal, steps, "", label, "workflow", {"delivered": []}
    )


def lots(domain, study):
    """Yield each record at two tiers, with its plan and with one that lacks the last call."""
    for number in range(N_RECORDS):
        for tier in (Tier.EASY, Tier.HARD):
            instance = at_tier(record(number), tier)
            clean = run(instance, "clean", instance.plan, Label(False, None, None, True))
            short = run(
                instance, "missing", instance.plan[:1],
                Label(True, 0, "missing_call", False, clean.trajectory_id),
            )  # fmt: skip
            runs = [(stratum_of(each), encode(each)) for each in (clean, short)]
            yield InstanceRuns(encode(instance), runs)


def grades(request, value=1, reason="It fits."):
    """Return an answer to a request that gives all the metrics it asks for one grade."""
    metrics = request.json_schema["properties"]
    return json.dumps({metric: {"reason": reason, "score": value} for metric in metrics})


def as_the_plan_deserves(request):
    """Return full marks for two calls, and half for one."""
    n_calls = prompt(request).split("PLAN TO GRADE\n")[1].split("\n\n")[0].count("\n") + 1
    return grades(request, 1 if n_calls == 2 else 0.5)


def prompt(request):
    return "\n".join(message.content for message in request.messages)


class Lab:
    """A study of 32 plans: 8 records at 2 tiers, each with its plan and with one call less."""

    def __init__(self, out):
        self.out = out
        self.engine = FakeEngine()
        self.n_opened = 0

    def study(self, text, head=HEAD):
        judge = '\n[[plan_judges]]\nengine = "scripted:own"\nid = "j"\n'
        (self.out / "study.toml").write_text(head + judge + text, encoding="utf-8")
        self.folder = open_study(self.out)
        return self

    def run(self, reply=as_the_plan_deserves, **limits):
        def open_engine(name, options):
            self.n_opened += 1
            return self.engine

        self.engine = FakeEngine(reply)
        patience = RetryPolicy(attempts=2, pause_s=0.001)
        return run_study(
            self.folder, limits=RunLimits(retry_policy=patience, **limits), source=lots,
            engines=EngineFactory(open=open_engine),
        )  # fmt: skip

    @property
    def asked(self):
        return self.engine.requests

    @property
    def verdicts(self):
        return [json.loads(line) for line in self.folder.verdicts.read_bytes().splitlines()]

    @property
    def replies(self):
        return [json.loads(line) for line in self.folder.replies.read_bytes().splitlines()]


@pytest.fixture
def lab(tmp_path):
    return Lab(tmp_path)


def test_a_study_of_plans_ends_in_four_scores_with_reasons(lab):
    outcome = lab.study("").run()
    assert (outcome.n_asked, outcome.n_open, outcome.n_failed) == (32, 0, 0)
    assert len(lab.verdicts) == 32
    for verdict in lab.verdicts:
        is_short = verdict["trajectory_id"].endswith("missing")
        value = 0.5 if is_short else 1.0
        entry = {"value": value, "reason": "It fits."}
        assert verdict["scores"] == dict.fromkeys(METRICS, entry)
        assert verdict["faulty"] is is_short
        assert (verdict["failure_step"], verdict["failure_type"]) == (None, None)
        assert (verdict["view"], verdict["task"]) == ("plan", "grade-plan-rubric")
        assert verdict["prompt_hash"] == lab.replies[0]["prompt_hash"]


def reference_in(request):
    found = re.search(r"REFERENCE PLAN\n1\. (\w+) .*\n2\. (\w+) ", prompt(request))
    return found and found.groups()


def number_in(request):
    return int(re.search(r"(?:Easy|Hard) (\d+)\.", prompt(request))[1])


def names_of(number):
    return tuple(call.tool for call in record(number).plan)


def test_no_reference_plan_is_shown_unless_the_judge_is_to_see_one(lab):
    lab.study("").run()
    assert not any(map(reference_in, lab.asked))


def test_the_right_plan_is_shown_where_ground_truth_is_shown(lab):
    lab.study('ground_truth = "shown"\n').run()
    assert len(lab.asked) == 32
    assert all(reference_in(asked) == names_of(number_in(asked)) for asked in lab.asked)
    assert lab.verdicts[0]["view"] == "plan-with-reference"


def test_another_plan_of_the_topology_is_shown_where_ground_truth_is_corrupted(lab):
    lab.study('ground_truth = "corrupted"\ntiers = ["hard"]\n').run()
    shown = {number_in(asked): reference_in(asked) for asked in lab.asked}
    assert set(shown) == set(range(N_RECORDS))
    for topology in range(2):
        numbers = range(topology, N_RECORDS, 2)
        assert Counter(shown[n] for n in numbers) == Counter(map(names_of, numbers))
    assert all(shown[number] != names_of(number) for number in shown)
    assert lab.verdicts[0]["view"] == "plan-with-corrupted-reference"


def test_a_judge_may_go_over_some_tiers_only(lab):
    lab.study('tiers = ["hard"]\n').run()
    assert len(lab.verdicts) == 16
    assert all("-hard-" in verdict["trajectory_id"] for verdict in lab.verdicts)


def test_the_four_calls_of_a_single_form_make_one_verdict(lab):
    def reply(request):
        return grades(request, 4 if "on sequence alone" in prompt(request) else 5)

    outcome = lab.study('form = "single"\n').run(reply)
    assert (outcome.n_asked, outcome.n_open) == (128, 0)
    assert len(lab.verdicts) == 32
    for verdict in lab.verdicts:
        assert [entry["grade"] for entry in verdict["scores"].values()] == [5, 5, 4, 5]
        assert [entry["value"] for entry in verdict["scores"].values()] == [1, 1, 0.5, 1]
        assert list(verdict["scores"]) == list(METRICS)
        assert (verdict["faulty"], verdict["sample"]) == (True, 0)
    kept = {reply["trajectory_id"]: 0 for reply in lab.replies}
    for reply in lab.replies:
        kept[reply["trajectory_id"]] += reply["completion_tokens"]
    assert {v["trajectory_id"]: v["completion_tokens"] for v in lab.verdicts} == kept


def test_a_verdict_in_parts_waits_for_all_and_is_unscored_if_one_is(lab):
    def reply(request):
        assert not lab.folder.verdicts.exists()  # a part is no verdict
        return "no" if "on sequence alone" in prompt(request) else grades(request, 5)

    lab.study('form = "single"\nretries = 0\n').run(reply, verdicts=6)
    (verdict,) = lab.verdicts
    assert (verdict["faulty"], verdict["scores"]) == (None, None)
    assert verdict["unscored"] == "the answer is not JSON"


def test_a_metric_that_two_answers_grade_leaves_a_verdict_in_parts_unscored(lab):
    def reply(request):
        return json.dumps({"sequence": {"reason": "", "score": 5}})

    lab.study('form = "single"\n').run(reply, verdicts=4)
    (verdict,) = lab.verdicts
    assert verdict["unscored"] == "two answers grade the same metric"


def test_an_answer_that_cannot_be_read_is_asked_for_again_drawn_anew(lab):
    def reply(request):
        return as_the_plan_deserves(request) if request.seed != 7 else "Looks fine."

    outcome = lab.study('tiers = ["hard"]\n').run(reply)
    assert (outcome.n_asked, outcome.n_open) == (32, 0)
    assert Counter((one.seed, one.temperature) for one in lab.asked) == {
        (7, 0.0): 16,
        (1_000_010, 0.5): 16,
    }
    assert len(lab.verdicts) == 16
    assert all(verdict["scores"] for verdict in lab.verdicts)
    assert {reply["text"][0] for reply in lab.replies} == {"L", "{"}


def test_an_unreadable_answer_is_requested_twice_more_and_then_unscored(lab):
    outcome = lab.study('tiers = ["hard"]\n').run(lambda request: "Looks fine.")
    assert (outcome.n_asked, outcome.n_open) == (48, 0)
    assert Counter(one.seed for one in lab.asked) == {7: 16, 1_000_010: 16, 2_000_013: 16}
    assert len(lab.verdicts) == 16
    assert {verdict["unscored"] for verdict in lab.verdicts} == {"the answer is not JSON"}
    assert lab.n_opened == 1  # to open a model is to load it


def test_a_judge_may_take_no_for_an_answer(lab):
    lab.study("retries = 0\n").run(lambda request: "Looks fine.")
    assert len(lab.asked) == 32


def test_a_run_that_was_limited_asks_again_in_the_next_one(lab):
    def reply(request):
        return as_the_plan_deserves(request) if request.seed != 7 else "Looks fine."

    lab.study('tiers = ["hard"]\n')
    outcome = lab.run(reply, verdicts=5)
    assert (outcome.n_asked, outcome.n_open, len(lab.verdicts)) == (5, 16, 0)
    outcome = lab.run(reply)
    assert (outcome.n_asked, outcome.n_open, len(lab.verdicts)) == (27, 0, 16)
    assert len({one["request_hash"] for one in lab.replies}) == 32
    assert lab.run(reply).n_asked == 0
    assert all(verdict["scores"] for verdict in lab.verdicts)


def test_the_last_answer_is_kept_in_the_verdict_though_sharing_is_off(lab):
    def reply(request):
        return as_the_plan_deserves(request) if request.seed != 7 else "Looks fine."

    lab.study("").run(reply, share=False)
    assert len(lab.asked) == 64
    assert all(verdict["scores"] for verdict in lab.verdicts)


def test_a_judge_is_sealed_with_its_condition(lab):
    lab.study('ground_truth = "shown"\n').run(verdicts=1)
    sealed = json.loads(lab.folder.manifest.read_text())["judges"]["j"]
    assert (sealed["ground_truth"], sealed["form"], sealed["swap_seed"]) == ("shown", "rubric", 7)
    with pytest.raises(StudyError, match="The judge 'j' was sealed"):
        lab.study('ground_truth = "shown"\nretries = 1\n').run()


def test_a_vote_is_on_whole_verdicts(lab):
    text = 'form = "single"\nrepeats = 3\n\n[[votes]]\nid = "v"\nof = "j"\nk = {}\n'
    lab.study(text.format(3)).run(lambda request: grades(request, 5))
    votes = [verdict for verdict in lab.verdicts if verdict["judge_id"] == "v"]
    assert (len(votes), {vote["faulty"] for vote in votes}) == (32, {False})
    with pytest.raises(StudyError, match="takes 4 passes, and 'j' makes 3"):
        lab.study(text.format(4)).run()


def test_plans_are_not_graded_where_there_are_none():
    spec = PlanJudgeSpec(id="p", engine="scripted:own")
    study = StudySpec(title="t", domain="support_desk", seed=1, clean=1, plan_judges=(spec,))
    with pytest.raises(StudyError, match="'p' grades plans, and the domain 'support_desk' has"):
        panel_of(study)


def test_an_external_judge_gets_no_instructions_for_grading_plans(lab):
    text = HEAD + '\n[[plan_judges]]\nid = "p"\nengine = "cmd:judge"\n'
    (lab.out / "study.toml").write_text(text)
    with pytest.raises(StudyError, match="cmd:judge is an external judge"):
        panel_of(open_study(lab.out).study)


def test_a_tier_that_the_study_does_not_have_is_refused(lab):
    with pytest.raises(StudyError, match="of the tier 'medium', and the study has easy, hard"):
        panel_of(lab.study('tiers = ["medium"]\n').folder.study)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("default = 0.7\n", "default is the score that a rubric starts from: 1 or 0.5"),
        ('default = 0.5\nform = "binary"\n', "default = 0.5 is for form = 'rubric', and the form"),
        ('ground_truth = "wrong"\n', "plan_judges.0.ground_truth"),
        ("retries = 3\n", "plan_judges.0.retries"),
        ('view = "full-steps"\n', "plan_judges.0.view: there is no such key here"),
    ],
)
def test_what_does_not_go_together_is_refused(lab, text, said):
    with pytest.raises(StudyError, match=re.escape(said)):
        lab.study(text)


def test_a_default_of_one_half_reaches_the_judge():
    assert PlanJudgeSpec(id="p", engine="e", default=0.5).default == 0.5
    with pytest.raises(ValidationError):
        PlanJudgeSpec(id="p", engine="e", default=0.5, form="free")


def test_a_ground_truth_that_cannot_be_corrupted_is_refused(lab, monkeypatch):
    monkeypatch.setitem(globals(), "N_RECORDS", 2)
    with pytest.raises(UsageError, match="cannot be corrupted: 1 of its 1 records"):
        lab.study('ground_truth = "corrupted"\n').run()
    assert not lab.asked


@pytest.mark.parametrize(
    ("form", "limit", "holds"),
    [("rubric", 1, False), ("single", 3, False), ("single", 4, True)],
    ids=["unreadable, redraw open", "parts open", "all parts answered"],
)
def test_verdicts_hold_the_last_answer_if_it_gave_a_whole_verdict(lab, form, limit, holds):
    lab.study(f'form = "{form}"\n')
    reply = grades if form == "single" else lambda request: "Looks fine."
    lab.run(reply, verdicts=limit)
    assert holds_last_exchange(lab.folder.verdicts, lab.folder.replies) is holds
