"""The command line, one module a command."""

import sys
from collections.abc import Sequence
from pkgutil import resolve_name

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. An interruption ends it in one sentence, during imports too."""
    try:
        resolve_name("faultpair.cli.app:main")(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("faultpair: interrupted before the end.\n")
        sys.exit(3)
