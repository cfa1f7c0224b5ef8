"""The generator: what a record depends on, what it always is, and how much records vary."""

import subprocess
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from statistics import mean, median

import msgspec
import pytest

from faultpair.env.errors import PluginError
from faultpair.env.plans.records import Tier
from faultpair.env.workflow import Workflow, generator
from faultpair.env.workflow.checks import check
from faultpair.env.workflow.instances import WorkflowInstance
from faultpair.env.workflow.plan.topologies import PERIOD, scenario
from faultpair.env.workflow.sectors import SECTORS

generate = Workflow().generate
ROOT = Path(__file__).resolve().parents[3]
DIGEST = (
    "import sys, hashlib, msgspec; from faultpair.env.workflow import Workflow; "
    "sys.stdout.write(hashlib.sha256(b''.join(msgspec.json.encode(Workflow().generate(7, index)) "
    "for index in range(24))).hexdigest())"
)


@pytest.fixture(scope="module")
def records():
    return [generate(7, index) for index in range(300)]


def test_a_record_is_at_its_easy_tier_and_named_by_its_index(records):
    record = records[12]
    assert (record.instance_id, record.record_id) == ("WFL-00012-easy", "WFL-00012")
    assert (record.tier, record.goal) == (Tier.EASY, record.query_easy)
    assert record.domain == "workflow"


def test_a_record_depends_only_on_seed_and_index(records):
    assert generate(7, 201) == records[201]
    assert generate(8, 201) != records[201]


def test_a_fresh_process_with_another_hash_seed_draws_the_same_records(records):
    done = subprocess.run(
        [sys.executable, "-c", DIGEST],
        cwd=ROOT,
        env={"PYTHONHASHSEED": "77", "PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    here = sha256(b"".join(map(msgspec.json.encode, records[:24]))).hexdigest()
    assert done.stdout == here


def test_the_topology_is_that_of_the_index(records):
    assert [record.difficulty for record in records] == [scenario(i) for i in range(len(records))]


def test_every_record_passes_both_levels_of_checks(records):
    assert not [problem for record in records for problem in check(record)]


def test_a_record_survives_json(records):
    for record in records[:30]:
        assert msgspec.json.decode(msgspec.json.encode(record), type=WorkflowInstance) == record


def test_requests_hardly_ever_repeat_a_sector_plan_or_wording(records):
    assert len({record.query_easy for record in records}) == len(records)
    assert len({record.sector for record in records}) == len(SECTORS)
    plans = Counter(tuple(call.tool for call in record.plan) for record in records)
    assert max(plans.values()) <= 5
    assert len({record.query_hard.split(".")[0] for record in records}) > 100


def test_no_plan_uses_a_twin(records):
    twins = {tool.name for sector in SECTORS for tool in sector.tools if tool.same_as}
    assert not [call for record in records for call in record.plan if call.tool in twins]


def test_a_record_that_never_passes_is_an_error_that_says_why(monkeypatch):
    monkeypatch.setattr(generator, "check", lambda record: ("length: too long",))
    with pytest.raises(PluginError, match=r"record 3 of seed 7 \(.*length: too long"):
        generate(7, 3)


@pytest.mark.slow
def test_a_whole_period_has_the_profile_of_the_paper():
    records = [generate(7, index) for index in range(PERIOD)]
    pools, calls = [len(r.tools) for r in records], [len(r.plan) for r in records]
    parameters = [len(tool.known) for record in records for tool in record.tools]
    assert (min(pools), max(pools)) == (8, 19)
    assert mean(pools) == pytest.approx(12.9, abs=0.1)
    assert set(calls) == {2, 3, 4, 5}
    assert mean(calls) == pytest.approx(3.3, abs=0.05)
    assert (min(parameters), median(parameters), max(parameters)) == (0, 2, 19)
    assert mean(parameters) == pytest.approx(2.4, abs=0.1)
    used = [n_calls / size for n_calls, size in zip(calls, pools, strict=True)]
    assert mean(used) == pytest.approx(0.25, abs=0.01)
    plans = Counter(tuple(call.tool for call in record.plan) for record in records)
    assert max(plans.values()) <= PERIOD / 100
    assert len({record.query_easy for record in records}) == PERIOD
