"""Secrets: addresses without them, and their removal from texts that others wrote.

The parts of an address that may be secret are its user, its password, the values of its query and
its fragment. A record and a message show the rest.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import quote, unquote

import msgspec

from faultpair.env.errors import UsageError

__all__ = [
    "LEAST_LENGTH",
    "MARK",
    "PROVIDER_KEYS",
    "Redactor",
    "is_variable",
    "key_in",
    "secrets_in",
    "shown_address",
    "shown_arguments",
    "shown_text",
]

PROVIDER_KEYS = {"openai": "OPENAI_API_KEY", "ollama": "OLLAMA_API_KEY"}
"""The environment variable with the key of each provider of models."""

LEAST_LENGTH = 8
"""Characters of a secret that tell it from a word; a shorter one is not looked for."""

MARK = "[key]"

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LONGEST_WORD = 16
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"<>]+")
_ESCAPED = re.compile(r"%([2-7][0-9A-Fa-f])|\\u00([2-7][0-9A-Fa-f])|\\([\"\\/])|(.)", re.DOTALL)


def shown_address(text: str) -> str:
    """Return an address without its secrets, whether it is well-formed or not.

    Examples
    --------
    >>> shown_address("https://ada:pw@host/judge?key=S#top")
    'https://host/judge?key=…'
    """
    scheme, colon, rest = text.partition("://") if "://" in text else ("", "", text)
    _, place, query, _ = _parts(rest)
    values = (
        f"{name}{equals}{value and '…'}" if equals else "…"
        for name, equals, value in (pair.partition("=") for pair in query.split("&"))
    )
    return f"{scheme}{colon}{place}" + (f"?{'&'.join(values)}" if query else "")


def shown_text(text: str) -> str:
    """Return a text in which each address is without its secrets."""
    return _ADDRESS.sub(lambda found: shown_address(found[0]), text) if "://" in text else text


def shown_arguments(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of a command without the secrets of the addresses among them."""
    shown: list[str] = []
    for before, argument in zip(("", *arguments), arguments, strict=False):
        name, equals, value = argument.partition("=")
        if before == "--base-url":  # whose scheme may be left out
            shown.append(shown_address(argument))
        elif name == "--base-url" and equals:
            shown.append(f"{name}={shown_address(value)}")
        else:
            shown.append(shown_text(argument))
    return shown


def secrets_in(address: str) -> Iterator[str]:
    """Yield the secrets of an address, as they are written in it and as they are meant."""
    user, _, query, fragment = _parts(address.partition("://")[2] or address)
    values = [pair.partition("=")[2] or pair for pair in query.split("&")]
    for secret in (user, *user.split(":", 1), *values, fragment):
        yield from dict.fromkeys((secret, unquote(secret)))


def is_variable(text: str) -> bool:
    """Return whether a text is a usual name of an environment variable, and no key itself.

    Examples
    --------
    >>> is_variable("MY_KEY"), is_variable("sk-9a"), is_variable("AKIA" + "7" * 16)
    (True, False, False)
    """
    longest = max(map(len, text.split("_")))
    return _VARIABLE.fullmatch(text) is not None and longest <= _LONGEST_WORD


def key_in(variable: str, where: str) -> str:
    """Return the key in an environment variable that ``where`` names, an option or a setting.

    Raises
    ------
    UsageError
        If there is no such variable, or its name may be a key itself.
    """
    if not is_variable(variable):
        raise UsageError(
            f"{where} takes the name of an environment variable, such as MY_KEY, and what it has "
            "may be a key itself. A key on a command line or in a file is seen by others: put it "
            "into a variable."
        )
    key = os.environ.get(variable, "").strip()
    if not key:
        raise UsageError(f"{where} names {variable}, and the environment holds no such variable.")
    return key


