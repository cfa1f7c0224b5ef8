"""The protocols of a domain, tried on stubs of what they must carry later.

A dialogue in which the user speaks more than once, a state of nested JSON, and an
environment that is opened from outside case by case.
"""

import msgspec
import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.domain import Clause, Dialogue, Domain, PlanDomain, Shown, ToolSpec, World
from faultpair.env.kernel import Action, refusal, replay, run_episode
from faultpair.env.plans.records import PlanInstance, Tier, ToolSchema
from faultpair.env.records import Call, Instance, Label, Observation, Trajectory
from faultpair.judges.exhibit import exhibit_of
from faultpair.judges.state_check import StateCheck
from faultpair.judges.view import VIEWS

CLEAN = Label(False, None, None, True)
CASE = Instance("C-0", "only", "Book a room.", {"guests": 2})


class Stub(Domain[Instance]):
    """What the stubs share."""

    name = "stub"
    scenarios = ("only",)
    tools = (ToolSpec("say", ("text",), "Say a text."),)
    procedure = (Clause(1, "Ask", "Ask what is missing."),)
    instance_type = Instance

    def generate(self, seed, index):
        return msgspec.structs.replace(CASE, instance_id=f"C-{index}")

    def required(self, instance):
        return {"rooms": [{"beds": [1, 1], "for": {"guests": 2}}]}


@pytest.fixture
def add(monkeypatch):
    """Let a stub be one of the domains."""
    monkeypatch.setattr(DOMAINS, "_parts", dict(DOMAINS._parts))

    def added(domain):
        DOMAINS.add(domain.name, domain)
        return domain

    return added


def trajectory(domain, instance, episode):
    return episode.recorded("C-0-clean", instance, CLEAN, domain=domain.name)


class Receptionist(Dialogue[Instance]):
    """Speak by the tool *say*; the dialogue goes on as long as the guest answers."""

    reply_heading = "LAST WORDS TO THE GUEST"
    outcome_fault = "gave_up"

    def thought(self, instance, tool, use):
        return f"{tool}, time {use}"

    def reply(self, instance, steps):
        return f"After {len(steps)} steps: booked."

    def say(self, text):
        return Call("say", {"text": text})

    def spoken(self, call):
        return call.args.get("text") if call.tool == "say" else None

    def closes(self, step):
        return super().closes(step) and "guest" not in step.observation.data


class Lobby(World):
    """A guest who answers the first two questions."""

    def __init__(self):
        self.answers = ["Two beds.", "Tonight."]

    def answer(self, call):
        if not self.answers:
            return Observation(True, {}, None)
        return Observation(True, {"guest": self.answers.pop(0)}, None)

    def end_state(self):
        return {"rooms": [{"beds": [1, 1], "for": {"guests": 2}}]}


class Hotel(Stub):
    """A dialogue of several turns, a state of nested JSON."""

    name = "hotel"
    dialogue = Receptionist()

    def world(self, instance, sim):
        return Lobby()


TALK = tuple(Action(Call("say", {"text": text})) for text in ("How many?", "When?", "Booked."))


def test_a_user_may_speak_several_times_and_the_last_text_is_the_reply(add):
    hotel = add(Hotel())
    episode = run_episode(hotel, CASE, replay(TALK))
    assert [hotel.dialogue.closes(step) for step in episode.steps] == [False, False, True]
    assert episode.final_answer == "Booked."
    exhibit = exhibit_of(trajectory(hotel, CASE, episode), CASE)
    page = VIEWS["full-steps"].render(exhibit)
    assert '{"guest":"Tonight."}' in page
    assert page.endswith("LAST WORDS TO THE GUEST\nBooked.")


def test_a_state_of_nested_json_is_compared_and_kept(add):
    hotel = add(Hotel())
    episode = run_episode(hotel, CASE, replay(TALK))
    run = trajectory(hotel, CASE, episode)
    assert msgspec.json.decode(msgspec.json.encode(run), type=Trajectory) == run
    assert hotel.reached(CASE, run.end_state)
    judged = StateCheck().judge(exhibit_of(run, CASE, reference=hotel.required(CASE)))
    assert judged.faulty is False
    other = {"rooms": [{"beds": [1], "for": {"guests": 2}}]}
    assert StateCheck().judge(exhibit_of(run, CASE, reference=other)).faulty


