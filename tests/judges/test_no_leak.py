"""A judge that asks is shown what its view shows of the exhibit, and nothing else can reach it.

The strongest form of that is a law: swap everything that is not on view (the label,
the ids, the hidden half of the instance), and not a byte of any request changes.
"""

import re
from itertools import islice, product

import msgspec
import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Call, Cell, Label, Observation, ReplyPolicy, Trajectory
from faultpair.injector.catalog import faults_of
from faultpair.judges.exhibit import exhibit_of
from faultpair.judges.external import ExternalJudge
from faultpair.judges.model_judge import ModelJudge
from faultpair.judges.task import TASKS, AnswerForm
from faultpair.judges.view import VIEWS
from faultpair.sets.build import runs_by_instance
from faultpair.studies.spec import PlantSpec, StudySpec

N_INSTANCES = {"support_desk": 60, "toy": 12}
MARK = "leaked-marker"

MARKED_LABEL = Label(
    faulty=True,
    failure_step=987_654,
    failure_type=f"{MARK}-type",
    outcome_correct=False,
    parent_id=f"{MARK}-parent",
    control=f"{MARK}-control",
    reply_changed=True,
    cell=Cell.CHANGED_LOST,
    reply_policy=ReplyPolicy.CONSISTENT,
    variant=f"{MARK}-variant",
    edit=f"{MARK}-edit",
)


def judges_of(domain):
    """Return a judge of every view, task and form of answer, and one from outside."""
    asking = [
        ModelJudge("j", domain, "scripted:clean", view, task, form)
        for view, task, form in product(VIEWS, TASKS, AnswerForm)
    ]
    return [*asking, ExternalJudge("o", "cmd:judge")]


def every_kind_of_run(domain):
    """Return runs of all fault types, controls, policies and variants of a domain."""
    named = faults_of(domain)
    plants = {
        is_control: tuple(
            PlantSpec(name=fault.name, count=12, policy=policy)
            for fault in named
            if fault.is_control is is_control
            for policy in fault.policies
        )
        for is_control in (False, True)
    }
    study = StudySpec(
        title="t", domain=domain, seed=5, clean=6, faults=plants[False], controls=plants[True]
    )
    made = islice(runs_by_instance(DOMAINS[domain], study), N_INSTANCES[domain])
    decode = msgspec.json.decode
    return [
        (decode(line, type=Trajectory), decode(instance, type=DOMAINS[domain].instance_type))
        for instance, runs in made
        for _, line in runs
    ]


@pytest.fixture(scope="module", params=["support_desk", "toy"])
def runs(request):
    return every_kind_of_run(request.param)


def asked(judge, run, instance):
    """Return every byte that goes out about a run."""
    return msgspec.json.encode(judge.request(exhibit_of(run, instance), sample=0, repeat=0))


def marked(run, instance):
    """Return a run and its instance with markers wherever a judge must not look."""
    return (
        msgspec.structs.replace(
            run, trajectory_id=f"{MARK}-id", instance_id=f"{MARK}-instance", label=MARKED_LABEL,
            steps=tuple(
                msgspec.structs.replace(step, start_s=987_654, end_s=987_655) for step in run.steps
            ),
        ),
        msgspec.structs.replace(
            instance, instance_id=f"{MARK}-instance", difficulty=f"{MARK}-scenario"
        ),
    )  # fmt: skip


def shown_words(run):
    """Return the text that a judge may see of a run, whatever its view."""
    parts = (run.goal, run.steps, run.final_answer, run.end_state)
    return msgspec.json.encode(parts).decode()


def secrets(run, instance):
    """Return the words about a run that no judge may read, where they say something."""
    label = run.label
    words = [
        run.trajectory_id, run.instance_id, instance.instance_id, label.parent_id, label.edit,
        label.control, "outcome_correct", "reply_changed", "reply_policy",
        "parent_id", "trajectory_id", "instance_id", "difficulty",
        None if label.cell is None else label.cell.value,
    ]  # fmt: skip
    return [word for word in words if word is not None and word not in shown_words(run)]


def leaks(text, run, instance):
    words = [word for word in secrets(run, instance) if word in text]
    return words + re.findall(r"failure_step\W+\d+", text)


def told(request):
    """Return what a request says, as one text."""
    return "\n".join(message.content for message in request.messages)


def test_the_runs_are_of_every_kind(runs):
    domain = runs[0][0].domain
    kinds = {run.label.failure_type or run.label.control for run, _ in runs}
    assert kinds == {*(fault.name for fault in faults_of(domain)), None}
    assert len(runs) >= (300 if domain == "support_desk" else 30)


def test_no_request_depends_on_label_ids_scenario_or_times(runs):
    judges = judges_of(runs[0][0].domain)
    for number, (run, instance) in enumerate(runs):
        # Every judge sees some of the runs, and every run is seen by several judges.
        for judge in judges[number % 7 :: 7]:
            assert asked(judge, run, instance) == asked(judge, *marked(run, instance))


