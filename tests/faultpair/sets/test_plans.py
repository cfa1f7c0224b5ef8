"""Sets that planners write: what is kept, how it is labelled, and how a run is resumed."""

import json
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from faultpair.agents.planner import PlannerSettings, request_for
from faultpair.calls.session import EngineFactory, RunLimits
from faultpair.cli.display.dry_run import forecast
from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import EngineError, InfrastructureError, StudyError, UsageError
from faultpair.env.plans.records import Tier
from faultpair.env.records import ModelTurn
from faultpair.env.workflow.instances import TOPOLOGIES, at_tier
from faultpair.judges.plan_metrics.metrics import METRICS, score
from faultpair.runner.run import run_study
from faultpair.sets.build import build
from faultpair.sets.plans import PLANS, make_plans
from faultpair.studies.append_log import AppendLog
from faultpair.studies.folder import open_study
from faultpair.studies.preregistration import turns_by
from faultpair.studies.runs import read_runs
from faultpair.studies.transcript import TURNS, Transcript

from ...fake_engine import FakeEngine, player
from .conftest import AT_ONCE, kill_at_calls, lines

WORKFLOW = DOMAINS["workflow"]
HEAD = """\
title = "Models plan"
domain = "workflow"
seed = 5
clean = { fan_in = 2, linear = 1 }
tiers = ["easy", "hard"]
judges = ["flag-all"]
"""
SMALL = """
[[planners]]
id = "small"
engine = "scripted:small"
"""
LARGE = SMALL.replace("small", "large-7b")
JUDGE = """
[[plan_judges]]
id = "grader"
engine = "scripted:grader"
"""
STUDY = HEAD + SMALL
make, FACTS = make_plans, PLANS
N_PLANS = 6

RECORDS = {
    instance.goal: instance
    for index in range(12)
    for tier in Tier
    for instance in [at_tier(WORKFLOW.generate(5, index), tier)]
}

# Scripts: each reads the request and answers, as a model would.


def record_of(request):
    return RECORDS[request.messages[1].content.split("\n\nREQUEST\n")[1]]


def written(calls):
    return json.dumps([{"tool": call.tool, "args": call.args} for call in calls])


def by_the_procedure(request):
    return written(record_of(request).plan)


def forgets_the_last(request):
    return written(record_of(request).plan[:-1])


def talks_when_it_is_hard(request):
    return by_the_procedure(request) if record_of(request).tier == "easy" else "Well, let me see."


def speaks_no_json(request):
    return "I would rather talk about the weather {"


def approves(request):
    metrics = request.json_schema["properties"]
    return json.dumps({metric: {"reason": "It fits.", "score": 1} for metric in metrics})


def engine_of(script, version="1", context=None):
    return FakeEngine(script, identity=player(version), context_tokens=context)


@pytest.fixture
def planned(stage):
    """Return a function that makes the set with engines by the ends of their names."""

    def run(*, text=STUDY, out=None, parallel=None, **engines):
        names = {f"scripted:{name.replace('_', '-')}": one for name, one in engines.items()}
        return stage(names, text, out=out, parallel=parallel)

    return run


def test_every_clean_record_is_planned_at_every_tier_and_a_perfect_plan_has_no_fault(planned):
    engine = engine_of(by_the_procedure)
    folder, (harvest,) = planned(small=engine)
    assert (harvest.n_requests, harvest.n_plans, harvest.n_perfect) == (N_PLANS, N_PLANS, N_PLANS)
    runs = list(read_runs(folder.trajectories, folder.instances))
    assert len(runs) == len(engine.requests) == N_PLANS
    assert Counter(instance.difficulty for _, instance in runs) == {"fan_in": 4, "linear": 2}
    assert [instance.tier for _, instance in runs] == ["easy", "hard"] * 3
    for run, instance in runs:
        assert run.trajectory_id == f"{instance.instance_id}-small"
        assert tuple(step.call for step in run.steps) == instance.plan
        assert (run.label.faulty, run.label.outcome_correct) == (False, True)
        assert run.end_state == WORKFLOW.required(instance)
    assert engine.is_closed


