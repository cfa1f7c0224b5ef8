"""The pack of the cloakroom."""

import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.kernel import Action, replay, run_episode
from faultpair.env.records import Call
from faultpair.judges.exhibit import Exhibit
from faultpair.judges.rules.toy import RULES
from faultpair.oracle.catalog import clean_run

TOY = DOMAINS["toy"]
FOUND, MISSING = TOY.generate(0, 0), TOY.generate(0, 1)
FIND = Call("find_coat", FOUND.given)
HAND_OVER = Call("hand_over", {"coat": FOUND.coat})
REPLY = Call("reply", {"text": "Here you are."})


def judged(*calls):
    episode = run_episode(TOY, FOUND, replay([Action(call) for call in calls]))
    finding = RULES.judge(Exhibit("toy", FOUND.goal, FOUND.given, episode.steps, "", None))
    return finding.rationale[:2], finding.failure_step


@pytest.mark.parametrize("instance", [FOUND, MISSING], ids=["found", "missing"])
def test_the_scripted_agent_breaks_no_rule(instance):
    run = clean_run(TOY, instance)
    exhibit = Exhibit("toy", run.goal, instance.given, run.steps, run.final_answer, None)
    assert not RULES.judge(exhibit).faulty


def test_looking_twice_is_allowed():
    assert judged(FIND, FIND, HAND_OVER, REPLY) == ("no", None)


@pytest.mark.parametrize(
    ("calls", "rule", "step"),
    [
        ((Call("find_coat", {"ticket": 1}), HAND_OVER, REPLY), "T1", 0),
        ((HAND_OVER, REPLY), "T2", 0),
        ((FIND, Call("hand_over", {"coat": "a fur"}), REPLY), "T3", 1),
        ((FIND, REPLY), "T4", 1),
        ((FIND, HAND_OVER, REPLY, FIND), "T5", 2),
        ((FIND, HAND_OVER), "T5", 1),
    ],
)
def test_each_rule_has_a_run_that_breaks_it(calls, rule, step):
    assert judged(*calls) == (rule, step)
