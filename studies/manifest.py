"""The manifest of a study: what its set holds, and what was fixed before the first answers.

`Manifest` is the schema of `manifest.json`, which this module alone reads and writes. The
file is written whole or not at all. Keys that the schema does not name, and the order of
all keys, are kept, so a new part of the manifest is one more field of the schema.

Its last key, ``digest``, is the SHA-256 of the text without that key. A file that is not
byte for byte what would be written, with that digest, was edited. One of version 0.1 has none.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from faultpair.env.errors import RecordError, SealError
from faultpair.version import __version__

from .files import text_sha256, write_text
from .sealed_stop import SealedStop

if TYPE_CHECKING:  # tables of a folder without a study file need no schema of one
    from .folder import StudyFolder

__all__ = [
    "HUMAN",
    "MANIFEST",
    "SEALED",
    "STUDY_FILE",
    "VERDICTS",
    "Manifest",
    "SealedContrast",
    "SealedJudge",
    "SealedLog",
    "read_manifest",
    "readable_manifest",
    "set_manifest",
    "write_manifest",
    "write_set_manifest",
]

STUDY_FILE = "study.toml"
MANIFEST = "manifest.json"

VERDICTS = "verdicts.jsonl"
HUMAN = "human.csv"

SEALED = ("judges", "contrasts", "stop", "sealed_logs")
"""The parts of a manifest that a new build of the same set keeps."""

_LAST = ("judges", "contrasts", "stop", "generated", "sealed_logs")
"""The last keys of a file, in one order, whichever of them was added first."""
_DIGEST = "digest"


class SealedJudge(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The settings of a judge before its first answer, and the model that answers.

    A setting is None if the judge does not have it. Settings of one kind of judge alone,
    such as the ground truth of a judge of plans, are in `Manifest.entry`.
    """

    prompt_hash: str | None = None
    view: str | None = None
    task: str | None = None
    form: str | None = None
    engine: str | None = None
    engine_version: str | None = None
    model: str | None = None
    model_digest: str | None = None
    temperature: float | None = None
    seed: int | None = None
    samples: int | None = None
    ground_truth: str | None = None
    joined_late: bool = False
    builds: tuple[str, ...] = ()


