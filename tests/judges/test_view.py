"""Views: how an exhibit reads on the page."""

import msgspec
import pytest

from faultpair.env.errors import UsageError
from faultpair.judges.model_judge import SPECIMEN
from faultpair.judges.view import VIEWS

FULL = """\
REQUEST
Hand over coat 7.

STEPS
Step 0
  thought: I look.
  call: find {"ticket":7}
  answer: {"coat":"red"}
Step 1
  thought: I ask.
  call: ask {}
  failed: nobody answered
Step 2
  thought: I say so.
  call: reply {"text":"Here it is."}

FINAL REPLY TO THE CUSTOMER
Here it is."""


def test_the_full_view_shows_every_step_as_it_went():
    assert VIEWS["full-steps"].render(SPECIMEN) == FULL


def test_parts_read_alike_in_every_view_that_shows_them():
    reply = "FINAL REPLY TO THE CUSTOMER\nHere it is."
    for name, view in zip(VIEWS, VIEWS.values(), strict=True):
        assert view.render(SPECIMEN).startswith("REQUEST\nHand over coat 7.\n\n") == (
            "goal" in view.parts
        )
        assert (reply in view.render(SPECIMEN)) == ("reply" in view.parts), name


def test_the_view_of_calls_shows_no_answer_and_the_view_of_observations_no_argument():
    assert (
        VIEWS["calls-only"]
        .render(SPECIMEN)
        .endswith(
            "CALLS, WITHOUT THEIR ANSWERS\n"
            'Step 0\n  call: find {"ticket":7}\nStep 1\n  call: ask {}\n'
            'Step 2\n  call: reply {"text":"Here it is."}'
        )
    )
    seen = VIEWS["reply-with-observations"].render(SPECIMEN)
    assert 'Step 0\n  tool: find\n  answer: {"coat":"red"}' in seen
    assert "ticket" not in seen


def test_a_run_without_steps_or_reply_says_so():
    bare = msgspec.structs.replace(SPECIMEN, steps=(), reply="")
    assert VIEWS["full-steps"].render(bare) == (
        "REQUEST\nHand over coat 7.\n\nSTEPS\n(none)\n\nFINAL REPLY TO THE CUSTOMER\n(none)"
    )


def test_an_unknown_view_is_refused():
    with pytest.raises(UsageError, match="No view is named 'x-ray'"):
        VIEWS["x-ray"]
