"""The judge of plans: its prompts are pinned, show nothing they should not, and stay short."""

import dataclasses
import json
import re
from itertools import product
from pathlib import Path

import msgspec
import pytest

from faultpair.engines.engine import Reply
from faultpair.engines.scripted import ScriptedEngine, fitting_reply
from faultpair.env.plans.records import Tier
from faultpair.env.workflow.instances import TOPOLOGIES
from faultpair.judges.engine_judge import Answer
from faultpair.judges.exhibit import exhibit_of
from faultpair.judges.plan_metrics.metrics import METRICS
from faultpair.judges.plans.conditions import GroundTruth, PlanForm
from faultpair.judges.plans.plan_judge import SPECIMEN, PlanJudge

PINS = Path(__file__).with_name("prompt_hashes.json")
JUDGE = PlanJudge("j", "scripted:own")
SHOWN = dataclasses.replace(JUDGE, ground_truth=GroundTruth.SHOWN)
SINGLE = dataclasses.replace(JUDGE, form=PlanForm.SINGLE)
MARK = "leaked-marker"


def conditions():
    """Return a judge of every condition, by its name."""
    grades = [(form, 1.0) for form in PlanForm] + [(PlanForm.RUBRIC, 0.5)]
    return {
        f"{truth}, {form}, {default}, {thinking}": PlanJudge(
            "j", "e", truth, form, default, thinking
        )
        for truth, (form, default), thinking in product(GroundTruth, grades, (None, True, False))
    }


def request(judge, exhibit=SPECIMEN, sample=0, repeat=0):
    return judge.request(exhibit, sample=sample, repeat=repeat)


def told(asked):
    return "\n".join(message.content for message in asked.messages)


def prompt_hashes():
    return {name: judge.prompt_hash() for name, judge in conditions().items()}


def test_no_prompt_changed_unnoticed(check_pins):
    check_pins(PINS, prompt_hashes())


def test_a_corrupted_ground_truth_is_asked_about_in_the_words_of_a_right_one():
    hashes = prompt_hashes()
    alike = {name.replace("corrupted", "shown"): value for name, value in hashes.items()}
    assert all(value == hashes[name] for name, value in alike.items())
    assert len(set(hashes.values())) == len(hashes) * 2 // 3


def test_without_ground_truth_nothing_of_record_or_label_moves_a_byte(bench):
    instance = bench.record()
    run = bench.run(instance)
    marked = msgspec.structs.replace(
        instance, instance_id=MARK, record_id=MARK, difficulty=MARK, sector=MARK, tier=Tier.HARD,
        query_easy=MARK, query_medium=MARK, query_hard=MARK, given={MARK: MARK},
        plan=bench.plan(MARK),
    )  # fmt: skip
    planted = msgspec.structs.replace(
        bench.run(instance, faulty=True, failure_step=1, failure_type=MARK, parent_id=MARK,
                  control=MARK, variant=MARK, edit=MARK),
        trajectory_id=MARK, instance_id=MARK, end_state={"delivered": [MARK]},
    )  # fmt: skip
    hidden = exhibit_of(planted, marked, reference={MARK: MARK}, plan=bench.plan(MARK))
    for judge in conditions().values():
        if judge.ground_truth is GroundTruth.NONE:
            asked = request(judge, exhibit_of(run, instance))
            assert asked == request(judge, hidden)
            assert MARK not in told(request(judge, hidden))


def test_with_ground_truth_only_the_reference_is_added(bench):
    instance = bench.record()
    run = bench.run(instance, ("gamma",))
    asked = told(request(SHOWN, exhibit_of(run, instance, plan=instance.plan)))
    without = told(request(JUDGE, exhibit_of(run, instance)))
    page, line = (
        'REFERENCE PLAN\n1. alpha {"area":"north"}\n2. beta {"area":"$alpha.alpha_result"}\n\n',
        "REFERENCE PLAN is a correct plan for this request.\n",
    )
    assert asked.replace(page, "").replace(line, "") == without


def test_no_prompt_says_topology_sector_tier_or_what_is_under_study(bench):
    instance = bench.record()
    words = (*TOPOLOGIES, *Tier, instance.sector, "corrupt", "topolog", "difficult", "benchmark")
    exhibit = exhibit_of(bench.run(instance), instance, plan=instance.plan)
    for judge in conditions().values():
        for sample in range(judge.samples):
            text = told(request(judge, exhibit, sample)).replace(instance.goal, "")
            assert not [word for word in words if word in text]
            assert not re.search(r"WFL|METRIC\b", text.replace("METRICS", ""))


def test_what_is_the_same_for_all_plans_of_a_record_comes_first(bench):
    instance = bench.record()
    for judge in conditions().values():
        one, other = (
            request(judge, exhibit_of(bench.run(instance, names), instance, plan=instance.plan))
            for names in (("alpha",), ("gamma", "beta"))
        )
        assert one.messages[0] == other.messages[0]
        start, _, rest = one.messages[1].content.partition("PLAN TO GRADE\n")
        assert other.messages[1].content.startswith(start)
        assert start.startswith("TOOLS\n")
        assert rest


