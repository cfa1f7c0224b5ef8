r"""Text from outside as plain text: characters that are invisible or control a display.

They are shown as escapes, such as ``\x1b`` or ``\u202e``. A backslash stays as it is, so a text
that was escaped once stays as it is, too.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import methodcaller

__all__ = ["make_plain", "plain", "plain_lines"]

# Fixed ranges: which characters `unicodedata` counts as format characters depends on the Python.
# U+200C and U+200D stay: words of several languages and joined emoji are written with them.
_UNSAFE = (
    (0x00, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x61C, 0x61C), (0x180E, 0x180E), (0x200B, 0x200B),
    (0x200E, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0xD800, 0xDFFF), (0xFEFF, 0xFEFF),
    (0xFFF9, 0xFFFB), (0xFFFE, 0xFFFF), (0xE0000, 0xE007F),
)  # fmt: skip
_ESCAPES = {
    code: chr(code).encode("unicode_escape").decode()
    for first, last in _UNSAFE
    for code in range(first, last + 1)
}
_IN_LINES = {code: escape for code, escape in _ESCAPES.items() if chr(code) not in "\n\t"}

plain: Callable[[str], str] = methodcaller("translate", _ESCAPES)
r"""Return a text on one line, with each control, format or surrogate character as an escape.

>>> print(plain("\x1b[31mred\n\u202e"))
\x1b[31mred\n\u202e
"""

plain_lines: Callable[[str], str] = methodcaller("translate", _IN_LINES)
"""Return a text with the same escapes, its newlines and tabs as they are."""


def make_plain(error: Exception) -> None:
    """Escape the message of an error that another library prints."""
    message = getattr(error, "message", None)
    if isinstance(message, str):
        error.message = plain_lines(message)  # type: ignore[attr-defined]
