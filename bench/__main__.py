"""`make bench`: how fast and how lean, printed and never asserted."""

from . import analysis, building

building.report()
analysis.report()