def test_an_imperfect_plan_is_labelled_and_scored_by_the_reference(planned):
    folder, (harvest,) = planned(small=engine_of(forgets_the_last))
    assert (harvest.n_plans, harvest.n_perfect) == (N_PLANS, 0)
    facts = {fact["trajectory_id"]: fact for fact in lines(folder.out / PLANS)}
    for run, instance in read_runs(folder.trajectories, folder.instances):
        label = run.label
        assert (label.faulty, label.failure_type) == (True, "imperfect_plan")
        assert label.failure_step == len(run.steps) - 1
        assert not label.outcome_correct
        fact = facts[run.trajectory_id]
        calls = [step.call for step in run.steps]
        assert tuple(fact["scores"]) == METRICS
        assert tuple(fact["scores"].values()) == score(calls, instance.plan).values
        assert (fact["n_calls"], fact["planner"], fact["tier"]) == (
            len(calls), "small", instance.tier,
        )  # fmt: skip
        assert (fact["topology"], fact["sector"]) == (instance.difficulty, instance.sector)
        assert fact["prompt_tokens"] > 0


def test_what_cannot_be_read_has_no_run_and_is_counted_by_kind_and_tier(stage, planned):
    folder, _ = planned(small=engine_of(talks_when_it_is_hard))
    assert {run["instance_id"][-4:] for run in lines(folder.trajectories)} == {"easy"}
    assert [fact["attrition"] for fact in lines(folder.out / PLANS)] == [None, "not-json"] * 3
    assert len(lines(folder.instances)) == N_PLANS
    turns = lines(folder.out / TURNS)
    assert [turn["unreadable"] for turn in turns] == [None, "the answer is not JSON"] * 3
    assert turns[1]["text"] == "Well, let me see."
    n_calls = lines(folder.out / PLANS)[0]["n_calls"]
    assert stage.messages[0] == "scripted:small plans 3 records as small."
    assert stage.messages[1] == f"small, record 1 of 3: {n_calls} calls, not-json"
    assert stage.messages[4].splitlines() == [
        "small: 3 plans of 6 requests, 3 perfect by the reference",
        "  no plan, not-json: 3 (hard 3)",
    ]


def test_a_request_that_does_not_fit_is_not_sent_and_is_counted(stage, planned):
    longest = max(map(n_words, of_the_study()))
    engine = engine_of(by_the_procedure, context=longest + PlannerSettings().max_tokens - 1)
    folder, _ = planned(small=engine)
    too_long = [fact for fact in lines(folder.out / PLANS) if fact["attrition"] == "too-long"]
    assert len(too_long) == N_PLANS - len(engine.requests) > 0
    unsent = [turn["unsent"] for turn in lines(folder.out / TURNS) if turn["unsent"]]
    assert len(unsent) == len(too_long)
    before = stage.made(folder)
    assert stage.made(planned()[0]) == before


def of_the_study():
    """Return the records of the study at its tiers."""
    indices = {name: [n for n in range(12) if WORKFLOW.scenario(n) == name] for name in TOPOLOGIES}
    wanted = [*indices["fan_in"][:2], *indices["linear"][:1]]
    return [at_tier(WORKFLOW.generate(5, n), tier) for n in wanted for tier in ("easy", "hard")]


def n_words(instance):
    request = request_for(instance, PlannerSettings())
    return sum(len(message.content.split()) for message in request.messages)


def test_two_planners_are_asked_in_turn_and_their_plans_stand_record_by_record(planned):
    asked = []
    small = engine_of(lambda request: asked.append("small") or by_the_procedure(request))
    large = engine_of(lambda request: asked.append("large") or forgets_the_last(request))
    folder, harvests = planned(text=HEAD + SMALL + LARGE, small=small, large_7b=large)
    assert asked == ["small"] * N_PLANS + ["large"] * N_PLANS
    assert small.requests == large.requests
    assert [harvest.planner for harvest in harvests] == ["small", "large-7b"]
    assert [harvest.n_perfect for harvest in harvests] == [N_PLANS, 0]
    runs = lines(folder.trajectories)
    assert [run["trajectory_id"].split("-", 3)[3] for run in runs] == ["small", "large-7b"] * 6
    manifest = json.loads(folder.manifest.read_text(encoding="utf-8"))
    assert list(manifest["planners"]) == ["small", "large-7b"]
    assert manifest["strata"] == {"clean": 6, "imperfect_plan:loud": 6}
    assert manifest["n_trajectories"] == 12


