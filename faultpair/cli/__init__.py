"""The command line, one module a command."""

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. An interruption ends it in one sentence, during imports too."""
    try:
        from pkgutil import resolve_name

        resolve_name("faultpair.cli.app:main")(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("faultpair: interrupted before the end.\n")
        sys.exit(3)
    finally:
        # Python ends with SIGINT in place of the exit code if the last text that it ran was
        # interrupted, such as the one by which a dataclass is made.
        exec("")
