"""The engine and the judge of the tests of runs."""

from ...fake_engine import FakeEngine

REPLY = 'view = "goal-and-reply"\ntask = "judge-reply"\n'
VERDICT = (
    '{"reasoning":"So.","faulty":true,"failure_step":0,"failure_type":"wrong_tool",'
    '"confidence":0.9}'
)


def asked(reply=VERDICT, **settings):
    """Return an engine in place of `scripted:clean`."""
    return FakeEngine(reply, name="scripted:clean", **settings)


def keys(verdicts):
    return [
        (one["trajectory_id"], one["judge_id"], one["sample"], one["repeat"]) for one in verdicts
    ]
