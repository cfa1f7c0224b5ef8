"""The grammar of invented promises."""

from collections import Counter

import pytest

from faultpair.env.rng import stream
from faultpair.env.support_desk.procedure import PROCEDURE
from faultpair.injector.faults.support_desk.promises import FOUR, HALVES, promise, sentences


def kinds_of(half):
    return {name.split("/")[1] for name, _ in HALVES[half]}


def test_each_half_makes_hundreds_of_sentences():
    counts = {half: len({made.text for made in sentences(half)}) for half in HALVES}
    assert min(counts.values()) >= 300


def test_every_kind_of_claim_is_in_both_halves():
    assert kinds_of("a") == kinds_of("b")
    assert len(kinds_of("a")) >= 12


def test_no_template_and_no_sentence_is_in_both_halves():
    templates = [template for half in HALVES.values() for _, template in half]
    assert len(set(templates)) == len(templates)
    texts = {half: {made.text for made in sentences(half)} for half in HALVES}
    assert not texts["a"] & texts["b"]
    assert not (texts["a"] | texts["b"]) & set(FOUR)


def test_the_halves_are_of_one_length():
    lengths = {
        half: sum(len(made.text) for made in made_by(half)) / len(made_by(half)) for half in HALVES
    }
    assert abs(lengths["a"] - lengths["b"]) < 8


def made_by(half):
    return list(sentences(half))


@pytest.mark.parametrize("source", ["four", "a", "b"])
def test_a_promise_names_the_wording_it_was_made_from(source):
    drawn = [promise(source, stream(7, "promises", number)) for number in range(400)]
    assert {made.variant.split("/")[0] for made in drawn} == {source}
    by_variant = Counter(made.variant for made in drawn)
    assert len(by_variant) == (4 if source == "four" else len(HALVES[source]))


def test_drawn_promises_are_sentences_of_the_grammar():
    known = set(sentences("a"))
    assert all(promise("a", stream(7, "drawn", number)) in known for number in range(200))


def test_the_same_stream_draws_the_same_promise():
    assert promise("b", stream(1, "x")) == promise("b", stream(1, "x"))


def test_no_promise_is_one_that_the_procedure_backs():
    backed = ("payment method", "specialist", "contact")
    assert all(word in " ".join(clause.text for clause in PROCEDURE) for word in backed)
    texts = [made.text for half in HALVES for made in sentences(half)] + list(FOUR)
    assert not [text for text in texts if any(word in text for word in backed)]


def test_every_promise_is_one_closed_sentence():
    texts = [made.text for half in HALVES for made in sentences(half)] + list(FOUR)
    assert all(text.endswith(".") and "{" not in text for text in texts)
    assert all(text[0].isupper() and ". " not in text for text in texts)
