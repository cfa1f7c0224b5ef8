"""The turnout of a run: who may ask in it, and whose kept answers are known besides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from faultpair.calls.session import RunLimits
from faultpair.env.errors import StudyError, UsageError
from faultpair.studies.exchanges import ExchangeLog
from faultpair.studies.folder import StudyFolder

from .panel import JudgeAssignment, Panel, names_an_engine, panel_of
from .requests import JudgeRequest

__all__ = ["JudgeSelection", "select_judges"]


@dataclass(frozen=True, slots=True)
class JudgeSelection:
    """``panel`` is everybody who is known; ``declared`` are asking judges that were named now.

    ``seats`` are those of them that may ask in this run, each with its number of passes.
    """

    panel: Panel
    declared: tuple[JudgeAssignment, ...]
    seats: tuple[JudgeAssignment, ...]

    def wanted(self, asks: Iterable[JudgeRequest]) -> list[JudgeRequest]:
        """Return what may be asked in this run, whether it is answered or not."""
        repeats = {seat.judge.judge_id: seat.repeats for seat in self.seats}
        return [ask for ask in asks if ask.asked.repeat < repeats.get(ask.asked.judge_id, 0)]


def select_judges(
    folder: StudyFolder, extra: Sequence[str], limits: RunLimits, ledger: ExchangeLog
) -> JudgeSelection:
    """Return who takes part in a run.

    A judge that was named on an earlier command line, and passes beyond those of
    the study, keep their verdicts without being named again.

    Raises
    ------
    UsageError
        If a limit or a contrast names a judge that is not there.
    """
    present = panel_of(folder.study, extra)
    for name in limits.only:
        if name not in present.ids:
            raise UsageError(
                f"The study has no judge {name!r}. Its judges: {', '.join(present.ids)}."
            )
    seats = tuple(_asked(seat, limits) for seat in present.seats if _may_ask(seat, limits))
    earlier = [name for name in ledger.passes if name not in present.ids and names_an_engine(name)]
    everybody = panel_of(folder.study, (*extra, *earlier))
    _refuse_strangers(folder, everybody)
    passes = {seat.judge.judge_id: seat.repeats for seat in seats}
    widened = tuple(_widened(seat, passes, ledger.passes) for seat in everybody.seats)
    return JudgeSelection(replace(everybody, seats=widened), present.seats, seats)


def _refuse_strangers(folder: StudyFolder, panel: Panel) -> None:
    """Refuse a contrast with a judge nobody knows, before it is sealed and all others asked."""
    for contrast in folder.study.contrasts:
        for judge_id in (contrast.judge, contrast.against):
            if judge_id not in panel.ids:
                raise StudyError(
                    f"The contrast {contrast.name!r} of {folder.file} names the judge "
                    f"{judge_id!r}, which the study does not have. Its judges: "
                    f"{', '.join(panel.ids)}."
                )


def _may_ask(seat: JudgeAssignment, limits: RunLimits) -> bool:
    return not limits.only or seat.judge.judge_id in limits.only


def _asked(seat: JudgeAssignment, limits: RunLimits) -> JudgeAssignment:
    return seat if limits.repeats is None else replace(seat, repeats=limits.repeats)


def _widened(seat: JudgeAssignment, *passes: dict[str, int]) -> JudgeAssignment:
    known = (one.get(seat.judge.judge_id, 0) for one in passes)
    return replace(seat, repeats=max(seat.repeats, *known))
