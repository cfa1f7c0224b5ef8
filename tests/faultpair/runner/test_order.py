"""The order of requests in world 2: drawn, the same after a stop, blind to labels and ids."""

from collections import Counter
from dataclasses import replace
from itertools import groupby

import pytest
from msgspec.structs import replace as changed

from faultpair.env.errors import StudyError
from faultpair.judges.external import ExternalJudge
from faultpair.judges.model_judge import ModelJudge
from faultpair.runner.order import BLOCK, InstancesDrawn, RequestOrder
from faultpair.runner.panel import JudgeAssignment, panel_of
from faultpair.runner.requests import plan_requests
from faultpair.studies.folder import open_study
from faultpair.studies.preregistration import seal_study
from faultpair.studies.runs import read_runs

from ...conftest import ROOT
from .conftest import REPLY, asked

DRAWN = RequestOrder(seed=3, world=2)
STEPS = JudgeAssignment(ModelJudge("steps", "support_desk", "local:m"))
TWIN = JudgeAssignment(ModelJudge("twin", "support_desk", "local:m", task="judge-reply"))
SHORT = JudgeAssignment(ModelJudge("short", "support_desk", "local:m", view="calls-only"))
OTHER = JudgeAssignment(ModelJudge("steps", "support_desk", "ollama:m"))
OUTSIDE = JudgeAssignment(ExternalJudge("outside", "python:a:b"))


@pytest.fixture(scope="module")
def runs(small):
    return list(read_runs(small.folder.trajectories, small.folder.instances))


def planned(runs, *assignments, order=DRAWN):
    return list(plan_requests(assignments, runs, order))


def instances(requests):
    """Return the instances in the order in which their requests begin or go on."""
    return [name for name, _ in groupby(request.instance_id for request in requests)]


def hashes(requests):
    return [request.key.request_hash for request in requests]


@pytest.mark.parametrize(
    ("assignment", "first"),
    [
        (STEPS, "55 55 04 04 05 05 00 00"),
        (OUTSIDE, "02 31 00 07 31 55 08 00"),
    ],
)
def test_the_order_of_a_study_stays_from_version_to_version(runs, assignment, first):
    assert " ".join(one.instance_id[-2:] for one in planned(runs, assignment)[:8]) == first


@pytest.mark.parametrize("assignments", [[STEPS], [OUTSIDE], [STEPS, TWIN, SHORT, OUTSIDE]])
def test_the_drawn_order_leaves_no_request_out_and_adds_none(runs, assignments):
    repeated = [replace(each, repeats=2) for each in assignments]
    drawn, in_set = (
        Counter(
            (request.trajectory_id, request.key) for request in planned(runs, *repeated, order=o)
        )
        for o in (DRAWN, RequestOrder())
    )
    assert drawn == in_set
    assert set(drawn.values()) == {1}


def test_a_model_gets_the_runs_of_an_instance_together_and_instances_in_a_drawn_order(runs):
    order = instances(planned(runs, STEPS))
    of_set = list(dict.fromkeys(instance.instance_id for _, instance in runs))
    assert sorted(order) == sorted(of_set)
    assert order != of_set


@pytest.mark.parametrize("assignment", [STEPS, OUTSIDE])
def test_another_seed_gives_another_order(runs, assignment):
    orders = [hashes(planned(runs, assignment, order=RequestOrder(seed, 2))) for seed in range(5)]
    assert len(set(map(tuple, orders))) == 5


def test_judges_have_orders_of_their_own_but_those_of_one_model_share_theirs(runs):
    alone = instances(planned(runs, STEPS))
    assert instances(planned(runs, TWIN)) == alone != instances(planned(runs, OTHER))
    second = JudgeAssignment(ExternalJudge("second", "python:a:b"))
    assert instances(planned(runs, OUTSIDE)) != instances(planned(runs, second))


@pytest.mark.parametrize("assignment", [STEPS, TWIN, SHORT, OUTSIDE])
def test_the_order_of_a_judge_does_not_depend_on_the_others(runs, assignment):
    together = planned(runs, STEPS, OTHER_MODEL, SHORT, TWIN, OUTSIDE)
    own = [each for each in together if each.judge == assignment.judge]
    assert hashes(own) == hashes(planned(runs, assignment))


def test_a_page_that_two_judges_are_shown_is_sent_for_both_in_a_row(runs):
    warm = JudgeAssignment(
        ModelJudge("warm", "support_desk", "local:m", temperature=0.5), repeats=2
    )
    together = planned(runs, STEPS, SHORT, warm)
    pages = [(request.judge.view, request.request().messages[1].content) for request in together]
    assert len(list(groupby(pages))) == len(set(pages)) < len(together) / 2


