"""A mask takes what an edit changes from both pages, and leaves what it should not change."""

import pytest

from faultpair.analysis.tells.pages import MASKS, Mask, masked


def step(tool, thought="", observation=None, **args):
    call = {"tool": tool, "args": args}
    return {"index": 0, "thought": thought, "call": call, "observation": observation}


def page(*steps, reply="done", end_state="paid"):
    return {"goal": "pay", "steps": list(steps), "reply": reply, "end_state": end_state}


def test_an_edited_argument_goes_from_both_pages_with_its_observation_and_no_more():
    one, other = masked(
        (
            page(step("pay", "Now.", "9", to="A", sum=9)),
            page(step("pay", "Now.", "5", to="A", sum=5)),
        ),
        Mask.CALLS,
    )
    assert one == other
    (left,) = one["steps"]
    assert left["call"] == {"tool": "pay", "args": {"to": "A"}}
    assert left["thought"] == "Now."
    assert left["observation"] is None


@pytest.mark.parametrize(
    "faulty",
    [
        page(step("look"), step("pay")),
        page(step("look"), step("check"), step("check"), step("pay")),
        page(step("look"), step("pay"), step("check")),
    ],
    ids=["deleted", "inserted", "moved"],
)
def test_a_step_without_a_counterpart_goes(faulty):
    one, other = masked((faulty, page(step("look"), step("check"), step("pay"))), Mask.CALLS)
    assert one == other
    assert "look" in str(one)


def test_a_thought_beside_the_edit_stays_until_the_last_mask():
    pages = (page(step("look", "I look, twice."), step("pay")), page(step("look", "I look.")))
    for mask in MASKS[:-1]:
        one, other = masked(pages, mask)
        assert one["steps"][0]["thought"] != other["steps"][0]["thought"]
    one, other = masked(pages, Mask.THOUGHTS)
    assert one == other


def test_a_changed_thought_of_an_edited_call_stays():
    one, other = masked((page(step("pay", "a", sum=1)), page(step("pay", "b", sum=2))), Mask.CALLS)
    assert (one["steps"][0]["thought"], other["steps"][0]["thought"]) == ("a", "b")


@pytest.mark.parametrize(
    ("changes", "mask"),
    [({"reply": "paid 9"}, Mask.REPLY), ({"end_state": "none"}, Mask.END_STATE)],
)
def test_a_part_goes_with_its_own_mask_and_not_before(changes, mask):
    pages = (page(step("pay"), **changes), page(step("pay")))
    for earlier in MASKS[: MASKS.index(mask)]:
        one, other = masked(pages, earlier)
        assert one != other
    one, other = masked(pages, mask)
    assert one == other


def test_an_observation_after_the_edit_goes_with_its_own_mask():
    pages = (
        page(step("pay", sum=9), step("look", observation="late")),
        page(step("pay", sum=5), step("look", observation="here")),
    )
    assert len({str(own) for own in masked(pages, Mask.END_STATE)}) == 2
    assert len({str(own) for own in masked(pages, Mask.OBSERVATIONS)}) == 1


def test_an_observation_before_the_edit_stays():
    """It cannot follow from the edit."""
    pages = (
        page(step("look", observation="late"), step("pay", sum=9)),
        page(step("look", observation="here"), step("pay", sum=5)),
    )
    one, other = masked(pages, MASKS[-1])
    assert one["steps"][0]["observation"] == "late"
    assert other["steps"][0]["observation"] == "here"


def test_no_mask_takes_the_goal_or_changes_its_pages():
    pages = ({**page(step("pay")), "goal": "x"}, page(step("pay")))
    one, other = masked(pages, MASKS[-1])
    assert (one["goal"], other["goal"]) == ("x", "pay")
    assert pages[1] == page(step("pay"))
