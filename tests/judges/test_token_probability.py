"""The graded readout: P(faulty) from the alternatives at the token of the verdict."""

import math

import pytest

from faultpair.env.records import TokenChoice
from faultpair.judges.token_probability import probability, verdict_token, word_token


def choice(token, **alternatives):
    top = tuple((name, math.log(share)) for name, share in alternatives.items())
    return TokenChoice(token, top[0][1] if top else 0.0, top)


def tokens(*pieces):
    return tuple(TokenChoice(piece, 0.0) for piece in pieces)


@pytest.mark.parametrize(
    ("pieces", "found"),
    [
        (('{"', "reason", '":"x","', "faulty", '":', "true", ',"'), "true"),
        (('{"faulty": ', "fal", "se}"), "fal"),
        (('{"faulty":', " true"), " true"),
        (('{"faulty', '"', ' : "', "x"), ' : "'),
        (('{"reasoning":"', "true", '"}'), None),
        (("yes",), None),
        ((), None),
    ],
)
def test_the_token_of_the_verdict_is_that_at_which_its_value_begins(pieces, found):
    token = verdict_token(tokens(*pieces))
    assert (token and token.token) == found


def test_the_token_of_a_word_is_the_first_that_is_not_blank():
    assert word_token(tokens(" ", "\n", "yes", "no")).token == "yes"
    assert word_token(tokens(" ")) is None


@pytest.mark.parametrize(
    ("decision", "p"),
    [
        (choice("true", true=0.6, false=0.2), 0.75),
        (choice("no", yes=0.1, no=0.3, maybe=0.6), 0.25),
        (choice("Yes", Yes=0.2, yes=0.2, YES=0.1, No=0.5), 0.5),
        (choice(" true", **{" true": 0.5, "false": 0.5}), 0.5),
        (choice("true", true=1.0), 1.0),
        (choice("maybe", maybe=1.0), None),
        (TokenChoice("false", -0.1), 0.0),
        (TokenChoice("x", -0.1), None),
        (None, None),
    ],
)
def test_p_is_the_share_of_yes_among_yes_and_no(decision, p):
    assert probability(decision) == (None if p is None else pytest.approx(p))


def test_a_word_without_a_chance_is_none():
    assert probability(TokenChoice("x", -0.1, (("true", -math.inf), ("false", -math.inf)))) is None
