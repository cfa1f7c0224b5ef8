"""`make bench`: speed and memory, printed and never asserted."""

import argparse
from pathlib import Path

from . import alignment, analysis, building, judging, memory, plans, scoring, short

parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
parser.add_argument("--short", action="store_true", help="whole commands alone, within 4 minutes")
parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="another checkout, by turns")
options = parser.parse_args()

if options.short:
    short.report(options.against)
else:
    for part in (building, analysis, scoring, alignment, judging, plans, memory):
        part.report()
