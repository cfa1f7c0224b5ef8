"""How `[stop]` is sealed before the first answer, and where judges ended."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain

from msgspec import structs

from faultpair.env.errors import StudyError

from .folder import StudyFolder
from .manifest import Manifest, read_manifest, write_manifest
from .sealed_stop import StopRecord

__all__ = ["note_stops", "with_stop"]


def with_stop(
    manifest: Manifest,
    folder: StudyFolder,
    with_engine: Sequence[str],
    *,
    known: Collection[str],
) -> Manifest:
    """Return a manifest with the table `[stop]` of a study; it may change until it has an effect.

    Parameters
    ----------
    with_engine : the judges of the study that ask an engine
    known : the judges whose verdicts may be known by now

    Raises
    ------
    StudyError
        If a judge that it stops has answered, and the table is another one than the sealed one.
    """
    spec, entry = folder.study.stop, manifest.entry("stop")
    watched = with_engine if spec is None else chain.from_iterable(spec.watched(with_engine))
    is_late = not set(known).isdisjoint(watched)
    terms = {} if spec is None else spec.terms
    if entry and is_late:
        sealed = {key: entry.get(key) for key in _declared(entry)}
        if sealed != terms:
            raise StudyError(
                f"The table [stop] was sealed in {folder.manifest} as {_shown(sealed)}, and now it "
                f"is {_shown(terms)}, although judges have answered under it. Restore it in "
                f"{folder.file}, or run the study elsewhere with --out. To go on after a stop, run "
                "with --go-on."
            )
        return manifest
    if spec is None:
        return manifest.without("stop")
    return manifest.with_entry("stop", entry={**terms, "post_hoc": is_late})


def note_stops(folder: StudyFolder, ended: Mapping[str, StopRecord], *, went_on: bool) -> None:
    """Record where judges became clear; that more was asked afterwards is not forgotten."""
    manifest = read_manifest(folder.manifest)
    entry = manifest.entry("stop")
    before = {} if manifest.stop is None else manifest.stop.ended
    for name, record in ended.items():
        has_gone_on = name in before and before[name].went_on
        is_on = record.passed is not None and (went_on or has_gone_on)
        kept = structs.asdict(structs.replace(record, went_on=is_on))
        entry.setdefault("ended", {})[name] = kept
    write_manifest(folder.manifest, manifest.with_entry("stop", entry=entry))


def _declared(entry: Mapping[str, object]) -> list[str]:
    """Return the keys of an entry that the study file sets."""
    return [key for key in entry if key not in ("post_hoc", "ended")]


def _shown(terms: Mapping[str, object]) -> str:
    given = [f"{key} = {value!r}" for key, value in terms.items() if value not in (None, [])]
    return ", ".join(given) or "nothing"
