"""Tables of the counts of `python -m analysis.tells`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from ..stats.estimate import Estimate, point
from ..stats.tests import holm
from ..tables.table import Cell, Row, Style, Table, columns, counts, rates, signed, words
from .rule import ABOVE, Verdict, ends_of, p_of, verdict_of

__all__ = ["Finding", "findings_of", "tells_tables"]

Counts = dict[str, Any]

METHOD = "permutations inside instances"
NOTES = (
    "AUC: out of five folds, grouped by instance; logistic regression on words, boosted trees on "
    "numbers.",
    "Intervals and p: labels permuted inside instances, exact moments, normal tails; Holm over all "
    "cells.",
    f"An AUC above {ABOVE} whose interval is above 0.5 and whose Holm p is at most 0.05 is a tell, "
    "unless a mask of what the edit changes leaves at most that.",
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A cell with its place in the whole table."""

    cell: Counts
    p_holm: float
    verdict: Verdict

    @property
    def auc(self) -> Estimate:
        """The AUC with its interval; the number is that of pairs."""
        low, high = ends_of(self.cell)
        return Estimate(self.cell["auc"], low, high, self.cell["pairs"], METHOD)

    @property
    def p(self) -> Estimate:
        """The p-value, adjusted over the table."""
        return point(self.p_holm, self.cell["pairs"], "Holm", "a p-value")

    @property
    def masked(self) -> tuple[str, Cell]:
        """The field that is masked, and the AUC without it."""
        masks = self.cell.get("masks") or []
        if not masks:
            return "", None
        before = [self.cell, *masks[:-1]]
        names = [
            mask["mask"]
            for mask, earlier in zip(masks, before, strict=True)
            if mask["differ"] != earlier["differ"] or mask["auc"] != earlier["auc"]
        ]
        return ", ".join(names).removeprefix("and "), point(
            masks[-1]["auc"], self.cell["pairs"], "masked"
        )


def findings_of(counted: Counts) -> list[Finding]:
    """Return every cell with its adjusted p-value and its verdict."""
    cells = counted["cells"]
    adjusted = [1.0 if p is None else p for p in holm([p_of(cell) for cell in cells])]
    return [Finding(cell, p, verdict_of(cell, p)) for cell, p in zip(cells, adjusted, strict=True)]


def tells_tables(counted: Counts) -> dict[str, Table]:
    """Return every table of the counts of `python -m analysis.tells`, by name."""
    findings = findings_of(counted)
    tables = (_summary(findings), _groups(findings), _high(findings), _cells(findings))
    return {table.name: table for table in (*tables, _floor(counted["judges"]))}


def _summary(findings: list[Finding]) -> Table:
    """Count the cells of each set by their verdict."""
    sets = dict.fromkeys(finding.cell["set"] for finding in findings)
    rows = []
    for name in sets:
        own = [finding for finding in findings if finding.cell["set"] == name]
        tally = Counter(finding.verdict for finding in own)
        rows.append((name, str(len(own)), *(str(tally[verdict]) for verdict in Verdict)))
    heads = words("Set") + counts("Cells", "Chance", "The fault itself", "The instance", "Tells")
    return Table("summary", "Tells of the sets of world 2", heads, tuple(rows), NOTES)


def _groups(findings: list[Finding]) -> Table:
    """Give the AUC of each group of features over all types, and the highest of a type."""
    found: dict[tuple[str, str], dict[str, Finding]] = {}
    for finding in findings:
        cell = finding.cell
        found.setdefault((cell["set"], cell["group"]), {})[cell["contrast"]] = finding
    pooled = ("faulty against clean", "controls against clean", "faulty against controls")
    rows: list[Row] = []
    for (name, group), own in found.items():
        types = [finding for contrast, finding in own.items() if contrast not in pooled]
        highest = max(types, key=lambda finding: finding.cell["auc"], default=None)
        cells: list[Cell] = [own[one].auc if one in own else None for one in pooled]
        cells += [None, ""] if highest is None else [highest.auc, highest.cell["contrast"]]
        n_tells = sum(finding.verdict is Verdict.TELL for finding in own.values())
        rows.append((name, group, *cells, str(n_tells)))
    heads = words("Set", "Features") + rates(*(one.capitalize() for one in pooled))
    heads += rates("Highest of a type") + words("Type") + counts("Tells")
    title = "AUC of what a page shows, by group of features"
    return Table("groups", title, heads, tuple(rows), NOTES)


def _high(findings: list[Finding]) -> Table:
    """Give what is above the limit, with the mask that explains it."""
    rows: list[Row] = []
    for finding in findings:
        if finding.verdict is not Verdict.CHANCE:
            field, without = finding.masked
            place = (finding.cell["set"], finding.cell["contrast"], finding.cell["group"])
            rows.append((*place, finding.auc, finding.p, field, without, finding.verdict.value))
    heads = words("Set", "Contrast", "Features") + rates("AUC") + columns(Style.P, "Holm p")
    heads += words("Masked") + rates("AUC, masked") + words("It is")
    notes = (*NOTES, "A type is compared with the clean runs that its faults were made from.")
    return Table("tells", "What is above the limit, and why", heads, tuple(rows), notes)


def _cells(findings: list[Finding]) -> Table:
    rows = tuple(
        (finding.cell["set"], finding.cell["contrast"], finding.cell["group"],
         str(finding.cell["pairs"]), str(finding.cell["instances"]), finding.auc, finding.p)
        for finding in findings
    )  # fmt: skip
    heads = words("Set", "Contrast", "Features") + counts("Pairs", "Instances") + rates("AUC")
    heads += columns(Style.P, "Holm p")
    return Table("cells", "Every AUC", heads, rows, NOTES)


def _floor(judges: list[Counts]) -> Table:
    """Give what judges that read no run find."""
    rows: list[Row] = []
    for one in judges:
        delta = Estimate(one["delta"], one["low"], one["high"], one["pairs"], one["judge"])
        is_inside = one["low"] <= one["delta"] <= one["high"]
        row = (one["set"], one["judge"], one["of"], str(one["repeats"]))
        rows.append((*row, delta, "yes" if is_inside else "no"))
    heads = words("Set", "Judge", "Range") + counts("Repeats") + signed("Δ") + words("Inside")
    notes = ("The range is one that Δ must lie in; it is no interval of Δ.",)
    return Table("judges", "Judges that read no run", heads, tuple(rows), notes)
