"""A call of a command in a process forked from one that has imported the commands."""

import os
import resource
import signal
import sys
import traceback
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import resolve_name

from faultpair.cli.app import COMMANDS

__all__ = ["LONGEST_S", "MOST_BYTES", "Ended", "call"]

LONGEST_S = 30
MOST_BYTES = 1 << 30
CRASHED = 70

LATE = ("faultpair.runner.run", "faultpair.studies.folder", "faultpair.analysis.output.files",
        "faultpair.analysis.plans.data", "faultpair.engines.replay")  # fmt: skip
"""Modules that commands import when they need them."""

ENTRIES = {
    "faultpair": "faultpair.cli.app:main",
    "analysis.rebuild": "faultpair.analysis.rebuild:main",
    "analysis.bfcl": "faultpair.analysis.bfcl:main",
}


@dataclass(frozen=True)
class Ended:
    """How a call ended."""

    code: int
    out: str
    err: str
    resident_bytes: int

    def says(self, text):
        """Return whether it printed a text, in whatever lines a table broke it into."""
        return "".join(text.split()) in "".join((self.out + self.err).split())


def call(command, folder):
    """Run a command, such as ``faultpair report STUDY``, and return how it ended."""
    entry, *arguments = command.split()
    main = resolve_name(ENTRIES[entry])
    import_commands()
    printed, complaints = folder / "stdout", folder / "stderr"
    child = os.fork()
    if not child:
        _run(main, arguments, printed, complaints)
    _, status, used = os.wait4(child, 0)
    return Ended(
        os.waitstatus_to_exitcode(status),
        printed.read_text(encoding="utf-8", errors="replace"),
        complaints.read_text(encoding="utf-8", errors="replace"),
        used.ru_maxrss * 1024,
    )


@cache
def import_commands():
    """Import all that the commands import, so that no call spends its time on it."""
    for command in COMMANDS:
        import_module(f"faultpair.cli.{command.replace('-', '_')}")
    for module in LATE:
        import_module(module)


def _run(main, arguments, printed, complaints):
    resource.setrlimit(resource.RLIMIT_AS, (4 * MOST_BYTES, 4 * MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST_S, LONGEST_S))
    signal.alarm(4 * LONGEST_S)  # for a call that waits; the machine may be busy
    for file, number in ((printed, 1), (complaints, 2)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
    code = CRASHED
    try:
        code = main(arguments) or 0
    except SystemExit as ended:
        code = ended.code or 0
    except BaseException:  # noqa: BLE001 — whatever it is, it is a finding
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else CRASHED + 1)
