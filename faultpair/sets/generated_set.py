"""Sets whose runs models make: agents that act, planners that write plans.

Each turn is kept when it arrives, and the set is a function of the kept turns. So the next
run continues one that stopped, and makes a whole set again without a call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

from faultpair.calls.recorded_model import Conversations, RecordedModel
from faultpair.calls.session import CallSession
from faultpair.engines.engine import Reply
from faultpair.env.records import Instance, Record, Trajectory
from faultpair.studies.files import write_lines
from faultpair.studies.folder import StudyFolder, refuse_another_study, refuse_records_of_others
from faultpair.studies.manifest import set_manifest, write_set_manifest
from faultpair.studies.preregistration import GeneratorSeal
from faultpair.studies.seals import refuse_to_replace_edits
from faultpair.studies.transcript import TURNS, Transcript

from .order import stratum_of

__all__ = ["Conversations", "Generator", "Sample", "make_set"]

T = TypeVar("T")
F = TypeVar("F", bound=Record)


class Sample(NamedTuple, Generic[F]):
    """The run that a model made for an instance, if there is one, its facts, and a short report."""

    instance: Instance
    run: Trajectory | None
    facts: F
    report: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Generator(Generic[T, F]):
    """A model that makes a part of a study's set: samples of each item.

    ``title`` is reported before the model starts, and the samples of an item as a ``noun``.
    """

    seal: GeneratorSeal
    transcript: Transcript
    why_unreadable: Callable[[Reply], str | None]
    items: Sequence[T]
    make: Callable[[Conversations, T], Sequence[Sample[F]]]
    title: str
    noun: str

    def run(self, session: CallSession) -> list[Sequence[Sample[F]] | None]:
        """Return the samples of each item, None where the run stopped before."""
        if not session.outcome.is_over:
            session.report(self.title)

        def on_made(number: int, samples: Sequence[Sample[F]]) -> None:
            reports = ", ".join(sample.report for sample in samples)
            session.report(f"{self.noun} {number + 1} of {len(self.items)}: {reports}")

        model = RecordedModel(self.seal, self.transcript, self.why_unreadable)
        return model.map(self.make, self.items, session, on_made)


def make_set(
    folder: StudyFolder,
    generators: Sequence[Generator[T, F]],
    *,
    facts_file: str,
    session: CallSession,
) -> list[F] | None:
    """Make what is missing, then write the set; return the facts, generator by generator.

    None, and the set stays as it was, if the run stops before all is made; the outcome of
    the session says why.

    Raises
    ------
    StudyError
        If the kept turns are those of another model, or of another study.
    EngineError
        If an engine cannot be reached at all.
    """
    refuse_another_study(folder)
    refuse_records_of_others(folder)
    for generator in generators:
        generator.seal.check()
    # One model after the other: two at once would only slow each other down.
    made = [generator.run(session) for generator in generators]
    whole = [[samples for samples in row if samples is not None] for row in made]
    session.outcome.n_unmade = sum(map(len, made)) - sum(map(len, whole))
    if session.outcome.n_unmade:
        return None
    # Item by item, so that every prefix of the set holds runs of all models.
    alike = (zip(*item, strict=True) for item in zip(*whole, strict=True))
    _write_set(folder, chain.from_iterable(alike), facts_file, generators)
    return [sample.facts for row in whole for samples in row for sample in samples]


def _write_set(
    folder: StudyFolder,
    sampled: Iterable[Sequence[Sample[F]]],
    facts_file: str,
    generators: Sequence[Generator[Any, F]],
) -> None:
    """Write a set instance by instance, then its manifest, which names the models."""
    strata: Counter[str] = Counter()
    with (
        write_lines(folder.instances) as instances,
        write_lines(folder.trajectories) as runs,
        write_lines(folder.out / facts_file) as facts,
    ):
        for samples in sampled:
            instances.write(samples[0].instance)
            for sample in samples:
                facts.write(sample.facts)
                if sample.run is not None:
                    runs.write(sample.run)
                    strata[stratum_of(sample.run)] += 1
        for lines in (instances, runs, facts):
            lines.flush()
        made = {
            folder.instances.name: instances.sha256,
            folder.trajectories.name: runs.sha256,
            facts_file: facts.sha256,
        }
        if not folder.accepts_edits:
            refuse_to_replace_edits(folder.out, made)
    manifest = set_manifest(
        folder,
        {TURNS: generators[0].transcript.digest(), **made},
        n_instances=instances.n_lines,
        strata=strata,
        generators=_entries(generator.seal for generator in generators),
    )
    write_set_manifest(folder, manifest)


def _entries(seals: Iterable[GeneratorSeal]) -> dict[str, Any]:
    """Return the part of the manifest that says which models made the runs."""
    entries: dict[str, Any] = {}
    for seal in seals:
        *tables, key = seal.place
        table = entries
        for name in tables:
            table = table.setdefault(name, {})
        table[key] = seal.entry()
    return entries