def test_the_first_message_is_the_same_for_all_judges_with_the_same_definitions():
    by_form = {}
    for judge in conditions().values():
        defined = judge.form in (PlanForm.RUBRIC, PlanForm.BINARY)
        by_form.setdefault(defined, set()).add(request(judge).messages[0].content)
    assert [len(texts) for texts in by_form.values()] == [1, 1]


def test_instructions_are_short():
    page = len(told(request(SHOWN)).split("TOOLS\n")[1].split("\n\nREFERENCE PLAN is")[0])
    for judge in conditions().values():
        # A token of English is about four characters; the page of the specimen is no instruction.
        assert (len(told(request(judge))) - page) / 4 < 350


@pytest.mark.parametrize(
    ("form", "scale"),
    [
        (PlanForm.RUBRIC, {"enum": [0, 0.5, 1]}),
        (PlanForm.BINARY, {"enum": [0, 1]}),
        (PlanForm.FREE, {"type": "number", "minimum": 0, "maximum": 1}),
    ],
)
def test_the_schema_asks_for_four_reasons_each_before_its_score(form, scale):
    schema = request(dataclasses.replace(JUDGE, form=form)).json_schema
    assert list(schema["properties"]) == schema["required"] == list(METRICS)
    for entry in schema["properties"].values():
        assert list(entry["properties"]) == entry["required"] == ["reason", "score"]
        assert entry["properties"]["reason"]["maxLength"] == 200
        assert entry["properties"]["score"] == scale


def test_single_metrics_are_asked_for_one_a_call_from_1_to_5():
    assert (SINGLE.samples, SINGLE.parts) == (4, 4)
    for number, metric in enumerate(METRICS):
        asked = request(SINGLE, sample=number)
        assert list(asked.json_schema["properties"]) == [metric]
        entry = asked.json_schema["properties"][metric]
        assert entry["properties"]["score"] == {"enum": [1, 2, 3, 4, 5]}
        assert f"on {metric} alone" in told(asked)
        assert not [other for other in METRICS if other != metric and other in told(asked)]
        assert all(f"\n{grade}: " in told(asked) for grade in range(1, 6))


def test_the_default_is_said_by_a_rubric_and_not_where_nothing_is_defined():
    half = dataclasses.replace(JUDGE, default=0.5)
    assert "A score is 1 unless" in told(request(JUDGE))
    assert "A score is 0.5 unless" in told(request(half))
    assert "unless" not in told(request(dataclasses.replace(JUDGE, form=PlanForm.FREE)))
    assert half.task == "grade-plan-rubric-from-half"


def test_a_switch_for_thinking_ends_the_prompt_and_thoughts_are_not_forbidden():
    on, off = (dataclasses.replace(JUDGE, thinking=thinking) for thinking in (True, False))
    plain = request(JUDGE)
    assert told(request(on)) == f"{told(plain)}\n/think"
    assert told(request(off)) == f"{told(plain)}\n/no_think"
    assert request(on).json_schema is None
    assert request(off).json_schema == plain.json_schema


def test_at_temperature_0_all_passes_ask_the_same_and_above_it_each_has_its_seed():
    assert request(JUDGE) == request(JUDGE, repeat=3)
    warm = dataclasses.replace(SINGLE, temperature=0.7)
    seeds = [request(warm, sample=s, repeat=r).seed for r in range(3) for s in range(4)]
    assert seeds == list(range(7, 19))


def test_the_request_has_all_settings_in_it():
    asked = request(dataclasses.replace(JUDGE, max_tokens=99, temperature=0.1, seed=3))
    assert (asked.max_tokens, asked.temperature, asked.seed, asked.top_logprobs) == (99, 0.1, 3, 0)


@pytest.mark.parametrize(
    "change",
    [
        {"ground_truth": GroundTruth.SHOWN}, {"form": PlanForm.FREE}, {"default": 0.5},
        {"thinking": False}, {"temperature": 0.3}, {"seed": 8}, {"max_tokens": 9}, {"retries": 0},
        {"swap_seed": 5}, {"engine": "other"},
    ],
)  # fmt: skip
def test_each_setting_makes_another_judge(change):
    assert dataclasses.replace(JUDGE, **change).settings() != JUDGE.settings()
    assert json.dumps(JUDGE.settings())


@pytest.mark.parametrize("judge", conditions().values(), ids=conditions())
def test_an_answer_that_fits_the_schema_is_scored(judge):
    engine = ScriptedEngine(lambda asked: fitting_reply(asked, faulty=True))
    asked = msgspec.structs.replace(
        request(judge), json_schema=request(dataclasses.replace(judge, thinking=None)).json_schema
    )
    finding = judge.read(judge.answer(engine.complete(asked)), SPECIMEN)
    assert finding.unscored is None
    assert set(finding.scores) == set(METRICS[: len(METRICS) // judge.parts])


def test_a_reply_is_kept_as_its_text_and_how_it_ended():
    assert JUDGE.answer(Reply("text", finish_reason="length")) == Answer("text", "length")
