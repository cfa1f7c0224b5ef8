"""Hostile labels in a figure: it stays XML, and a label is text that the font can draw."""

import re
from importlib.util import find_spec
from pkgutil import resolve_name
from xml.etree import ElementTree

import pytest

from ...hostile import FEW, HOSTILE, SURROGATES

pytestmark = pytest.mark.skipif(not find_spec("matplotlib"), reason="needs the extra 'figures'")


def style(name):
    return resolve_name(f"faultpair.analysis.figures.style:{name}")


PLACES = 5


def drawn(texts):
    """Draw texts in each place of a figure, and return the comments of the SVG: its labels."""
    figure, (axis,) = style("panels")(1, width=9, height=9)
    for text in texts:
        axis.plot([0, 1], [0, 1], label=text or "-")
        axis.text(0.5, 0.5, text, in_layout=False)
    axis.set_title(texts[0])
    axis.set_xticks(range(len(texts)), texts)
    axis.set_yticks(range(len(texts)), texts)
    style("add_legend")(figure, axis)
    svg = style("as_svg")(figure)
    ElementTree.fromstring(svg)
    assert svg == re.sub("[\x00-\x09\x0b-\x1f\x7f-\x9f]", "", svg)
    return re.findall("<!-- (.*?) -->", svg, re.DOTALL)


def check(texts, size=24):
    """Draw texts, shortened and whole, and look for those that are ASCII and no part of XML."""
    lacking = []
    for first in range(0, len(texts), size):
        batch = texts[first : first + size]
        for labels in (list(map(style("short"), batch)), [text[:40] for text in batch]):
            shown = drawn(labels)
            ordinary = [t for t in labels if t.isascii() and t.isprintable() and t.strip()]
            seen = (t for t in ordinary if not {"-", "&", "<", ">"} & {*t})
            # A legend leaves out what begins with an underscore, unless it was shortened.
            lacking += [t for t in seen if shown.count(t) < PLACES - 1 - t.startswith("_")]
    assert lacking == []


def test_labels_of_a_figure_are_text(recwarn):
    check(FEW[::3])


@pytest.mark.slow
def test_every_hostile_label_of_a_figure_is_text(recwarn):
    check([*HOSTILE, *SURROGATES])
    assert not recwarn.list


def test_a_formula_is_drawn_as_it_is_written():
    for text in (r"$\frac{1}{2}$", r"$\unknown$"):
        assert drawn([text]).count(text) == PLACES


def test_a_letter_that_the_font_lacks_is_drawn_as_its_escape():
    assert drawn(["日本"]).count(r"\u65e5\u672c") == PLACES


def test_a_name_that_begins_with_an_underscore_is_in_the_legend():
    figure, (axis,) = style("panels")(1, width=3, height=3)
    axis.plot([0, 1], [0, 1], label=style("short")("_judge"))
    style("add_legend")(figure, axis)
    assert "<!--  _judge -->" in style("as_svg")(figure)


def test_a_long_label_loses_its_middle():
    assert len(style("short")("x" * 300)) <= 28
