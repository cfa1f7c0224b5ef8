"""`make bench`: how fast and how lean, printed and never asserted."""

from . import building

building.report()