def test_no_request_depends_on_the_hidden_half_of_the_instance(runs):
    judges = judges_of(runs[0][0].domain)
    others = [instance for _, instance in reversed(runs)]
    for number, ((run, instance), other) in enumerate(zip(runs, others, strict=True)):
        swapped = msgspec.structs.replace(other, goal=instance.goal, given=instance.given)
        for judge in judges[number % 7 :: 7]:
            assert asked(judge, run, instance) == asked(judge, run, swapped)


def test_no_marker_and_no_word_of_a_label_is_in_any_request(runs):
    judges = judges_of(runs[0][0].domain)
    for number, (run, instance) in enumerate(runs):
        for judge in judges[number % 7 :: 7]:
            text = told(judge.request(exhibit_of(run, instance), sample=0, repeat=0))
            assert leaks(text, run, instance) == []
            assert MARK not in asked(judge, *marked(run, instance)).decode()


def test_no_request_shows_a_reference(runs):
    run, instance = runs[0]
    exhibit = exhibit_of(run, instance, reference={MARK: 987_654})
    for judge in judges_of(run.domain):
        text = msgspec.json.encode(judge.request(exhibit, sample=0, repeat=0)).decode()
        assert MARK not in text


def test_all_judges_get_the_same_kinds_of_fault(runs):
    """The taxonomy is in every prompt, so its words say nothing of the run at hand."""
    roles = set()
    for run, instance in runs:
        judge = ModelJudge("j", run.domain, "scripted:clean")
        roles.add(judge.request(exhibit_of(run, instance), sample=0, repeat=0).messages[0])
    assert len(roles) == 1


# Each part of a run that a view leaves out, and the views that show it.

MOVED = {
    "thought": lambda step: msgspec.structs.replace(step, thought="Something else."),
    "args": lambda step: msgspec.structs.replace(step, call=Call(step.call.tool, {"else": 1})),
    "tool": lambda step: msgspec.structs.replace(step, call=Call("else", step.call.args)),
    "observation": lambda step: msgspec.structs.replace(
        step, observation=Observation(True, {"else": 1}, None)
    ),
}
SHOWN = {
    "goal-and-reply": {"reply"},
    "full-steps": {"thought", "args", "tool", "observation", "reply"},
    "steps-without-thoughts": {"args", "tool", "observation", "reply"},
    "calls-only": {"args", "tool"},
    "reply-and-end-state": {"reply", "end_state"},
    "reply-with-observations": {"tool", "observation", "reply"},
    "whole-exhibit": {"thought", "args", "tool", "observation", "reply", "end_state"},
}


def changed(exhibit, part):
    if part in MOVED:
        steps = tuple(map(MOVED[part], exhibit.steps))
        return msgspec.structs.replace(exhibit, steps=steps)
    value = {"reply": "Something else.", "end_state": {"else": 1}}[part]
    return msgspec.structs.replace(exhibit, **{part: value})


@pytest.mark.parametrize("view", list(VIEWS))
def test_a_view_shows_its_parts_and_hides_the_others(runs, view):
    for run, instance in runs[:30]:
        exhibit = exhibit_of(run, instance)
        for part in (*MOVED, "reply", "end_state"):
            differs = VIEWS[view].render(exhibit) != VIEWS[view].render(changed(exhibit, part))
            assert differs == (part in SHOWN[view]), (view, part)


# The tests above must be able to fail.


class Leaky:
    """A judge that is given more than it may see, in the way it is told."""

    def __init__(self, leak):
        self.leak = leak

    def ask(self, run, instance):
        judge = ModelJudge("j", run.domain, "scripted:clean")
        exhibit = exhibit_of(run, instance)
        spoilt = msgspec.structs.replace(exhibit, goal=f"{exhibit.goal} {self.leak(run, instance)}")
        return told(judge.request(spoilt, sample=0, repeat=0))


@pytest.mark.parametrize(
    "leak",
    [
        lambda run, instance: run.trajectory_id,
        lambda run, instance: run.label.parent_id,
        lambda run, instance: run.label.edit,
        lambda run, instance: run.label.cell.value,
        lambda run, instance: f'{{"failure_step": {run.label.failure_step}}}',
    ],
)
def test_a_leak_in_words_is_found(runs, leak):
    run, instance = next(pair for pair in runs if pair[0].label.faulty)
    assert leaks(Leaky(leak).ask(run, instance), run, instance)


@pytest.mark.parametrize(
    "leak",
    [
        lambda run, instance: run.label.faulty and "perhaps",
        lambda run, instance: run.label.failure_step,
        lambda run, instance: len(run.label.failure_type or ""),
        lambda run, instance: instance.difficulty[-1],
        lambda run, instance: run.steps[0].start_s,
    ],
)
def test_a_leak_without_words_is_found_by_the_swap(runs, leak):
    judge = Leaky(leak)
    assert any(judge.ask(*pair) != judge.ask(*marked(*pair)) for pair in runs)
