r"""Text from outside as plain text: characters that are invisible or control a display.

They are shown as escapes, such as ``\x1b`` or ``\u202e``. A backslash stays as it is, so a text
that was escaped once stays as it is, too.
"""

from __future__ import annotations

import re

__all__ = ["plain"]

# Fixed ranges: which characters `unicodedata` counts as format characters depends on the Python.
# U+200C and U+200D stay: words of several languages and joined emoji are written with them.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def plain(text: str, *, keep: str = "") -> str:
    r"""Return a text with each control, format or surrogate character as an escape.

    ``keep`` holds the characters that stay, such as a newline where lines are allowed.

    >>> plain("\x1b[31mred\n"), plain("two\nlines", keep="\n")
    ('\\x1b[31mred\\n', 'two\nlines')
    """
    return _UNSAFE.sub(lambda match: _escaped(match[0], keep), text)


def _escaped(character: str, keep: str) -> str:
    if character in keep:
        return character
    code = ord(character)
    if code < 0x100:
        return _SHORT.get(character, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
