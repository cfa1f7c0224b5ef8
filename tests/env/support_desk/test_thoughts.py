"""Thoughts reveal nothing beyond the calls."""

import re
from collections import Counter, defaultdict

from hypothesis import given
from hypothesis import strategies as st

from faultpair.env.catalog import DOMAINS
from faultpair.env.kernel import Action, replay, run_episode
from faultpair.env.records import Call
from faultpair.env.support_desk.thoughts import thought_options
from faultpair.oracle.catalog import clean_run

DESK = DOMAINS["support_desk"]
TOOLS = [tool.name for tool in DESK.tools]


def test_clean_runs_use_every_phrasing_of_every_thought():
    used = defaultdict(set)
    for run in (clean_run(DESK, DESK.generate(6, index)) for index in range(600)):
        for step in run.steps:
            used[step.call.tool].add(step.thought)
    assert used.keys() == set(TOOLS)
    for tool in TOOLS:
        assert used[tool] == set(thought_options(tool))


@given(
    st.integers(0, 10_000),
    st.lists(st.sampled_from([*TOOLS, "another"]), max_size=10),
    st.integers(),
)
def test_a_thought_depends_only_on_instance_tool_and_use(index, tools, argument):
    instance = DESK.generate(8, index)
    calls = [Action(Call(tool, {"x": argument})) for tool in tools]
    uses = Counter()
    for step in run_episode(DESK, instance, replay(calls)).steps:
        tool = step.call.tool
        uses[tool] += 1
        assert step.thought == DESK.dialogue.thought(instance, tool, uses[tool])
        assert step.thought in thought_options(tool)


def test_a_thought_of_a_repeated_call_is_another_phrasing():
    instance = DESK.generate(8, 0)
    assert len({DESK.dialogue.thought(instance, "lookup_order", use) for use in (1, 2, 3, 4)}) == 4


def test_no_thought_holds_a_value_or_a_judgement():
    for tool in [*TOOLS, "another"]:
        options = thought_options(tool)
        assert len(set(options)) == 4
        lengths = [len(option.split()) for option in options]
        assert max(lengths) <= 10
        assert not any(re.search(r"\d|ORD|wrong|mistake|fault", option) for option in options)


def test_the_phrasings_of_the_tools_are_chosen_independently():
    pairs = {
        (
            DESK.dialogue.thought(instance, "get_policy", 1),
            DESK.dialogue.thought(instance, "reply", 1),
        )
        for instance in (DESK.generate(1, index) for index in range(400))
    }
    assert len(pairs) == len(thought_options("get_policy")) ** 2