class SealedContrast(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A contrast as it was declared, and whether a judge of it had answered by then."""

    judge: str
    against: str
    metric: Literal["delta", "false-alarms"] = "delta"
    group: str = "all"
    reading: str = ""
    post_hoc: bool = True


class SealedGenerator(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The settings of a model that makes runs, an agent or a planner, before its first answer."""

    prompt_hash: str | None = None
    engine: str | None = None
    engine_version: str | None = None
    model_digest: str | None = None
    builds: tuple[str, ...] = ()


class SealedLog(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The whole lines that a log held when it was sealed: their count, size and SHA-256."""

    lines: int
    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """A manifest. ``document`` holds it as in the file; the other fields are views of its parts.

    ``sha256`` has the digest of each file by its name, ``sealed_logs`` the seal of each log,
    ``strata`` the size of each stratum. ``is_sealed`` says that the file had a digest of its
    own, which is no part of the document. ``generated`` lists the
    tables, figures and numbers that a rebuild made, by their paths in the folder; None where
    version 0.1 made them.
    """

    faultpair: str | None = None
    title: str | None = None
    domain: str | None = None
    seed: int | None = None
    world: int = 1
    sha256: dict[str, str] = {}
    n_instances: int | None = None
    n_trajectories: int | None = None
    strata: dict[str, int] = {}
    agent: SealedGenerator | None = None
    planners: dict[str, SealedGenerator] = {}
    judges: dict[str, SealedJudge] = {}
    contrasts: dict[str, SealedContrast] = {}
    stop: SealedStop | None = None
    generated: tuple[str, ...] | None = None
    sealed_logs: dict[str, SealedLog] = {}
    is_sealed: bool = False
    document: dict[str, Any] = {}

    @classmethod
    def of(cls, document: Any) -> Manifest:
        """Check a document against the schema; a `msgspec.ValidationError` if it does not fit."""
        manifest = msgspec.convert(document, cls)
        kept = {key: value for key, value in document.items() if key != _DIGEST}
        return msgspec.structs.replace(manifest, document=kept, is_sealed=_DIGEST in document)

    def entry(self, *keys: str) -> dict[str, Any]:
        """Return a copy of the table under some keys; an empty one if there is none."""
        table = self.document
        for key in keys:
            table = table.get(key) or {}
        return copy.deepcopy(table)

    def with_entry(self, *keys: str, entry: Mapping[str, Any] | Sequence[str]) -> Manifest:
        """Return a manifest with a table or list under some keys, in place of what was there."""
        document = table = dict(self.document)  # which is never changed, so no deeper copy
        for key in keys[:-1]:
            table[key] = inner = dict(table.get(key) or {})
            table = inner
        table[keys[-1]] = dict(entry) if isinstance(entry, Mapping) else list(entry)
        return self.of(document)

    def without(self, key: str) -> Manifest:
        """Return a manifest without one of its parts."""
        return self.of({name: part for name, part in self.document.items() if name != key})

    @property
    def text(self) -> str:
        """The manifest as its file holds it, with its digest."""
        # A manifest of version 0.1 has no digest and no such table: with the table, it was edited.
        document = {"sealed_logs": {}, **self.document}
        last = {key: document.pop(key) for key in _LAST if key in document}
        document |= last
        digest = sha256(_text_of(document).encode()).hexdigest()
        return _text_of({**document, _DIGEST: digest})


def _text_of(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def read_manifest(path: Path, *, accept_edits: bool = False) -> Manifest:
    """Return a manifest; an empty one if there is no file.

    Raises
    ------
    SealError
        If the file was edited, unless edits are accepted.
    RecordError
        If the file cannot be read, or does not fit the schema.
    """
    try:
        text = path.read_bytes() if path.exists() else b"{}"
        manifest = Manifest.of(json.loads(text))
        written = manifest.text.encode()  # half a surrogate pair, which JSON can spell, fails here
        is_old = not manifest.is_sealed and "sealed_logs" not in manifest.document
        is_edited = not is_old and text != written
    except (OSError, ValueError, msgspec.ValidationError, RecursionError) as error:
        raise RecordError(f"Cannot read the manifest {path}: {error}. Restore it.") from error
    if is_edited and not accept_edits:
        raise SealError(
            f"{path} was edited: its digest is not that of its text. Restore it from version "
            "control or from a copy."
        )
    return manifest


def readable_manifest(path: Path) -> Manifest:
    """Return a manifest; an empty one if there is no file or it cannot be read.

    Raises
    ------
    SealError
        If the file was edited.
    """
    try:
        return read_manifest(path)
    except SealError:
        raise
    except RecordError:
        return Manifest()


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write a manifest, unless the file holds the same already."""
    if not path.is_file() or path.read_bytes() != manifest.text.encode():
        write_text(path, manifest.text)


def write_set_manifest(folder: StudyFolder, manifest: Manifest) -> None:
    """Write the manifest of a set, without the verdicts on another set that was there."""
    runs = folder.trajectories.name
    if readable_manifest(folder.manifest).sha256.get(runs) != manifest.sha256[runs]:
        folder.verdicts.unlink(missing_ok=True)
    write_manifest(folder.manifest, manifest)


def set_manifest(
    folder: StudyFolder,
    hashes: Mapping[str, str],
    *,
    n_instances: int,
    strata: Mapping[str, int],
    generators: Mapping[str, Any] | None = None,
) -> Manifest:
    """Return the manifest of a set that was made now.

    What is sealed in the manifest that is there stays if the set is the same, or if models
    made it. The digest of verdicts stays if the runs are the same.

    Parameters
    ----------
    hashes : the SHA-256 of each file of the set by its name
    generators : the part ``agent`` or ``planners``, if models made the runs
    """
    study, kept = folder.study, readable_manifest(folder.manifest)
    runs = folder.trajectories.name
    is_same = kept.sha256.get(runs) == hashes[runs]
    parts = (*(SEALED if is_same or generators else ()), "generated")
    inputs = {name: kept.sha256[name] for name in (VERDICTS, HUMAN) if name in kept.sha256}
    return Manifest.of(
        {
            "faultpair": __version__,
            "title": study.title,
            "domain": study.domain,
            "seed": study.seed,
            **({} if study.world == 1 else {"world": study.world}),
            "sha256": {
                STUDY_FILE: text_sha256(folder.file.read_bytes()),
                **hashes,
                **(inputs if is_same else {}),
            },
            "n_instances": n_instances,
            "n_trajectories": sum(strata.values()),
            "strata": dict(sorted(strata.items())),
            **(generators or {}),
            **({"generated": []} if kept.title is None else {}),
            **{part: kept.document[part] for part in parts if part in kept.document},
        }
    )
