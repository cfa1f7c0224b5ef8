"""The command that counts, and the tables that a rebuild makes of its counts."""

import json

import pytest

pytest.importorskip("sklearn", reason="the extra 'tells' is not installed")

from faultpair.analysis.rebuild import main as rebuild
from faultpair.analysis.tells.__main__ import main as tells
from faultpair.analysis.tells.features import GROUPS

DESK = """
title = "A few runs"
domain = "support_desk"
seed = 3
world = 2

[[faults]]
name = "wrong_tool"
count = 30

[[controls]]
name = "extra_read"
count = 10
"""
PLANS = """
title = "A few plans"
domain = "workflow"
seed = 3
world = 2
tiers = ["hard"]

[[faults]]
name = "missing_call"
count = 10
"""


@pytest.mark.slow
def test_tells_writes_counts_and_rebuild_makes_tables_of_them(tmp_path):
    results = tmp_path / "results"
    for name, text in (("balanced-2/study.toml", DESK), ("tells/plans.toml", PLANS)):
        file = results / name
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
    options = ["--results", str(results)]
    assert tells([*options, "--repeats", "2"]) == 0
    counts = json.loads((results / "tells" / "counts.json").read_text(encoding="utf-8"))
    cells = {(cell["set"], cell["contrast"], cell["group"]) for cell in counts["cells"]}
    assert {("desk", "wrong_tool", group.name) for group in GROUPS} < cells
    assert {("plans", "other types", group.name) for group in GROUPS} < cells
    assert ("desk", "faulty against controls", "goal") in cells
    assert [(row["set"], row["judge"]) for row in counts["judges"]] == [
        (name, judge)
        for name in ("desk", "plans")
        for judge in ("digits", "digits alone", "order", "order")
    ]
    assert rebuild([*options, "--study", "tells"]) == 0
    table = (results / "tells" / "tables" / "tells.md").read_text(encoding="utf-8")
    assert "| desk | wrong_tool | tools in order | 1.000" in table
    assert rebuild([*options, "--study", "tells", "--check"]) == 0
