"""The agent that is a model: what it is told, how its answers are read, when it ends."""

import json

import msgspec
import pytest

from faultpair.agents.episode_agent import (
    MOST_ANSWERS,
    WITHOUT_THOUGHT,
    AgentSettings,
    Unreadable,
    model_agent,
    prompt_hash,
    read_action,
    schema_of,
)
from faultpair.engines.engine import Reply
from faultpair.env.catalog import DOMAINS
from faultpair.env.kernel import run_episode
from faultpair.env.support_desk.instances import SCENARIOS
from faultpair.judges.prompts import role_text
from faultpair.oracle.catalog import clean_run

DESK = DOMAINS["support_desk"]
PLAYED = [domain for domain in DOMAINS.values() if domain.plans is None]
PROMPT_HASHES = {
    "support_desk": "ce90e87533523fad831cedff57efbc85cb5cde713280650820f8a4eba3c1684b",
    "toy": "059f94139dab83b916a3486e3290c82dc199142263a37e0fb28a7248958e4368",
}


class Model:
    """Answers in turn, the last answer again and again, and keeps what it was sent."""

    def __init__(self, *texts):
        self.texts = list(texts)
        self.requests = []

    def __call__(self, request):
        self.requests.append(request)
        return Reply(self.texts.pop(0) if len(self.texts) > 1 else self.texts[0])


def call(tool, **args):
    return json.dumps({"thought": "As the clause asks.", "tool": tool, "args": args})


def calls_of(run):
    """Return the answers of a model that makes the calls of a run."""
    return [call(step.call.tool, **step.call.args) for step in run.steps]


def played(model, instance=None, domain=DESK, **settings):
    instance = instance or domain.generate(0, 0)
    agent = model_agent(domain, instance, model, AgentSettings(**settings))
    return run_episode(domain, instance, agent)


def tools(episode):
    return [step.call.tool for step in episode.steps]


@pytest.mark.parametrize("domain", PLAYED, ids=lambda domain: domain.name)
def test_a_model_that_makes_the_oracles_calls_has_the_oracles_run_but_for_its_thoughts(domain):
    for index in range(12):
        instance = domain.generate(3, index)
        clean = clean_run(domain, instance)
        episode = played(Model(*calls_of(clean)), instance, domain)
        assert [step.call for step in episode.steps] == [step.call for step in clean.steps]
        assert episode.final_answer == clean.final_answer
        assert episode.end_state == clean.end_state
        assert {step.thought for step in episode.steps} == {"As the clause asks."}


@pytest.mark.parametrize("domain", PLAYED, ids=lambda domain: domain.name)
def test_its_prompt_has_procedure_and_tools_in_the_words_of_the_judges(domain):
    model = Model("no")
    played(model, domain=domain)
    told = model.requests[0].messages[0]
    assert told.role == "system"
    in_judges_words = role_text(domain.name)
    procedure = "\n".join(map(str, domain.procedure))
    tools_named = in_judges_words[in_judges_words.index("TOOLS\n") :].split("\n\n")[0]
    assert procedure in in_judges_words
    assert procedure in told.content
    assert tools_named in told.content
    assert "KINDS OF FAULT" not in told.content


@pytest.mark.parametrize("domain", PLAYED, ids=lambda domain: domain.name)
def test_the_prompt_is_the_one_that_was_pinned(domain):
    """A changed prompt makes another agent: its kept turns are of no use to it."""
    assert prompt_hash(domain, AgentSettings()) == PROMPT_HASHES[domain.name]


def test_the_prompt_hash_covers_the_number_of_turns():
    assert prompt_hash(DESK, AgentSettings(turns=4)) != prompt_hash(DESK, AgentSettings(turns=5))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_it_is_sent_holds_only_the_request_its_own_words_and_what_the_world_answered(scenario):
    instance = DESK.generate(5, SCENARIOS.index(scenario))
    clean = clean_run(DESK, instance)
    model = Model(*calls_of(clean))
    episode = played(model, instance)
    _, opening, *later = model.requests[-1].messages
    assert opening.content == f"REQUEST: {instance.goal}\n{reminder([])}"
    own = [message.content for message in later if message.role == "assistant"]
    assert own == calls_of(clean)[:-1]
    answered = [message.content for message in later if message.role == "user"]
    for number, text in enumerate(answered):
        seen = episode.steps[number].observation
        fact = msgspec.json.encode(seen.data).decode() if seen.ok else seen.error
        head = "ANSWER" if seen.ok else "FAILED"
        assert text == f"{head}: {fact}\n{reminder(episode.steps[: number + 1])}"


def reminder(steps):
    """Return the line that tells a model which of its own calls were answered."""
    tools = dict.fromkeys(step.call.tool for step in steps if step.observation.ok)
    named = ", ".join(tools) or "none"
    return f"Tools that have answered so far: {named}. Which call comes next?"


def test_neither_id_nor_required_end_nor_hidden_state_moves_a_byte_of_the_first_request():
    one = DESK.generate(5, 0)
    other = DESK.generate(8, 3)
    disguised = msgspec.structs.replace(
        other, goal=one.goal, instance_id="INS-99999", difficulty="restocking"
    )
    sent = []
    for instance in (one, disguised):
        model = Model("no")
        played(model, instance)
        sent.append(model.requests)
    assert sent[0] == sent[1]


