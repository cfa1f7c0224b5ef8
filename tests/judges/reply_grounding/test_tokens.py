import pytest

from faultpair.judges.reply_grounding.dates import readings_of
from faultpair.judges.reply_grounding.terms import Lexicon, sentences
from faultpair.judges.reply_grounding.tokens import tokens


def cut(text):
    return [(str(token.sort), token.text) for token in tokens(text)]


@pytest.mark.parametrize(
    ("text", "currency", "number"),
    [
        ("EUR 60.03", "eur", 60.03),
        ("60.03 EUR", "eur", 60.03),
        ("CHF 1,234.50", "chf", 1234.5),
        ("CHF 1.234,50", "chf", 1234.5),
        ("€34,06", "eur", 34.06),
        ("$ 1,000", "usd", 1000.0),
        ("34.06 dollars", "usd", 34.06),
        ("SEK 12,5", "sek", 12.5),
        ("£7", "gbp", 7.0),
    ],
)
def test_an_amount_is_read_in_each_notation(text, currency, number):
    (token,) = tokens(text)
    assert (str(token.sort), token.currency, token.number) == ("amount", currency, number)


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("12 %", "percent"),
        ("12 percent", "percent"),
        ("44", "number"),
        ("twenty-four", "number"),
        ("2026-02-11", "date"),
        ("11 February 2026", "date"),
        ("February 11th, 2026", "date"),
        ("14:00", "time"),
        ("ada.moss@example.com", "address"),
        ("ORD-790080", "identifier"),
        ("ord-790080", "identifier"),
        ("SKU-DESK-07", "identifier"),
        ("ESC-OPEN", "identifier"),
        ("non-refundable", "word"),
    ],
)
def test_values_and_words_are_distinguished(text, sort):
    assert cut(text) == [(sort, text)]


def test_the_point_of_a_number_does_not_end_a_sentence():
    terms = Lexicon({"refunded": ("refunded",)}).read("It is refunded: 34.06. Not 34.")
    assert [len(sentence) for sentence in sentences(terms)] == [5, 2, 0]


def test_a_contraction_denies():
    terms = Lexicon({"refunded": ("refunded",)}).read("It can\N{RIGHT SINGLE QUOTATION MARK}t be")
    assert [term.token.text for term in terms] == ["It", "can", "not", "be"]


def test_the_longest_phrase_is_read():
    lexicon = Lexicon({"case": ("request for a refund",), "refund": ("refund",)})
    assert [term.concepts for term in lexicon.read("Request for a refund")] == [{"case"}]


@pytest.mark.parametrize("text", ["31/02/2026", "2026-13-40", "99/99/9999"])
def test_an_impossible_date_has_no_reading(text):
    assert readings_of(text) == ()


@pytest.mark.parametrize("text", ["9" * 400, "٣٤.٠٦", "€" * 99, "a" * 9999, "1," * 999, "-" * 9999])
def test_any_text_can_be_cut(text):
    assert all(token.text for token in tokens(text))