def test_records_planned_at_a_time_make_the_set_of_those_planned_in_turn(stage, planned, tmp_path):
    in_turn, _ = planned(small=engine_of(by_the_procedure), out=tmp_path / "in turn")
    engine = engine_of(by_the_procedure)
    at_a_time, _ = planned(small=engine, out=tmp_path / "parallel", parallel=3)
    for name in stage.made_files[:3]:
        assert stage.made(at_a_time)[name] == stage.made(in_turn)[name]
    assert sum("record" in line for line in stage.messages[1:4]) == 3


def test_a_second_planner_is_added_to_what_is_kept_of_the_first(planned):
    folder, _ = planned(small=engine_of(by_the_procedure))
    kept = (folder.out / TURNS).read_bytes()
    large = engine_of(forgets_the_last, version="2")
    folder, harvests = planned(text=HEAD + SMALL + LARGE, large_7b=large)
    assert (folder.out / TURNS).read_bytes().startswith(kept)
    assert [harvest.n_plans for harvest in harvests] == [N_PLANS, N_PLANS]
    assert len(large.requests) == N_PLANS


def test_more_tiers_are_added_and_nothing_is_asked_twice(planned):
    planned(small=engine_of(by_the_procedure))
    engine = engine_of(by_the_procedure)
    text = (HEAD + SMALL).replace('"hard"', '"medium", "hard"')
    _, (harvest,) = planned(text=text, small=engine)
    assert harvest.n_plans == 9
    assert {record_of(request).tier for request in engine.requests} == {"medium"}


def test_a_finished_set_is_made_again_byte_for_byte_and_without_a_call(stage, planned):
    folder, harvests = planned(small=engine_of(talks_when_it_is_hard))
    before = stage.made(folder)
    for name in stage.made_files[:3]:
        (folder.out / name).unlink()
    again, same = planned()
    assert stage.made(again) == before
    assert same == harvests


def test_the_whole_set_follows_from_the_answers_except_the_builds_in_the_manifest(stage, planned):
    folder, _ = planned(small=engine_of(by_the_procedure))
    before = stage.made(folder)
    folder.manifest.unlink()
    after = stage.made(planned()[0])
    lost = json.loads(before["manifest.json"])
    lost["planners"]["small"]["builds"] = []
    made = json.loads(after.pop("manifest.json"))
    del lost["digest"], made["digest"]
    assert made == lost
    assert all(before[name] == after[name] for name in after)


