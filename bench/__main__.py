"""`make bench`: how fast and how lean, printed and never asserted."""

from . import analysis, building, judging

building.report()
analysis.report()
judging.report()
