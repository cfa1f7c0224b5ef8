"""What the process of a judge is given: environment variables, a folder, a limit of memory.

A judge is given nothing that tells which study asks it: only variables of a fixed list, those
that the user names, and an empty folder to work in.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from faultpair.env.errors import EngineError, UsageError

from ..engine import ProcessOptions

__all__ = ["PYTHON_VARIABLES", "Surroundings", "absolute", "surroundings_of"]

VARIABLES = frozenset({
    "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP",
    "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",  # without which some programs do not start
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "FTP_PROXY",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
    "SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
})  # fmt: skip
"""Variables that every judge gets, in upper or lower case; those that begin with LC_ too."""

PYTHON_VARIABLES = frozenset({
    "PYTHONPATH", "PYTHONHOME", "PYTHONHASHSEED", "PYTHONUTF8", "PYTHONOPTIMIZE", "PYTHONWARNINGS",
    "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "PYTHONNOUSERSITE", "PYTHONUSERBASE",
})  # fmt: skip
"""Variables that a Python function gets besides: they decide which modules it finds, and how."""

_SHORTEST = 3  # a shorter name is found in any text
_ABSENT = re.compile(r"No such file|FileNotFoundError|No module named|can't open file")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Variables by name, the names of those withheld, a folder or None for an empty one, MB."""

    variables: dict[str, str]
    withheld: tuple[str, ...]
    folder: str | None
    memory_mb: int | None

    def explained(self, error: EngineError) -> EngineError:
        """Return an error that also says what the judge was not given, if its text names it."""
        text = str(error)
        hint = self.hint(text)
        if not hint:
            return error
        return EngineError(
            f"{text.removesuffix('.')}.{hint}",
            transient=error.transient,
            is_overload=error.is_overload,
            retry_after_s=error.retry_after_s,
        )

    def hint(self, text: str) -> str:
        """Return sentences on variables that a text names and on the folder; "" without need."""
        named = [
            name for name in self.withheld if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
        ]
        hint = ""
        if named:
            hint = (
                f" Its environment lacks {', '.join(named)}. To pass a variable: "
                f'env = ["{named[0]}"] in a table [[model_judges]] of the study, or --pass-env '
                f"{named[0]}."
            )
        if self.folder is None and _ABSENT.search(text):
            hint += (
                ' Its working folder is empty. To name another: folder = "." in a table '
                "[[model_judges]] of the study."
            )
        return hint


def surroundings_of(options: ProcessOptions, more: Iterable[str] = ()) -> Surroundings:
    """Return what a judge is given, ``more`` being variables that its kind needs.

    Raises
    ------
    UsageError
        If a variable that is to be passed, or the folder, does not exist.
    """
    for name in options.env:
        if name not in os.environ:
            raise UsageError(
                f"The variable {name} is to be passed to a judge, and the environment does not "
                "hold it. Set it, or leave it out of env and --pass-env."
            )
    if options.memory_mb is not None and sys.platform != "linux":
        raise UsageError(
            "memory_mb limits the memory of a judge on Linux alone. Leave it out on this system."
        )
    if options.folder is not None and not Path(options.folder).is_dir():
        raise UsageError(
            f"There is no folder {options.folder!r} for a judge to work in. It is looked for from "
            "the current folder."
        )
    passed = {*options.env, *more}
    variables = {
        name: value
        for name, value in os.environ.items()
        if name in passed or name.upper() in VARIABLES or name.startswith("LC_")
    }
    if "PYTHONPATH" in variables:
        folders = variables["PYTHONPATH"].split(os.pathsep)
        variables["PYTHONPATH"] = os.pathsep.join(map(absolute, folders))
    withheld = sorted(n for n in os.environ if n not in variables and len(n) >= _SHORTEST)
    folder = None if options.folder is None else absolute(options.folder)
    return Surroundings(variables, tuple(withheld), folder, options.memory_mb)


def absolute(path: str) -> str:
    """Return a path that holds in another folder; it names the current one only if it lies there.

    Where ``..`` follows a link, the path without it could lead elsewhere.
    """
    short = os.path.abspath(path)  # noqa: PTH100 — pathlib leaves `..` as it is
    return short if os.path.realpath(path) == os.path.realpath(short) else os.path.realpath(path)