def test_the_manifest_describes_the_planner_before_the_first_call(stage, planned, tmp_path):
    seen = []

    def spy(request):
        seen.append(json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8")))
        return by_the_procedure(request)

    folder, _ = planned(small=engine_of(spy))
    sealed = seen[0]["planners"]["small"]
    kept = json.loads(folder.manifest.read_text(encoding="utf-8"))
    assert sealed == kept["planners"]["small"]
    assert (sealed["engine"], sealed["engine_version"]) == ("scripted:small", "1")
    assert (sealed["temperature"], sealed["seed"], sealed["max_tokens"]) == (0.0, 7, 500)
    assert (sealed["model_digest"], sealed["builds"]) == ("sha256:0", ["by hand"])
    assert len(sealed["prompt_hash"]) == 64
    assert set(kept["sha256"]) == {"study.toml", TURNS, *stage.made_files[:3]}


@pytest.mark.parametrize(
    ("new", "key"),
    [
        ('engine = "scripted:other"', "engine"),
        ('engine = "scripted:small"\ntemperature = 0.5', "temperature"),
        ('engine = "scripted:small"\nmax_tokens = 9', "max_tokens"),
    ],
)
def test_a_planner_that_changed_is_another_planner(planned, new, key):
    planned(small=engine_of(by_the_procedure))
    with pytest.raises(StudyError, match=f"planner 'small' of .* sealed in .* with {key} "):
        planned(text=HEAD + SMALL.replace('engine = "scripted:small"', new))


def test_a_planner_that_changed_may_start_anew_under_another_id(planned):
    planned(small=engine_of(by_the_procedure))
    engine = engine_of(by_the_procedure, version="2")
    _, (harvest,) = planned(
        text=HEAD + SMALL.replace('id = "small"', 'id = "small-2"'), small=engine
    )
    assert (harvest.planner, len(engine.requests)) == ("small-2", N_PLANS)


def test_kept_answers_to_another_question_are_refused(planned):
    planned(small=engine_of(by_the_procedure))
    with pytest.raises(StudyError, match="another question"):
        planned(
            text=(HEAD + SMALL).replace("seed = 5", "seed = 6"), small=engine_of(by_the_procedure)
        )


def test_another_version_of_an_engine_may_not_finish_what_one_began(planned):
    planned(
        text=(HEAD + SMALL).replace("linear = 1", "linear = 0"), small=engine_of(by_the_procedure)
    )
    with pytest.raises(StudyError, match="engine_version '1', and now it is '2'"):
        planned(small=engine_of(by_the_procedure, version="2"))


def test_an_error_that_may_pass_is_tried_again_and_every_attempt_is_kept(stage, planned):
    failures = iter([True, True])

    def shaky(request):
        if next(failures, False):
            raise EngineError("The server is busy.", transient=True)
        return by_the_procedure(request)

    folder, (harvest,) = planned(small=engine_of(shaky))
    assert harvest.n_perfect == N_PLANS
    first = lines(folder.out / TURNS)[:3]
    assert [turn["attempt"] for turn in first] == [1, 2, 3]
    assert [turn["error"] for turn in first] == ["The server is busy."] * 2 + [None]
    before = stage.made(folder)
    assert stage.made(planned()[0]) == before


def test_an_engine_that_stays_away_leaves_the_set_as_it_was_and_the_next_run_resumes(
    stage, planned
):
    first = planned(small=engine_of(by_the_procedure))[0]
    before = first.trajectories.read_bytes()
    calls = iter(range(100))

    def dies(request):
        if next(calls) >= 2:
            raise EngineError("The server went away.", transient=True)
        return by_the_procedure(request)

    engine = engine_of(dies)
    _, nothing = planned(text=HEAD + SMALL + LARGE, large_7b=engine)
    assert nothing is None
    assert stage.outcome.n_unmade == sum("went away" in text for text in stage.messages) == 2
    assert engine.is_closed
    assert first.trajectories.read_bytes() == before
    engine = engine_of(by_the_procedure)
    _, (_, large) = planned(text=HEAD + SMALL + LARGE, large_7b=engine)
    assert (large.n_plans, len(engine.requests)) == (N_PLANS, N_PLANS - 2)


def test_planners_of_whom_none_can_be_read_are_counted_and_then_refused(planned, tmp_path):
    with pytest.raises(InfrastructureError, match="No answer of any planner"):
        planned(small=engine_of(speaks_no_json))
    assert Counter(fact["attrition"] for fact in lines(tmp_path / PLANS)) == {"not-json": N_PLANS}
    assert (tmp_path / "trajectories.jsonl").read_bytes() == b""


def test_the_turns_of_planners_are_distinguished_by_the_whole_id():
    turn = ModelTurn("", 0, 1, "r", "p", "scripted", None, None)
    names = ("WFL-00001-easy-b", "WFL-00001-hard-a-b", "WFL-00002-easy-b")
    book = Transcript(AppendLog(Path("nowhere"), ModelTurn))
    for name in names:
        book.note(replace(turn, trajectory_id=name))
    assert [turn.trajectory_id for turn in turns_by(book, "b")] == [names[0], names[2]]
    assert [turn.trajectory_id for turn in turns_by(book, "a-b")] == [names[1]]


@pytest.mark.slow
def test_a_kill_loses_the_call_in_flight_and_nothing_else(stage, planned, tmp_path):
    engines = {"small": engine_of(by_the_procedure), "large_7b": engine_of(by_the_procedure)}
    whole, _ = planned(text=HEAD + SMALL + LARGE, out=tmp_path / "whole", **engines)
    study, out = tmp_path / "study.toml", tmp_path / "killed"
    kept = kill_at_calls(__name__, study, out, (1, 0, 7))
    large = engine_of(by_the_procedure)
    folder, _ = planned(text=HEAD + SMALL + LARGE, out=out, large_7b=large)
    assert large.n_calls == 2 * N_PLANS - kept
    assert stage.made(folder) == stage.made(whole)


def test_a_limit_stops_planning_and_the_next_run_resumes_it(stage, planned):
    small, large = engine_of(by_the_procedure), engine_of(by_the_procedure)
    engines = {"scripted:small": small, "scripted:large-7b": large}
    _, nothing = stage(engines, HEAD + SMALL + LARGE, calls=N_PLANS + 1)
    assert nothing is None
    assert (small.n_calls, large.n_calls) == (N_PLANS, 1)
    assert (stage.outcome.reached_limit, stage.outcome.n_unmade) == (True, 3)
    _, (_, summary) = planned(text=HEAD + SMALL + LARGE, large_7b=large)
    assert (summary.n_plans, large.n_calls) == (N_PLANS, N_PLANS)


# In a study: what may stand beside planners, and what a run does with them.


def test_a_ground_truth_that_cannot_be_corrupted_is_refused_before_the_first_plan(planned):
    small = engine_of(by_the_procedure)
    with pytest.raises(UsageError, match="cannot be corrupted"):
        planned(text=HEAD + SMALL + JUDGE + 'ground_truth = "corrupted"\n', small=small)
    assert not small.requests


def test_a_set_that_models_plan_is_not_built(planned):
    folder, _ = planned(small=engine_of(by_the_procedure))
    with pytest.raises(StudyError, match="so they cannot be built"):
        build(folder)


def test_a_study_without_planners_makes_no_plans(planned):
    with pytest.raises(StudyError, match="names no planners"):
        planned(text=HEAD)


def test_a_run_plans_first_and_then_has_the_plans_judged(tmp_path):
    (tmp_path / "study.toml").write_text(HEAD + SMALL + JUDGE, encoding="utf-8")
    folder = open_study(tmp_path)
    engines = {
        "scripted:small": engine_of(talks_when_it_is_hard),
        "scripted:grader": engine_of(approves),
    }
    means = EngineFactory(open=lambda name, options: engines[name])
    outcome = run_study(folder, limits=RunLimits(retry_policy=AT_ONCE), engines=means)
    assert (outcome.n_open, outcome.n_failed) == (0, 0)
    verdicts = lines(folder.verdicts)
    assert Counter(verdict["judge_id"] for verdict in verdicts) == {"flag-all": 3, "grader": 3}
    assert {verdict["trajectory_id"] for verdict in verdicts} == {
        run["trajectory_id"] for run in lines(folder.trajectories)
    }
    again = EngineFactory(open=lambda name, options: pytest.fail("an engine was opened"))
    before = folder.manifest.read_bytes(), folder.verdicts.read_bytes()
    run_study(folder, limits=RunLimits(retry_policy=AT_ONCE), engines=again)
    assert (folder.manifest.read_bytes(), folder.verdicts.read_bytes()) == before


def test_a_dry_run_names_the_planners_and_sends_no_request(tmp_path):
    (tmp_path / "study.toml").write_text(HEAD + SMALL + JUDGE, encoding="utf-8")
    assert list(forecast(open_study(tmp_path))) == [
        "scripted:small plans 3 records at 2 tiers as small; the requests of the judges are "
        "counted once they are complete."
    ]


def test_the_command_reports_the_planning_and_ends_with_the_common_exit_code(faultpair, study_file):
    done = faultpair("run", study_file(HEAD + SMALL.replace("scripted:small", "scripted:garbage")))
    assert done.code == InfrastructureError.exit_code
    said = done.err.splitlines()
    assert said[:2] == [
        "scripted:garbage plans 3 records as small.",
        "small, record 1 of 3: not-json, not-json",
    ]
    assert "  no plan, not-json: 6 (easy 3, hard 3)" in said
    assert "nothing to judge" in done.err
