"""`make bench`: how fast and how lean, printed and never asserted."""

from . import alignment, analysis, building, judging, plans

building.report()
analysis.report()
alignment.report()
judging.report()
plans.report()
