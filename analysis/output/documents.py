"""Marks in README and docs, filled with a study's tables and numbers.

::

    <!-- faultpair:main study=release -->      a table, on lines of its own
    <!-- /faultpair -->

    <!-- faultpair:root-digests -->            the root digest of each sealed study
    <!-- /faultpair -->

    Δ is <!--n:release/step/delta/all-->+0.193, or with its interval
    <!--ci:release/step/delta/all-->+0.193 [+0.108, +0.279].

`python -m analysis.rebuild` writes what is between the marks of a table, and the number
behind the mark of a number.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from faultpair.env.errors import RecordError, UsageError
from faultpair.studies.manifest import MANIFEST, read_manifest
from faultpair.studies.seals import root_digest

from ..stats.estimate import Estimate
from ..tables.table import Style, shown, value_text

__all__ = ["filled_documents"]

BLOCK = re.compile(
    r"(?P<open><!-- faultpair:(?P<name>[\w-]+)(?P<options>[^>]*?) -->)"
    r"(?P<body>.*?)(?P<close><!-- /faultpair -->)",
    re.DOTALL,
)
ROOT_DIGESTS = "root-digests"
OPENING = re.compile(r"<!-- faultpair:")
NUMBER = re.compile(
    r"(?P<open><!--(?P<kind>n|ci):(?P<study>[\w-]+)/(?P<name>[^>\n]+?)-->)"
    r"(?:n/a|<?[+-]?\d+(?:\.\d+)?(?: \[[+-]?\d[\d.]*, [+-]?\d[\d.]*\]†?| \(blind\))?)?"
)

# Differences; all other numbers are rates, counts or p-values.
SIGNED = re.compile(
    r"(.*/)?(delta(-least|-largest)?|contrast|difference|score-gap|gap|lift|bias|slope|excess|gain"
    r"|distance|harmed|unharmed|corrupted-minus-\w+)(/.*)?"
)


class _Numbers(msgspec.Struct):
    """The part of `numbers.json` that pages show."""

    numbers: dict[str, Estimate]


Options = dict[str, str]
Content = Callable[[str, Options], str]


def filled_documents(results: Path, files: dict[Path, bytes]) -> dict[Path, bytes]:
    """Return README.md and all pages below docs/ that hold blocks, with these filled.

    A block about a study that was not rebuilt this time reads the files in its folder.

    Raises
    ------
    UsageError
        If a block is not closed, its options are not ``key=value``, or it names no table or
        number that there is; or if a page with blocks is a link to a file elsewhere.
    """
    root = results.resolve().parent
    pages = (root / "README.md", *sorted((root / "docs").rglob("*.md")))
    content = _content(results, files)
    documents: dict[Path, bytes] = {}
    for path in pages:
        if path.is_file():
            text = _text_of(path)
            is_filled = OPENING.search(text) or NUMBER.search(text)
            if is_filled and not _is_link_to_one_of(pages, path):
                documents[path] = _fill(text, content, str(path)).encode()
    return documents


def _is_link_to_one_of(pages: Sequence[Path], page: Path) -> bool:
    """Return whether a page is a link to another page, which is filled itself.

    A page is replaced whole, so a link to elsewhere would be lost, or its file written over.
    """
    target = page.resolve()
    if target != page and target not in pages:
        raise UsageError(
            f"{page} is a link to {target}, and a rebuild replaces a page whole. Make it a file "
            "of its own, or take the faultpair blocks out of it."
        )
    return target != page


def _text_of(document: Path) -> str:
    try:
        return document.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{document} is not UTF-8 text; convert it and try again.") from error


def _fill(text: str, content: Content, where: str) -> str:
    if len(OPENING.findall(text)) != len(BLOCK.findall(text)):
        raise UsageError(f"{where}: a faultpair block is not closed by '<!-- /faultpair -->'.")

    def put(match: re.Match[str]) -> str:
        body = content(match["name"], _options(match["options"], where))
        return f"{match['open']}{body}{match['close']}"

    def put_number(match: re.Match[str]) -> str:
        options = {"study": match["study"], "name": match["name"]}
        return match["open"] + content(match["kind"], options)

    return NUMBER.sub(put_number, BLOCK.sub(put, text))


def _options(text: str, where: str) -> Options:
    options: Options = {}
    for part in shlex.split(text):
        key, equals, value = part.partition("=")
        if not equals:
            raise UsageError(f"{where}: '{part}' in a faultpair block is not key=value.")
        options[key] = value
    return options


def _content(results: Path, files: dict[Path, bytes]) -> Content:
    """Return the function that fills a block from files just made, or from those kept."""

    def read(study: str, file: str) -> str:
        path = results / study / file
        if path in files:
            return files[path].decode()
        if path.is_file():
            return _text_of(path)
        raise UsageError(f"A faultpair block asks for {path}, which no rebuild makes.")

    def content(name: str, options: Options) -> str:
        if name == ROOT_DIGESTS:
            return f"\n{_root_digests(results)}"
        study = options.get("study")
        if study is None:
            raise UsageError(f"The faultpair block '{name}' does not say study=NAME.")
        if name not in ("n", "ci"):
            return f"\n{read(study, f'tables/{name}.md')}"
        numbers = _numbers(read(study, "numbers.json"), results / study / "numbers.json")
        return _number(numbers, study, options["name"], with_interval=name == "ci")

    return content


def _root_digests(results: Path) -> str:
    """Return a table of the studies whose records are sealed, each with its root digest."""
    rows = ["| study | root digest |", "|---|---|"]
    for path in sorted(results.glob(f"*/{MANIFEST}")):
        manifest = read_manifest(path)
        if manifest.is_sealed and manifest.title is not None:
            rows.append(f"| {path.parent.name} | `{root_digest(manifest)}` |")
    return "".join(f"{row}\n" for row in rows)


def _numbers(text: str, file: Path) -> dict[str, Estimate]:
    try:
        return msgspec.json.decode(text, type=_Numbers).numbers
    except (msgspec.DecodeError, RecursionError) as error:
        raise RecordError(f"{file}: {error}. Make it again: faultpair rebuild.") from error


def _number(numbers: dict[str, Estimate], study: str, name: str, *, with_interval: bool) -> str:
    if name not in numbers:
        raise UsageError(f"Study '{study}' has no number named '{name}'.")
    number = numbers[name]
    style = _style(name, number)
    if with_interval or number.estimate is None:
        return shown(number, style)
    return value_text(number.estimate, style)


def _style(name: str, number: Estimate) -> Style:
    """Return how a number is written, from its unit; a page names it as `numbers.json` does."""
    if number.method == "count":
        return Style.COUNT
    if name.endswith(("/p", "/p-holm")):
        return Style.P
    return Style.SIGNED if SIGNED.fullmatch(name) else Style.RATE
