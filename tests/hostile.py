"""Texts that would do something if a display or a reader of files did not take them as text."""

import json

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
INVISIBLE = "\u00ad\u180e\u200b\u2060\u2061\u2064\u206a\ufeff\ufff9\ufffb\uffff\U000e0001\U000e0041"
NEWLINES = ("\n", "\r", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\u2029")

_CODES = [
    "\x1b[2J", "\x1b[31mred\x1b[0m", "\x1b[1A\x1b[2K", "\x1b]0;a title\x07", "\x1b]0;a title\x1b\\",
    "\x1b]8;;http://evil.test\x1b\\here\x1b]8;;\x1b\\", "\x1b]52;c;aGk=\x07", "\x1bc",
    "\x1b[?1049h",
    "\x1b[6n", "\x1bP+q544e\x1b\\", "\x9b31m", "\x9d0;a title\x9c", "over\b\b\b\bwritten",
    "\x0e\x0f",
]  # fmt: skip
_HTML = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<a href='javascript:a()'>b</a>",
    "<b>", "</td></table>", "<br/>", "<!-- a comment", "-->", "<?php a() ?>", "<![CDATA[a]]>",
    "&lt;",
    "<!DOCTYPE html>", "&#60;b&#62;", "&amp;amp;", "a < b > c", "<http://evil.test>", "<a@b.test>",
    "<svg/onload=a()>", "<style>*{display:none}</style>", "<details open>", "]]>",
]  # fmt: skip
_BLOCKS = [
    "<!-- /faultpair -->", "<!-- faultpair:main study=small -->", "<!--n:small/a/b-->0.5",
    "<!--ci:small/a/b-->", "a<!-- /faultpair -->b<!-- faultpair:main study=small -->",
    "|<!-- /faultpair -->|", "\n<!-- /faultpair -->\n", "`<!-- /faultpair -->`",
]  # fmt: skip
_MARKDOWN = [
    "a|b", "|", "||", r"a\|b", r"a\\|b", "\\", "a\\", r"\*a\*", "*a*", "**a**", "***", "* a", "_a_",
    "__a__", "a_b_c", "_", "~~a~~", "~a~", "`a`", "``a``", "`", "```", "~~~",
    "[a](http://evil.test)",
    "[a](javascript:b)", "![a](http://evil.test/p.png)", "[a]: http://evil.test", "[a][b]", "[a]",
    "[^1]", "[^1]: a", "[ ] a", "[x] a", "# a", "###### a", "> a", "- a", "+ a", "1. a", "12) a",
    "---", "===", "    code", "| --- |", "| a | b |", ":---:", "http://evil.test", "www.evil.test",
    "a@evil.test", "$a$", "$$a$$", "a  ", "  a", "\u00a0a\u00a0", "<u>a", "&copy;", "[[a]]",
    ":fire:",
    "![", "](", "[a](<b>)", "a\\\nb", "---|---", "**a", "a**", "*", "_ a _", "`a|b`",
]  # fmt: skip
_FORMULAS = [
    f"{sign}{rest}"
    for sign in (
        "=",
        "+",
        "-",
        "@",
        "\t=",
        "\r=",
        "\n=",
        " =",
        "\uff1d",
        "\uff0b",
        "\uff0d",
        "\uff20",
    )
    for rest in ("1+1", "cmd|' /C calc'!A0", 'HYPERLINK("http://evil.test","a")')
]
_TEX = [
    "50%", "a#1", "a_b", "a^b", "a~b", "a&b", "{", "}", "{a}", r"\input{/etc/passwd}", "^^5cinput",
    r"\write18{a}", r"\endcsname", r"\def\a{}", "a  b", "`a'", '"a', "\\\\",
]  # fmt: skip
_MATHS = [
    r"$\frac{1}{2}$", "$a", "a$", "$ $", r"$\unknown$", "$^$", "$x_$", "${$", r"\$a\$", "a$b$c",
]  # fmt: skip
_FORMATS = [
    "{}", "{0}", "{a.__class__}", "{task.description}", "{{}}", "%s", "%d", "%(a)s", "%", "$a",
    "${a}",
    "%n%n%n",
]  # fmt: skip
_RICH = [
    "[red]a[/red]", "[/]", "[link=http://evil.test]a[/link]", "[bold", r"\[a]", "[@click=a]b[/]",
    ":smiley:", "openai:m:a", "[not a tag]", "[blink]", "[a]\\",
]  # fmt: skip
_REST = [
    "../../etc/passwd", "C:\\a\\b", "/etc/passwd", "a/b", "'a'", '"a"', '"', "'", 'a,"b",c', "a;b",
    "x" * 300, "word " * 200, "\u0301" * 40, "e" + "\u0301\u0323" * 30, "\U0001f600", "日本語",
    "עברית",
    "العربية", "e\u0301", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\ufffd", "ﬁ", "NaN",
    "null",
    "true", "-0.064", "1e5", "n/a", "–", "",
]  # fmt: skip

SURROGATES = ["a\ud800b", "\udfff", "\udc80\udcff", "\ud83d"]
"""Texts that no file of ours can hold: they come from arguments and names of files alone."""

HOSTILE = list(
    dict.fromkeys(
        [
            *(f"a{chr(code)}b" for code in (*range(0x20), *range(0x7F, 0xA0))),
            *(f"a{mark}b" for mark in (*BIDI, *INVISIBLE)),
            *(f"two{newline}lines" for newline in NEWLINES),
            *(f"{newline}# a" for newline in NEWLINES),
            *_CODES, *_HTML, *_BLOCKS, *_MARKDOWN, *_FORMULAS, *_TEX, *_MATHS, *_FORMATS, *_RICH,
            *_REST,
        ]
    )
)  # fmt: skip

FEW = HOSTILE[:160:9] + HOSTILE[160::7]
"""Some of each kind, for the quick suite."""

NAMES = [text for text in HOSTILE if text]
"""Those that may be an id."""


def named(text: str) -> str:
    """Return a text as pytest shows it."""
    return json.dumps(text)[:40]


def in_toml(text: str) -> str:
    """Return a text as a string of a study file."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