def _parts(rest: str) -> tuple[str, str, str, str]:
    """Return user, host with path, query and fragment of what follows a scheme."""
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    host = authority.rpartition("@")[2]
    if "@" in rest and "@" not in authority and re.search(r":(?!\d*$)", _after_ipv6(host)):
        # Not a port: the text before the last @ is a user and a password with a special letter.
        authority = rest[: rest.rindex("@") + 1] + re.split(r"[/?#]", rest.rpartition("@")[2])[0]
    user = authority.rpartition("@")[0]
    rest = rest[len(user) + 1 :] if "@" in authority else rest
    before, _, fragment = rest.partition("#")
    place, _, query = before.partition("?")
    return user, place, query, fragment


def _after_ipv6(host: str) -> str:
    return host.rpartition("]")[2]


class Redactor:
    """Replaces secrets in a text by `MARK`: whole, in part, percent-encoded, escaped, in base64.

    A part is a run of at least `LEAST_LENGTH` characters, since a quotation may be cut anywhere.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        kept = {secret for secret in secrets if len(secret) >= LEAST_LENGTH}
        self._raw = frozenset(piece for secret in kept for piece in _pieces(secret))
        self._pieces = self._raw.union(
            piece for secret in kept for form in _forms(secret) for piece in _pieces(form)
        )

    def __bool__(self) -> bool:
        return bool(self._pieces)

    def __call__(self, text: str) -> str:
        """Return a text without the secrets."""
        (redacted,) = self.each([text])
        return redacted

    def each(self, texts: Iterable[str]) -> list[str]:
        """Return texts without the secrets, also without those that go over several of them."""
        kept = list(texts)
        whole = "".join(kept)
        hidden = self._hidden(whole)
        if 1 not in hidden:
            return kept
        redacted, start = [], 0
        for text in kept:
            redacted.append(_marked(whole, hidden, start, start + len(text)))
            start += len(text)
        return redacted

    def _hidden(self, text: str) -> bytearray:
        """Return 1 for each character that is part of a secret, else 0."""
        hidden = bytearray(len(text))
        for start, end in _found(text, self._pieces):
            hidden[start:end] = b"\1" * (end - start)
        if "%" in text or "\\" in text:
            letters = list(_ESCAPED.finditer(text))
            meant = "".join(map(_letter, letters))
            for first, past in _found(meant, self._raw):
                start, end = letters[first].start(), letters[past - 1].end()
                hidden[start:end] = b"\1" * (end - start)
        return hidden


def _marked(text: str, hidden: bytearray, start: int, end: int) -> str:
    """Return a part of a text with a mark where a hidden run begins."""
    pieces = []
    for place in range(start, end):
        if not hidden[place]:
            pieces.append(text[place])
        elif place == 0 or not hidden[place - 1]:
            pieces.append(MARK)
    return "".join(pieces)


def _found(text: str, pieces: frozenset[str]) -> Iterator[tuple[int, int]]:
    for start in range(len(text) - LEAST_LENGTH + 1):
        if text[start : start + LEAST_LENGTH] in pieces:
            yield start, start + LEAST_LENGTH


def _pieces(text: str) -> Iterator[str]:
    for start in range(len(text) - LEAST_LENGTH + 1):
        yield text[start : start + LEAST_LENGTH]


def _letter(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    return chr(int(code, 16)) if code else found[3] or found[4]


def _forms(secret: str) -> Iterator[str]:
    """Yield other spellings of a secret: percent-encoded, as JSON, and base64 at each offset."""
    yield quote(secret, safe="")
    yield msgspec.json.encode(secret).decode()[1:-1]
    raw = secret.encode()
    for offset in range(3):
        coded = b64encode(bytes(offset) + raw + bytes(-(offset + len(raw)) % 3)).decode()
        # The first and the last characters hold bits of what stands beside the secret.
        pure = coded[(8 * offset + 5) // 6 : 8 * (offset + len(raw)) // 6]
        yield pure
        yield pure.translate(str.maketrans("+/", "-_"))
