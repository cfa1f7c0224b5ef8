"""The generated files of a folder: those that a rebuild makes, and those that its manifest lists.

All other files in ``tables/`` and ``figures/`` are the user's. A rebuild neither deletes
nor overwrites them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from faultpair.env.errors import UsageError
from faultpair.studies.manifest import MANIFEST, STUDY_FILE, Manifest, read_manifest

from ..data.study_data import load_study
from ..plans.data import load_plans
from ..stats.bootstrap import N_RESAMPLES
from .counted import COUNTS, counted_files
from .files import files_of

__all__ = [
    "COUNTS",
    "GeneratedFiles",
    "expected_files",
    "refuse_files_of_the_user",
    "refuse_study_in",
]

RecordsOf = Callable[[Path], AbstractContextManager[tuple[Path, Path, tuple[str, ...]]]]
"""Opens a study: the folder of its records, its file of verdicts, and what was edited."""

KINDS = (("tables", ".md"), ("tables", ".csv"), ("figures", ".svg"))
"""The folders and suffixes of files that a later rebuild may no longer make."""


@dataclass(frozen=True, slots=True)
class GeneratedFiles:
    """The files that a rebuild makes in a folder, and those that its manifest lists.

    ``made`` has the content by the path inside the folder. Without ``figures``, this
    rebuild leaves figures as they are. ``edited`` names records that are not what was sealed.
    """

    folder: Path
    made: Mapping[str, bytes]
    figures: bool
    edited: tuple[str, ...] = ()

    @property
    def placed(self) -> dict[Path, bytes]:
        """The content by path."""
        return {self.folder / name: content for name, content in self.made.items()}

    @property
    def names(self) -> tuple[str, ...]:
        """The list for the manifest after this rebuild, sorted."""
        kept = () if self.figures else (n for n in self._listed or () if _kind(n) == "figures")
        return tuple(sorted({*self.made, *kept}))

    @property
    def is_to_be_listed(self) -> bool:
        """Whether the list in the manifest is another one, and may be written.

        An edited manifest is not written, nor is one that only a run seals.
        """
        manifest = self._manifest
        is_kept = MANIFEST in self.edited or not (manifest.is_sealed or self._is_new)
        return not is_kept and manifest.generated != self.names

    @property
    def left_over(self) -> list[Path]:
        """The files that are listed, present, and no longer made."""
        gone = sorted(set(self._listed or ()) - set(self.names))
        # A list that was edited must not name a study file or a path elsewhere.
        paths = [self.folder / name for name in gone if _kind(name) is not None]
        return [path for path in paths if path.is_file() and not _is_link(path)]

    @property
    def of_the_user(self) -> list[Path]:
        """The files that a rebuild would overwrite although it did not make them.

        A list is missing where version 0.1 made the tables; all names that are made now
        were made by it, too. A link is always the user's.
        """
        listed, taken = self._listed, []
        for name, content in self.made.items():
            path = self.folder / name
            if _is_link(path):
                taken.append(path)
            elif listed is not None and name not in listed and path.exists():
                taken += [] if _holds(path, content) else [path]
        return taken

    @property
    def _listed(self) -> tuple[str, ...] | None:
        return () if self._is_new else self._manifest.generated

    @property
    def _is_new(self) -> bool:
        return not (self.folder / MANIFEST).is_file()

    @property
    def _manifest(self) -> Manifest:
        return read_manifest(self.folder / MANIFEST, accept_edits=MANIFEST in self.edited)


def expected_files(
    folder: Path, records_of: RecordsOf, *, figures: bool, n_resamples: int = N_RESAMPLES
) -> GeneratedFiles:
    """Return every generated file of a folder with its expected content.

    ``records_of`` opens the records of a study's folder.
    """
    if (folder / COUNTS).is_file():
        made = counted_files(folder / COUNTS, figures=figures)
        return GeneratedFiles(folder, made, figures=figures)
    with records_of(folder) as (records, verdicts, edited):
        study = load_study(records, verdicts, edited=edited)
        plans = load_plans(records, study, verdicts)
    made = files_of(study, plans, figures=figures, n_resamples=n_resamples)
    return GeneratedFiles(folder, made, figures=figures, edited=edited)


def refuse_study_in(folder: Path) -> None:
    """Refuse the folder of a study for the tables of other records."""
    if (folder / STUDY_FILE).exists() or read_manifest(folder / MANIFEST).title is not None:
        raise UsageError(f"{folder} holds a study of its own. Name another folder with --out.")


def refuse_files_of_the_user(parts: Iterable[GeneratedFiles]) -> None:
    """Refuse, before anything is written, to overwrite files that no rebuild made.

    Raises
    ------
    UsageError
        It names these files.
    """
    if taken := [str(path) for part in parts for path in part.of_the_user]:
        raise UsageError(
            f"A rebuild writes {', '.join(taken)}, and no rebuild made what is there. Move it "
            "away, or overwrite it with --force."
        )


def _kind(name: str) -> str | None:
    """Return the folder of a generated file that may be removed."""
    path = PurePosixPath(name)
    is_known = len(path.parts) == 2 and (path.parts[0], path.suffix) in KINDS
    return path.parts[0] if is_known else None


def _is_link(path: Path) -> bool:
    return path.is_symlink() or path.parent.is_symlink()


def _holds(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() == content
