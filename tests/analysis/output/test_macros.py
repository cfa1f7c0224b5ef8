"""Names of macros: TeX reads each as it is written, and no two names become one."""

import re

from faultpair.analysis.output.macros import _tex_safe

from ...hostile import HOSTILE, SURROGATES

TEXTS = [*HOSTILE, *SURROGATES]


def test_a_name_has_no_sign_that_tex_reads_otherwise():
    for text in TEXTS:
        name = _tex_safe(f"study/{text}/delta")
        assert not re.search(r"[%#\\{}~^&$\x00-\x1f\x7f-\x9f\ud800-\udfff]|  |^ | $", name)
        name.encode()


def test_different_names_stay_different():
    assert len({_tex_safe(text) for text in TEXTS}) == len(TEXTS)


def test_an_ordinary_name_is_as_it_was():
    for name in ("paper/step-1.5b/delta/type=wrong_tool/low", "agent/rules (labeller)/ece"):
        assert _tex_safe(name) == name