def test_no_label_and_no_expected_end_is_in_any_request():
    for index in range(12):
        instance = DESK.generate(5, index)
        model = Model(*calls_of(clean_run(DESK, instance)))
        played(model, instance)
        first = model.requests[0].messages[1].content
        hidden = [
            instance.instance_id, instance.difficulty, instance.customer.customer_id,
            instance.customer.name, instance.order.sku, str(instance.order.total_cents),
        ]  # fmt: skip
        assert not [fact for fact in hidden if fact in first]
        whole = "".join(message.content for message in model.requests[-1].messages)
        for word in ("expected", "faulty", "failure_", instance.instance_id, "rival", "wording"):
            assert word not in whole


def test_every_request_begins_with_the_one_before_it():
    model = Model("what?", *calls_of(clean_run(DESK, DESK.generate(0, 0))))
    played(model)
    for before, after in zip(model.requests, model.requests[1:], strict=False):
        assert after.messages[: len(before.messages)] == before.messages
        assert len(after.messages) == len(before.messages) + 2


def test_the_settings_are_in_every_request():
    model = Model(call("get_customer"))
    played(model, turns=3, temperature=0.7, seed=5, max_tokens=99)
    assert len(model.requests) == 3
    for request in model.requests:
        assert (request.temperature, request.seed, request.max_tokens) == (0.7, 5, 99)
        assert request.json_schema == schema_of(DESK)


def test_the_schema_asks_for_a_thought_first_and_knows_the_tools():
    schema = schema_of(DESK)
    assert list(schema["properties"]) == ["thought", "tool", "args"]
    assert schema["properties"]["tool"]["enum"] == [tool.name for tool in DESK.tools]


def test_a_model_that_never_replies_ends_at_its_last_turn():
    model = Model(call("get_customer", email="nobody@example.org"))
    episode = played(model, turns=4)
    assert tools(episode) == ["get_customer"] * 4
    assert episode.final_answer == ""
    assert len(model.requests) == 4


def test_a_model_may_reply_at_once():
    episode = played(Model(call("reply", text="Done!")))
    assert tools(episode) == ["reply"]
    assert episode.final_answer == "Done!"


def test_a_reply_that_the_world_refuses_does_not_end_the_episode():
    model = Model(call("reply", text=5), call("reply", text="Done!"))
    episode = played(model)
    assert [step.observation.ok for step in episode.steps] == [False, True]
    assert episode.final_answer == "Done!"


def test_an_unknown_tool_and_arguments_of_a_wrong_type_are_refused_by_the_world():
    model = Model(call("open_drawer"), call("get_customer", email=[1]), call("reply", text="No."))
    episode = played(model)
    first, second, _ = episode.steps
    assert "there is no tool 'open_drawer'" in first.observation.error
    assert "get_customer takes email" in second.observation.error
    assert "FAILED: there is no tool" in model.requests[1].messages[-1].content


def test_an_answer_that_cannot_be_read_is_asked_for_once_more_with_the_reason():
    model = Model("I look.", call("reply", text="Done!"))
    episode = played(model)
    assert tools(episode) == ["reply"]
    assert "the answer is not JSON" in model.requests[1].messages[-1].content


def test_the_second_answer_in_a_row_that_cannot_be_read_ends_the_episode_there():
    look = call("get_customer", email="nobody@example.org")
    model = Model(look, "I look.", "I look again.")
    episode = played(model)
    assert tools(episode) == ["get_customer"]
    assert len(model.requests) == 1 + MOST_ANSWERS


def test_a_request_that_cannot_go_ends_the_episode():
    assert played(lambda request: None).steps == ()


def test_a_model_without_a_thought_is_lent_none():
    episode = played(Model('{"tool": "reply", "args": {"text": "Done!"}}'))
    assert episode.steps[0].thought == WITHOUT_THOUGHT


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the answer is empty"),
        ("  \n", "the answer is empty"),
        ("Sure, I look.", "the answer is not JSON"),
        ('{"tool": "reply", "args": {"text": NaN}}', "the answer is not JSON"),
        ('{"tool": "reply", "args": {"text": "\\ud800"}}', "the answer is not JSON"),
        ('{"tool": "reply", "args": {"n": 1e999}}', "the answer is not JSON"),
        ("[" * 100_000, "the answer is not JSON"),
        ("[]", "the answer is JSON, but no object"),
        ('{"args": {}}', "the answer names no tool"),
        ('{"tool": ["reply"], "args": {}}', "the answer names no tool"),
        ('{"tool": "reply"}', '"args" is no object'),
        ('{"tool": "reply", "args": "Done!"}', '"args" is no object'),
    ],
)  # fmt: skip
def test_an_answer_without_a_call_is_unreadable_for_a_reason(text, reason):
    assert read_action(text) == Unreadable(reason)


def test_an_answer_that_was_cut_off_says_so():
    assert read_action('{"tool": "re', "length").reason == "the answer was cut off at its longest"


def test_a_fence_around_an_answer_is_taken_off():
    action = read_action('```json\n{"tool": "reply", "args": {"text": "Hi"}}\n```')
    assert action.call.args == {"text": "Hi"}


@pytest.mark.parametrize("args", ['{"n": 999999999999999999999999}', '{"n": {"m": [null, -0.0]}}'])
def test_what_is_read_can_be_written_and_answered(args):
    action = read_action(f'{{"tool": "issue_refund", "args": {args}}}')
    msgspec.json.encode(action.call)
    episode = played(Model(f'{{"tool": "issue_refund", "args": {args}}}'), turns=1)
    assert not episode.steps[0].observation.ok
