"""Files that a command refuses to write over, and the list of those that it generated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from faultpair.env.errors import UsageError

from .lock import held
from .manifest import HUMAN, MANIFEST, STUDY_FILE, read_manifest, write_manifest
from .seals import LOGS

__all__ = ["list_generated", "refuse_to_overwrite"]

IRREPLACEABLE = (STUDY_FILE, MANIFEST, HUMAN, *LOGS)
"""Files of a study that no command can make again."""


def refuse_to_overwrite(
    out: Path, *, force: bool, inputs: Iterable[Path] = (), may_hold: str = ""
) -> None:
    """Refuse to write over a file, an input or one that cannot be made again also with ``force``.

    ``may_hold`` says what the user may have put into the file.

    Raises
    ------
    UsageError
        It names the file, and another way.
    """
    if any(out.resolve() == file.resolve() for file in inputs):
        raise UsageError(f"{out} is read by this command. Name another file with --out.")
    is_there = out.exists() or out.is_symlink()
    if is_there and out.name in IRREPLACEABLE:
        raise UsageError(f"{out} cannot be made again. Name another file with --out.")
    if is_there and (out.is_symlink() or not out.is_file()):
        raise UsageError(f"{out} is a link, a folder or a device. Name a file with --out.")
    if is_there and not force:
        held = f", and may hold {may_hold}" if may_hold else ""
        raise UsageError(
            f"{out} exists{held}. Name another file with --out, or overwrite it with --force."
        )


def list_generated(folder: Path, names: Sequence[str]) -> None:
    """Write into the manifest of a folder which of its files were generated."""
    with held(folder):  # a run that is under way writes the manifest, too
        manifest = read_manifest(folder / MANIFEST)
        write_manifest(folder / MANIFEST, manifest.with_entry("generated", entry=names))
