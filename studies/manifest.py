"""The manifest: what a set was made of, and what was sealed about those who judge it.

It is written whole or not at all, and the seal is carried from one manifest to
the next in the same writing, so that no crash can lose it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from faultpair.env.errors import RecordError
from faultpair.version import __version__

from .files import write_text
from .folder import StudyFolder

__all__ = [
    "described",
    "kept_hash",
    "manifest_text",
    "read_manifest",
    "readable_manifest",
    "sealed_parts",
    "write_manifest",
]

SEALED = ("judges", "contrasts")
"""The parts of a manifest that outlive a new build of the same set."""


def read_manifest(path: Path) -> dict[str, Any]:
    """Return a manifest; an empty one if there is none yet.

    Raises
    ------
    RecordError
        If the file cannot be read or holds something else.
    """
    try:
        manifest = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (OSError, ValueError, RecursionError) as error:
        raise RecordError(f"Cannot read {path}: {error}. Restore it.") from error
    if not _is_manifest(manifest):
        raise RecordError(f"{path}: this is no manifest. Restore it, or build the set again.")
    return manifest


def _is_manifest(found: object) -> bool:
    if not isinstance(found, dict):
        return False
    tables = ("planners", *SEALED)
    parts = [found.get(part, {}) for part in ("sha256", "agent", *tables)]
    return all(isinstance(part, dict) for part in parts) and all(
        isinstance(entry, dict) for part in tables for entry in found.get(part, {}).values()
    )


def readable_manifest(path: Path) -> dict[str, Any]:
    """Return the manifest that is there; one that nobody can read says nothing."""
    try:
        return read_manifest(path)
    except RecordError:
        return {}


def described(folder: StudyFolder, hashes: Mapping[str, str]) -> dict[str, Any]:
    """Return how every manifest begins: of which study it is, and the SHA-256 of its files."""
    study = folder.study
    return {
        "faultpair": __version__,
        "title": study.title,
        "domain": study.domain,
        "seed": study.seed,
        "sha256": {"study.toml": sha256(folder.file.read_bytes()).hexdigest(), **hashes},
    }


def write_manifest(path: Path, manifest: Mapping[str, Any]) -> None:
    """Write a manifest, if it says something new."""
    text = manifest_text(manifest)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        write_text(path, text)


def manifest_text(manifest: Mapping[str, Any]) -> str:
    """Return a manifest as it stands in its file."""
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def sealed_parts(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a new build of the same set has to keep."""
    return {part: manifest[part] for part in SEALED if part in manifest}


def kept_hash(manifest: Mapping[str, Any], file: str) -> str | None:
    """Return the SHA-256 that a manifest gives for a file, None if it gives none."""
    digest = manifest.get("sha256", {}).get(file)
    return digest if isinstance(digest, str) else None
