"""Edits of the kind that an accident makes: a byte changed; a line deleted, doubled or moved."""

from random import Random

__all__ = ["KINDS", "edited"]


def _a_byte(content: bytes, rng: Random) -> bytes:
    place = rng.randrange(len(content))
    return content[:place] + bytes([content[place] ^ rng.randrange(1, 256)]) + content[place + 1 :]


def _a_line_deleted(content: bytes, rng: Random) -> bytes:
    lines = content.splitlines(keepends=True)
    del lines[rng.randrange(len(lines))]
    return b"".join(lines)


def _a_line_doubled(content: bytes, rng: Random) -> bytes:
    lines = content.splitlines(keepends=True)
    place = rng.randrange(len(lines))
    return b"".join([*lines[:place], lines[place], *lines[place:]])


def _a_line_moved(content: bytes, rng: Random) -> bytes:
    lines = content.splitlines(keepends=True)
    line = lines.pop(rng.randrange(len(lines)))
    lines.insert(rng.randrange(len(lines) + 1), line)
    return b"".join(lines)


KINDS = (_a_byte, _a_line_deleted, _a_line_doubled, _a_line_moved)


def edited(content: bytes, rng: Random) -> bytes:
    """Return a file with one random edit that changes it."""
    while (after := rng.choice(KINDS)(content, rng)) == content:
        pass
    return after