class Session:
    """An external environment: one case at a time, and to be closed."""

    def __init__(self, case):
        self.case, self.files, self.is_open = case, {}, True

    def call(self, tool, args):
        if tool != "write":
            raise KeyError(tool)
        self.files[args["path"]] = args
        return {"written": args["path"]}

    def state(self):
        return {"case": self.case, "files": self.files}


class SessionWorld(World):
    """A session as a world: what it raises is an observation."""

    def __init__(self, session):
        self.session = session

    def answer(self, call):
        try:
            return Observation(True, self.session.call(call.tool, call.args), None)
        except KeyError as error:
            return refusal(f"no such tool: {error}")

    def end_state(self):
        assert self.session.is_open
        return self.session.state()

    def close(self):
        self.session.is_open = False


class Opened(Stub):
    """A domain that is opened from outside case by case, without a dialogue."""

    name = "opened"

    def __init__(self):
        self.sessions = []

    def world(self, instance, sim):
        self.sessions.append(Session(instance.instance_id))
        return SessionWorld(self.sessions[-1])


WRITE = Call("write", {"path": "a.txt", "lines": [1, 2]})


def test_an_environment_from_outside_is_opened_for_each_run_and_closed(add):
    domain = add(Opened())
    calls = [Action(WRITE), Action(Call("erase", {}))]
    first, again = (run_episode(domain, CASE, replay(calls, "done")) for _ in range(2))
    assert first == again
    assert first.end_state == {"case": "C-0", "files": {"a.txt": WRITE.args}}
    assert [step.observation.ok for step in first.steps] == [True, False]
    assert [step.thought for step in first.steps] == ["", ""]
    assert first.final_answer == "done"
    assert [session.is_open for session in domain.sessions] == [False, False]
    page = VIEWS["full-steps"].render(exhibit_of(trajectory(domain, CASE, first), CASE))
    assert page.endswith("FINAL REPLY\ndone")


def test_a_world_is_closed_when_the_agent_breaks(add):
    domain = add(Opened())

    def agent():
        yield Action(WRITE)
        raise RuntimeError("lost")

    with pytest.raises(RuntimeError, match="lost"):
        run_episode(domain, CASE, agent())
    assert not domain.sessions[0].is_open


class Errand(PlanInstance, frozen=True):
    """A plan instance of another shape than the built-in one."""

    tier: Tier
    plan: tuple[Call, ...]
    tools: tuple[ToolSchema, ...] = ()
    record_id: str = "E-0"


class ErrandPlans(PlanDomain):
    """Errands in two tiers."""

    tiers = (Tier.EASY, Tier.HARD)

    def at_tier(self, instance, tier):
        return msgspec.structs.replace(instance, tier=tier, instance_id=f"E-0-{tier}")


class Errands(Stub):
    """A second domain of plans."""

    name = "errands"
    instance_type = Errand
    plans = ErrandPlans()

    def generate(self, seed, index):
        return Errand("E-0-easy", "only", "Post it.", {"post.letter": 7}, Tier.EASY, (WRITE,))

    def world(self, instance, sim):
        return SessionWorld(Session(instance.record_id))

    def shown(self, instance):
        return Shown({"stated": instance.stated}, instance.tools, hides_end_state=True)


def test_another_domain_of_plans_hides_its_end_state_and_its_steps_hold_no_answer(add):
    errands = add(Errands())
    instance = errands.plans.at_tier(errands.generate(0, 0), Tier.HARD)
    episode = run_episode(errands, instance, replay([Action(call) for call in instance.plan]))
    assert [(step.thought, step.observation) for step in episode.steps] == [("", None)]
    exhibit = exhibit_of(trajectory(errands, instance, episode), instance)
    assert (exhibit.given, exhibit.end_state) == ({"stated": [7]}, None)
    assert errands.plans.canonical(instance) == {}
