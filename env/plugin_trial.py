"""A first trial of a plug-in in a process of its own.

Code that ends its process, such as `os._exit`, can be refused by name only if another
process outlives it. A plug-in that passed is not tried again until one of its files changes:
the digests of its modules are kept in the user's cache folder.

Run as ``python -m faultpair.env.plugin_trial REPORT LOADER NAME VALUE GROUP``, this module
loads one entry point and writes the files of the modules that came with it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import EntryPoint
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory

from platformdirs import user_cache_path

from faultpair.version import __version__

from .errors import PluginError

__all__ = ["how_it_ended"]

LONGEST_S = 60.0
"""Seconds after which a trial is ended; most take less than one."""


def how_it_ended(entry_point: EntryPoint, loader: str) -> str | None:
    """Load an entry point in another process; say how that process ended, None if it went on.

    A refusal is no end: the same one comes in this process. An entry point whose module is
    imported here already is not tried.

    Parameters
    ----------
    loader : the `Plugins` that loads it, as ``module:name``
    """
    if entry_point.module in sys.modules or _has_passed(entry_point):
        return None
    with TemporaryDirectory(prefix="faultpair-") as scratch:
        report = Path(scratch, "report.json")
        code = _exit_code(report, loader, entry_point)
        if code is None:
            return f"trying it did not end within {LONGEST_S:g} s"
        if not report.exists():
            return f"trying it ended the process, with exit code {code}"
        _remember(entry_point, report.read_bytes())
    return None


def _exit_code(report: Path, loader: str, entry_point: EntryPoint) -> int | None:
    command = [sys.executable, "-m", __name__, str(report), loader, *_identity(entry_point)]
    try:
        return subprocess.run(
            command,
            # What can be imported here can be imported there, the current folder too.
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=LONGEST_S,
            check=False,
        ).returncode
    except subprocess.TimeoutExpired:
        return None


def _has_passed(entry_point: EntryPoint) -> bool:
    """Return whether the plug-in passed a trial, and none of its files has changed since."""
    try:
        files = json.loads(_memory_of(entry_point).read_bytes())
        return bool(files) and all(_digest(file) == digest for file, digest in files.items())
    except (OSError, ValueError, AttributeError):
        return False


def _remember(entry_point: EntryPoint, report: bytes) -> None:
    memory = _memory_of(entry_point)
    with suppress(OSError):  # without a cache folder each command tries the plug-in
        memory.parent.mkdir(parents=True, exist_ok=True)
        partial = memory.with_suffix(f".{os.getpid()}")
        partial.write_bytes(report)
        partial.replace(memory)


def _memory_of(entry_point: EntryPoint) -> Path:
    what = [*_identity(entry_point), __version__, sys.version, sys.prefix]
    name = sha256(json.dumps(what).encode()).hexdigest()
    return user_cache_path("faultpair") / "plugins" / f"{name}.json"


def _identity(entry_point: EntryPoint) -> tuple[str, str, str]:
    return entry_point.name, entry_point.value, entry_point.group


def _digest(file: str) -> str:
    return sha256(Path(file).read_bytes()).hexdigest()


def _main(report: str, loader: str, name: str, value: str, group: str) -> None:
    plugins = resolve_name(loader)
    before = set(sys.modules)
    with suppress(PluginError):
        plugins.load(EntryPoint(name, value, group))
    modules = [sys.modules[name] for name in sorted(set(sys.modules) - before)]
    files = [file for file in (getattr(module, "__file__", None) for module in modules) if file]
    Path(report).write_text(json.dumps({file: _digest(file) for file in files}), encoding="utf-8")


if __name__ == "__main__":
    _main(*sys.argv[1:])
