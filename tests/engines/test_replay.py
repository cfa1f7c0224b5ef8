import msgspec
import pytest

from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import EngineOptions, Identity, Reply, request_hash
from faultpair.env.errors import EngineError, RecordError, UsageError
from faultpair.env.records import Exchange, TokenChoice


@pytest.fixture
def kept(tmp_path):
    """Return a function that keeps exchanges in a file and opens it as an engine."""

    def keep(*exchanges):
        path = tmp_path / "replies.jsonl"
        lines = [msgspec.json.encode(exchange) + b"\n" for exchange in exchanges]
        path.write_bytes(b"".join(lines))
        return open_engine(f"replay:{path}", EngineOptions(context_tokens=99))

    return keep


def exchange(request, text=None, **fields):
    answered = fields.pop("by", ("openai:m", "fp_1", None))
    return Exchange(
        "T-1", "judge", 0, 0, 1, request_hash(request), "prompt", *answered, text=text, **fields
    )


def test_a_request_gets_the_reply_that_was_kept_as_it_was(kept, ask):
    engine = kept(
        exchange(ask("a"), "yes", prompt_tokens=7, completion_tokens=1, latency_s=2.5),
        exchange(ask("b"), "no", finish_reason="length"),
    )
    assert engine.complete(ask("b")) == Reply("no", finish_reason="length")
    assert engine.complete(ask("a")) == Reply("yes", 7, 1, latency_s=2.5)


def test_an_equal_request_gets_the_next_reply_and_the_last_repeats(kept, ask):
    engine = kept(exchange(ask(), "one"), exchange(ask(), "two"))
    assert [engine.complete(ask()).text for _ in range(3)] == ["one", "two", "two"]


def test_attempts_without_a_reply_are_left_out(kept, ask):
    engine = kept(exchange(ask(), error="503"), exchange(ask(), "yes"))
    assert engine.complete(ask()).text == "yes"


def test_a_request_that_was_not_kept_is_a_final_error_that_names_it(kept, ask):
    engine = kept(exchange(ask("a"), "yes"))
    with pytest.raises(EngineError, match=request_hash(ask("b"))) as caught:
        engine.complete(ask("b"))
    assert not caught.value.transient


@pytest.mark.parametrize(
    ("token", "text"),
    [
        ("true", '{"reasoning":"is it true","faulty":true,"confidence":1}'),
        (" false", '{"reasoning":"a false one","faulty": false,"failure_type": "false_promise"}'),
        ("tr", '{"reasoning":"","faulty":true}'),
    ],
)
def test_the_verdict_token_is_at_its_place(kept, ask, token, text):
    decision = TokenChoice(token, -0.1)
    reply = kept(exchange(ask(), text, decision=decision)).complete(ask())
    assert "".join(piece.token for piece in reply.tokens) == text
    assert reply.tokens[1] == decision
    assert reply.tokens[0].token.endswith('"faulty":')


@pytest.mark.parametrize("token", ["yes", "Yes"])
def test_a_token_that_is_not_in_the_text_is_the_only_one(kept, ask, token):
    decision = TokenChoice(token, -0.1)
    reply = kept(exchange(ask(), "yes", decision=decision)).complete(ask())
    assert reply.tokens == (decision,)


def test_identity_is_the_engine_of_the_kept_replies_and_the_file(kept, ask):
    identity = kept(exchange(ask(), "yes")).identify()
    assert identity == Identity("replay", "fp_1", "openai:m", None, identity.build)
    assert identity.build.startswith("replies sha256:")


def test_identity_names_no_engine_if_there_were_several(kept, ask):
    engine = kept(exchange(ask(), "yes"), exchange(ask(), "no", by=("ollama:x", "1", None)))
    assert engine.identify().model is None
    assert engine.context_tokens() == 99


def test_a_file_that_is_not_there_is_refused():
    with pytest.raises(UsageError, match="no such file"):
        open_engine("replay:nowhere.jsonl")


def test_a_line_that_is_no_exchange_is_named(tmp_path):
    path = tmp_path / "replies.jsonl"
    path.write_text('{"text": "yes"}\n')
    with pytest.raises(RecordError, match=r"line 1: .*trajectory_id"):
        open_engine(f"replay:{path}")
