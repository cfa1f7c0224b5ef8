"""Damages files: half of the results still parse, so that what lies behind the parser is tried.

Everything follows from the stream, so a seed names a file.
"""

import json
from collections.abc import Callable
from random import Random

__all__ = ["ODD_TEXTS", "ODD_VALUES", "damaged_bytes", "damaged_json_lines", "damaged_toml"]

DEEP = "[" * 3000 + "]" * 3000

ODD_TEXTS = (
    "", " ", "\x00", "\x1b]0;x\x07", "\u202eabc", "\ufeff", "a\nb", "a\r\nb", "=1+1", "|", "<b>",
    "$\\frac{$", "{0}", "%s", "../..", "é" * 500, "x" * 100_000, "-1", "NaN", "null", "[red]",
)  # fmt: skip

ODD_VALUES = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, 10**30, -(10**30), 0.5, -0.5, 1e308, [], {},
    [[]], {"a": {}}, [None], ["a", "a"], *ODD_TEXTS,
)  # fmt: skip


def damaged_bytes(content: bytes, rng: Random) -> bytes:
    """Damage a file as a disk, a transfer or an editor would."""
    ways: tuple[Callable[[bytes, Random], bytes], ...] = (
        _bit, _byte, _cut, _torn, _doubled, _swapped, _bom, _crlf, _bad_utf8, _nul, _utf16, _empty,
        _blank_lines, _long_line, _joined,
    )  # fmt: skip
    return rng.choice(ways)(content, rng)


def damaged_json_lines(content: bytes, rng: Random) -> bytes:
    """Change one value in a file of JSON, whole or in lines; the file still parses."""
    text = content.decode()
    if not text.startswith("{\n"):
        lines = text.splitlines()
        if not lines:
            return b"{}\n"
        if rng.random() < 0.25:
            return _moved_lines(lines, rng)
        place = rng.randrange(len(lines))
        lines[place] = _changed(json.loads(lines[place]), rng)
        return _encoded("\n".join(lines) + "\n")
    return _encoded(_changed(json.loads(text), rng) + "\n")


def damaged_toml(content: bytes, rng: Random) -> bytes:
    """Change one value, key or table of a TOML file; most results still parse."""
    lines = content.decode().splitlines()
    places = [place for place, line in enumerate(lines) if "=" in line]
    place = rng.choice(places)
    key, _, _ = lines[place].partition("=")
    odd = rng.choice(ODD_VALUES)
    match rng.randrange(5):
        case 0:
            del lines[place]
        case 1:
            lines.insert(place, lines[place])
        case 2:
            lines[place] = f"x{lines[place]}"
        case 3:
            lines[place] = f"{key}= {_toml(odd)}"
        case _:
            lines[place] = f"{key}= {rng.choice((DEEP, '9' * 5000, '1e400', 'nan', '-inf'))}"
    return _encoded("\n".join(lines) + "\n")


def _toml(value: object) -> str:
    if isinstance(value, dict) or value is None:
        return "{ a = 1 }"
    return json.dumps(value).replace("\\u0000", "\\u0001")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _changed(record: object, rng: Random) -> str:
    """Return a record with one value, at any depth, changed, deleted, added or renamed."""
    owner, key = rng.choice(list(_places(record)))
    match rng.randrange(6):
        case 0 if isinstance(owner, dict):
            del owner[key]
        case 1 if isinstance(owner, dict):
            owner[f"{key}_"] = owner.pop(key)
        case 2:
            owner[key] = [owner[key]]
        case 3:
            return json.dumps(record).replace(json.dumps(owner[key]), DEEP, 1)
        case _:
            owner[key] = rng.choice(ODD_VALUES)
    return json.dumps(record, ensure_ascii=rng.random() < 0.5)


def _places(value: object):
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    else:
        return
    for key, inside in items:
        yield value, key
        yield from _places(inside)


def _moved_lines(lines: list[str], rng: Random) -> bytes:
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[one]
        case 1:
            lines.insert(other, lines[one])
        case 2:
            lines.insert(other, lines.pop(one))
        case _:
            lines = lines[:one]
    return _encoded("".join(f"{line}\n" for line in lines))


def _bit(content: bytes, rng: Random) -> bytes:
    return _with(content, rng, lambda byte: byte ^ (1 << rng.randrange(8)))


def _byte(content: bytes, rng: Random) -> bytes:
    return _with(content, rng, lambda byte: rng.randrange(256))


def _with(content: bytes, rng: Random, change: Callable[[int], int]) -> bytes:
    changed = bytearray(content or b"\n")
    place = rng.randrange(len(changed))
    changed[place] = change(changed[place])
    return bytes(changed)


def _cut(content: bytes, rng: Random) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _torn(content: bytes, rng: Random) -> bytes:
    return content + content[: rng.randrange(1, 80)]


def _doubled(content: bytes, rng: Random) -> bytes:
    lines = content.splitlines(keepends=True)
    place = rng.randrange(len(lines) or 1)
    return b"".join([*lines[:place], *lines[place : place + 1], *lines[place:]])


def _swapped(content: bytes, rng: Random) -> bytes:
    lines = content.splitlines(keepends=True)
    rng.shuffle(lines)
    return b"".join(lines)


def _bom(content: bytes, rng: Random) -> bytes:
    return b"\xef\xbb\xbf" + content


def _crlf(content: bytes, rng: Random) -> bytes:
    return content.replace(b"\n", b"\r\n")


def _bad_utf8(content: bytes, rng: Random) -> bytes:
    place = rng.randrange(len(content) + 1)
    return content[:place] + rng.choice((b"\xff", b"\xc3", b"\xed\xa0\x80")) + content[place:]


def _nul(content: bytes, rng: Random) -> bytes:
    place = rng.randrange(len(content) + 1)
    return content[:place] + b"\x00" * rng.randrange(1, 600) + content[place:]


def _utf16(content: bytes, rng: Random) -> bytes:
    return content.decode("utf-8", "replace").encode("utf-16")


def _empty(content: bytes, rng: Random) -> bytes:
    return b""


def _blank_lines(content: bytes, rng: Random) -> bytes:
    return content.replace(b"\n", b"\n\n", rng.randrange(1, 5))


def _long_line(content: bytes, rng: Random) -> bytes:
    return content + b"{" + b" " * 3_000_000 + b"}\n"


def _joined(content: bytes, rng: Random) -> bytes:
    return content.replace(b"\n", b"", rng.randrange(1, 5))