def test_a_judge_from_outside_gets_blocks_of_ten_instances_shuffled_inside(runs):
    requests = planned(runs, OUTSIDE)
    n_instances = len({request.instance_id for request in requests})
    sizes, block = [], set()
    left = Counter(request.instance_id for request in requests)
    for request in requests:
        block.add(request.instance_id)
        left[request.instance_id] -= 1
        if not any(left[name] for name in block):
            sizes.append(len(block))
            block = set()
    assert sizes == [BLOCK] * (n_instances // BLOCK) + [n_instances % BLOCK]
    assert len(instances(requests)) > 1.5 * n_instances


@pytest.mark.parametrize("assignments", [[STEPS, SHORT], [OUTSIDE], [replace(OUTSIDE, repeats=3)]])
def test_the_order_depends_on_no_label_no_id_and_no_order_of_the_file(runs, assignments):
    labels = [run.label for run, _ in runs]
    hidden = [
        (
            changed(
                run, label=label, trajectory_id=f"{n:05}", instance_id=instance.instance_id[::-1]
            ),
            changed(instance, instance_id=instance.instance_id[::-1]),
        )
        for n, ((run, instance), label) in enumerate(zip(runs, reversed(labels), strict=True))
    ]
    assert hashes(planned(sorted(hidden, key=str), *assignments)) == hashes(
        planned(runs, *assignments)
    )


@pytest.mark.parametrize("assignment", [STEPS, OUTSIDE])
def test_every_run_of_an_instance_is_first_as_often_as_another(runs, assignment):
    instance_id, n_runs = Counter(run.instance_id for run, _ in runs).most_common(1)[0]
    own = [run for run in runs if run[1].instance_id == instance_id]
    n_orders = 300
    first = Counter(
        next(iter(planned(own, assignment, order=RequestOrder(seed, 2)))).trajectory_id
        for seed in range(n_orders)
    )
    assert len(first) == n_runs > 2
    assert max(first.values()) < 1.3 * n_orders / n_runs


@pytest.mark.parametrize("engine", ["scripted:clean", "python:a:b"])
@pytest.mark.parametrize("stop_at", [1, 4, 8])
def test_a_run_that_was_stopped_goes_on_in_the_same_order(lab, tmp_path, engine, stop_at):
    lines = f'engine = "{engine}"\nrepeats = 2\n'
    whole, pieces = asked(), asked()
    drawn(lab.study({"s": lines})).run(whole)
    lab.out = tmp_path / "pieces"
    drawn(lab.study({"s": lines})).run(pieces, verdicts=stop_at)
    lab.run(pieces)
    assert len(whole.requests) > 8
    assert pieces.requests == whole.requests


def test_redraws_follow_in_the_order_of_the_first_requests(lab, monkeypatch):
    monkeypatch.setattr(ModelJudge, "retries", 1)
    engine = asked("nothing that can be read")
    drawn(lab.study({"s": ""})).run(engine)
    half = len(engine.requests) // 2
    first, again = engine.requests[:half], engine.requests[half:]
    assert [request.messages for request in again] == [request.messages for request in first]


def test_of_equal_requests_the_first_in_the_drawn_order_is_sent(lab):
    drawn(lab.study({"s": REPLY})).run(asked())
    sent = {one["trajectory_id"] for one in lab.replies}
    order = [one["trajectory_id"] for one in lab.verdicts]
    shared = {one["trajectory_id"]: one["shared_from"] for one in lab.verdicts}
    assert any(shared.values())
    for name, source in shared.items():
        assert (name in sent) == (source is None)
        assert source is None or order.index(source) < order.index(name)


def test_the_order_of_each_judge_is_sealed(lab, tmp_path):
    judges = {"model": "", "outside": 'engine = "python:a:b"\n'}
    lab.study(judges).run(asked())
    assert not any("order" in entry for entry in lab.manifest["judges"].values())
    lab.out = tmp_path / "drawn"
    drawn(lab.study(judges)).run(asked())
    orders = {name: entry["order"] for name, entry in lab.manifest["judges"].items()}
    assert orders == {"model": "instances drawn", "outside": "blocks of 10 instances drawn"}


def test_another_order_is_refused_once_a_judge_was_asked(lab, monkeypatch):
    drawn(lab.study({"s": ""})).run(asked(), verdicts=2)
    monkeypatch.setattr(InstancesDrawn, "name", "by the moon")
    with pytest.raises(StudyError, match="order 'instances drawn', and now it is 'by the moon'"):
        lab.run(asked())


@pytest.mark.parametrize(("before", "now"), [(None, "drawn"), ("drawn", None)])
def test_a_drawn_order_and_that_of_the_set_do_not_replace_each_other(lab, before, now):
    lab.study({"s": ""})
    judges = [each.judge for each in panel_of(lab.folder.study).assignments]
    seal_study(lab.folder, judges, asked=(), known=(), order_of=lambda judge: before)
    seal_study(lab.folder, judges, asked=("s",), known=(), order_of=lambda judge: before)
    with pytest.raises(StudyError, match=f"order {before!r}, and now it is {now!r}"):
        seal_study(lab.folder, judges, asked=("s",), known=(), order_of=lambda judge: now)
    seal_study(lab.folder, judges, asked=(), known=(), order_of=lambda judge: now)
    assert lab.manifest["judges"]["s"].get("order") == now


def test_a_model_reads_at_most_a_tenth_more_in_the_drawn_order(balanced):
    """Counted in characters that differ from the last prompt, as a slot of `local:` keeps it."""
    runs = list(read_runs(balanced.folder.trajectories, balanced.folder.instances))[:800]
    study = open_study(ROOT / "results" / "balanced").study
    assignments = [replace(each, pairs=None) for each in panel_of(study).assignments]
    before, after = (
        read_by_a_slot(planned(runs, *assignments, order=RequestOrder(study.seed, world)))
        for world in (1, 2)
    )
    assert after <= 1.1 * before


def read_by_a_slot(requests):
    n_read, last = 0, ""
    for request in requests:
        prompt = "".join(message.content for message in request.request().messages)
        pairs = enumerate(zip(last, prompt, strict=False))
        n_read += len(prompt) - next((n for n, (a, b) in pairs if a != b), len(prompt))
        last = prompt
    return n_read


def drawn(lab):
    """Put the drawn order into the study of a lab."""
    lab.folder = replace(lab.folder, study=lab.folder.study.model_copy(update={"world": 2}))
    return lab


OTHER_MODEL = replace(OTHER, judge=replace(OTHER.judge, judge_id="other"))
