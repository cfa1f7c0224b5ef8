"""What may not stand together in a study is refused by name, with what to change."""

import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import StudyError, UsageError
from faultpair.studies.folder import open_study

DESK = 'title = "t"\ndomain = "support_desk"\nseed = 1\nclean = 3\n'
WORKFLOW = DESK.replace("support_desk", "workflow") + 'tiers = ["easy", "hard"]\n'
AGENT = '[agent]\nengine = "scripted:x"\nepisodes = 2\n'
PLANNER = '[[planners]]\nid = "small"\nengine = "scripted:small"\n'
JUDGE = '[[plan_judges]]\nid = "grader"\nengine = "scripted:grader"\n'
CONTRAST = '[[contrasts]]\nname = "c"\njudge = "rules"\nagainst = "strict"\n'
STOP = "[stop]\nfloor = 0.2\n"
TWIN = JUDGE.replace('"grader"', '"twin"')


def plant(name, section="faults", **more):
    keys = "".join(f'{key} = "{value}"\n' for key, value in more.items())
    return f'[[{section}]]\nname = "{name}"\ncount = 2\n{keys}'


REFUSED = {
    "no runs": (DESK.replace("= 3", "= 0"), "asks for no runs"),
    "no clean runs to plan": (WORKFLOW.replace("= 3", "= 0") + PLANNER, "asks for no runs"),
    "a fault twice": (DESK + plant("wrong_tool") * 2, "lists 'wrong_tool' twice"),
    "a control twice": (
        DESK + plant("extra_read", "controls") * 2,
        "lists 'extra_read' twice",
    ),
    "a fault with and without a variant": (
        DESK + plant("partial_refund", variant="split") + plant("partial_refund"),
        "lists 'partial_refund' twice",
    ),
    "an agent and clean runs": (DESK + AGENT, "has both an agent and clean or planted runs"),
    "an agent and planted runs": (
        DESK.replace("clean = 3\n", "") + AGENT + plant("wrong_tool"),
        "has both an agent and clean or planted runs",
    ),
    "an agent in a domain of plans": (
        WORKFLOW.replace("clean = 3\n", "") + AGENT,
        "in workflow nothing is observed",
    ),
    "planners and faults": (WORKFLOW + PLANNER + plant("missing_call"), "planted plans"),
    "planners and controls": (
        WORKFLOW + PLANNER + plant("siblings_swapped", "controls"),
        "planted plans",
    ),
    "planners and an agent": (WORKFLOW + PLANNER + AGENT, "planners and an agent"),
    "planners of episodes": (DESK + PLANNER, "support_desk has nothing to plan"),
    "a planner twice": (WORKFLOW + PLANNER * 2, "names a planner 'small'"),
    "a planner that is called clean": (
        WORKFLOW + PLANNER.replace('"small"', '"clean"'),
        "names a planner 'clean'",
    ),
    "a planner that is an external judge": (
        WORKFLOW + PLANNER.replace("scripted:small", "cmd:plan"),
        "cmd:plan is an external judge",
    ),
    "two equal judges of plans": (WORKFLOW + JUDGE + TWIN, "'grader' and 'twin'"),
    "tiers of episodes": (DESK + 'tiers = ["easy"]\n', "instances of support_desk have none"),
    "a tier twice": (WORKFLOW.replace("hard", "easy"), "names a tier twice"),
    "a stop without faults": (DESK + STOP, r"has a table \[stop\] and plants no faults"),
    "a judge twice in a stop": (
        DESK + STOP + 'judges = ["s", "s"]\n' + plant("wrong_tool"),
        r"names the judge 's' twice in \[stop\]",
    ),
    "a contrast twice": (DESK + CONTRAST * 2, "names two contrasts 'c'"),
}


@pytest.mark.parametrize(("text", "problem"), REFUSED.values(), ids=list(REFUSED))
def test_parts_that_contradict_each_other_are_refused(study_file, text, problem):
    file = study_file(text)
    with pytest.raises(StudyError, match=problem) as refused:
        open_study(file)
    assert str(refused.value).startswith(f"The study {file} ")


def test_judges_that_are_equal_but_for_their_tiers_are_two_parts_of_one(study_file):
    text = WORKFLOW + JUDGE + 'tiers = ["easy"]\n' + TWIN + 'tiers = ["hard"]\n'
    assert len(open_study(study_file(text)).study.plan_judges) == 2


def test_variants_of_a_fault_may_stand_side_by_side(study_file):
    text = DESK + plant("partial_refund", variant="split")
    text += plant("partial_refund", variant="halved")
    assert len(open_study(study_file(text)).study.faults) == 2


def test_a_scenario_that_the_domain_does_not_have_is_refused(study_file):
    text = DESK.replace("clean = 3\n", "[clean]\nexprired = 4\n")
    with pytest.raises(StudyError, match="'exprired', which support_desk does not have"):
        open_study(study_file(text))


def test_a_world_that_the_domain_does_not_have_is_refused(study_file, monkeypatch):
    monkeypatch.setattr(DOMAINS["support_desk"], "worlds", (1,))
    assert open_study(study_file(DESK)).study.world == 1
    with pytest.raises(StudyError, match=r"asks for world 2, .* support_desk has world 1 alone"):
        open_study(study_file(DESK + "world = 2\n"))


def test_a_world_that_does_not_exist_is_refused(study_file):
    with pytest.raises(StudyError, match="world: Input should be 1 or 2"):
        open_study(study_file(DESK + "world = 3\n"))


def test_the_first_of_each_scenario_are_those_of_the_world(study_file):
    text = DESK.replace("clean = 3\n", "[clean]\nhappy = 4\n")
    world = text.replace("seed = 1\n", "seed = 1\nworld = 2\n")
    for study in (open_study(study_file(each)).study for each in (text, world)):
        domain = DOMAINS["support_desk"]
        wanted = [index for index in range(study.clean) if study.wants(index)]
        assert len(wanted) == 4
        assert {domain.scenario_in(study.world, 1, index) for index in wanted} == {"happy"}


def test_an_unknown_domain_is_refused_where_its_scenarios_are_needed(study_file):
    text = DESK.replace("support_desk", "moon").replace("clean = 3\n", "[clean]\nhappy = 4\n")
    with pytest.raises(UsageError, match="No domain is named 'moon'"):
        open_study(study_file(text))
