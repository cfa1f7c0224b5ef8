"""Whether a request fits: by its bytes where they suffice, else by its tokens."""

import pytest

from faultpair.calls.context_window import why_too_long
from faultpair.engines.engine import Message, Request
from faultpair.engines.scripted import ScriptedEngine

TEN_WORDS = Request((Message("user", " ".join(["word"] * 10)),), max_tokens=5)


class Unasked(ScriptedEngine):
    """An engine that must not be asked to count."""

    def count_tokens(self, request):
        raise AssertionError


class Uncounted(ScriptedEngine):
    """An engine that cannot count."""

    def count_tokens(self, request):
        return None


@pytest.mark.parametrize("room", [15, 16, 53])
def test_a_request_fits_if_prompt_and_answer_do(room):
    assert why_too_long(ScriptedEngine("yes"), TEN_WORDS, room, what="chat") is None


def test_one_that_does_not_fit_is_told_with_all_three_numbers():
    assert why_too_long(ScriptedEngine("yes"), TEN_WORDS, 14, what="chat") == (
        "the chat has 10 tokens and the answer may have 5; the context holds 14"
    )


@pytest.mark.parametrize("room", [None, 54])
def test_nothing_is_counted_where_the_room_is_unknown_or_holds_all_bytes(room):
    assert why_too_long(Unasked("yes"), TEN_WORDS, room, what="chat") is None


def test_what_only_a_call_could_tell_is_sent():
    assert why_too_long(Uncounted("yes"), TEN_WORDS, 14, what="chat") is None
