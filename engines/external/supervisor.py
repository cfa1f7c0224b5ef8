"""The supervisor of one judge: a script that starts it and ends it with all that it started.

The run holds the other end of a socket. When that end closes, by request or because the run
ended in whatever way, every process below the supervisor is killed. It then reports how the
judge ended. It imports little, since it delays the start of each judge.

Usage: ``supervisor.py SOCKET MEMORY_MB FOLDER PROGRAM ARGUMENT ...``. MEMORY_MB may be 0, for
no limit. An empty FOLDER stands for a fresh empty one, removed at the end.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress

__all__ = ["MEMORY", "SET_DUMPABLE", "UNSTARTED", "main", "prctl"]

MEMORY = "memory"
"""Reported if the judge took too much memory."""
UNSTARTED = "unstarted:"
"""Begins the report on a program that cannot be started; the reason follows."""

LOOK_EVERY_MS = 200
"""Milliseconds between two looks at the memory."""
POLL_S = 0.005
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
SET_PARENT_DEATH_SIGNAL, SET_DUMPABLE, SET_CHILD_SUBREAPER = 1, 4, 36


def main(arguments: list[str]) -> None:
    """Supervise a judge in a process of its own, which is no child of the run.

    So the judge has the run nowhere among its ancestors, whose arguments name the study.
    """
    if os.fork():
        os._exit(0)
    control, limit_mb, folder, *words = arguments
    os.set_inheritable(int(control), False)
    report = _supervise(int(control), int(limit_mb), folder, words)
    with suppress(OSError):  # the run may be gone
        os.write(int(control), report.encode("utf-8", "replace"))


def prctl(option: int, value: int) -> None:
    """Change a property of this process by the system call of Linux; elsewhere do nothing."""
    if sys.platform != "linux":
        return
    with suppress(ImportError):  # some builds of Python have no ctypes
        from ctypes import CDLL, c_ulong

        zero = c_ulong(0)
        CDLL(None).prctl(option, c_ulong(value), zero, zero, zero)


def _supervise(control: int, limit_mb: int, folder: str, words: list[str]) -> str:
    prctl(SET_CHILD_SUBREAPER, 1)
    prctl(SET_DUMPABLE, 0)
    wake, wakened = os.pipe()
    os.set_blocking(wakened, False)
    signal.set_wakeup_fd(wakened, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, *SIGNALS):
        signal.signal(number, lambda number, frame: None)
    try:
        own = "" if folder else _fresh_folder()
    except OSError as error:
        return f"{UNSTARTED}no folder to work in can be made, {error.filename}: {error.strerror}"
    try:
        judge = _start(words, folder or own)
        if isinstance(judge, str):
            return f"{UNSTARTED}{judge}"
        _let_go_of_streams()
        return _watch(judge, control, wake, limit_mb)
    finally:
        if own:
            _remove(own)


def _start(words: list[str], folder: str) -> int | str:
    """Return the id of the judge's process, or why there is none."""
    reason, told = os.pipe()
    judge = os.fork()
    if not judge:
        try:
            prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
            os.setsid()
            for number in (signal.SIGPIPE, getattr(signal, "SIGXFSZ", signal.SIGPIPE)):
                signal.signal(number, signal.SIG_DFL)  # Python ignores them
            os.chdir(folder)
            os.execvp(words[0], words)
        except OSError as error:
            os.write(told, str(error.strerror).encode())
        finally:
            os._exit(127)
    os.close(told)
    # It ends without a byte when the program has started, which closes the pipe.
    return os.read(reason, 1000).decode() or judge


def _let_go_of_streams() -> None:
    """Leave input and output to the judge, so that their ends are seen when it closes them."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


def _watch(judge: int, control: int, wake: int, limit_mb: int) -> str:
    """Wait for the end of the judge or of the run, end the rest, and return the report."""
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(wake, select.POLLIN)
    codes: dict[int, int] = {}
    is_too_large = False
    while judge not in codes and not is_too_large:
        ready = [descriptor for descriptor, _ in poll.poll(LOOK_EVERY_MS if limit_mb else None)]
        numbers = os.read(wake, 4096) if wake in ready else b""
        _reap(codes)
        if control in ready or any(number in SIGNALS for number in numbers):
            break
        is_too_large = bool(limit_mb) and _resident_bytes() > limit_mb * 1_000_000
    _end_all(judge, codes)
    return MEMORY if is_too_large else str(codes.get(judge, -signal.SIGKILL))


def _end_all(judge: int, codes: dict[int, int]) -> None:
    """Kill everything below this process until nothing is left.

    Children of a process that ended become ours, daemons too, where Linux makes us a subreaper.
    Elsewhere only the process group of the judge can be found.
    """
    pause = select.poll()
    while True:
        if judge not in codes:  # else its number may belong to another process by now
            _kill(os.killpg, judge)
        for process in _descendants():
            _kill(os.kill, process)
        if not _reap(codes):
            return
        pause.poll(POLL_S * 1000)


def _kill(kill: Callable[[int, int], None], target: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        kill(target, signal.SIGKILL)


def _reap(codes: dict[int, int]) -> bool:
    """Note the exit codes of children that ended; return whether others are left."""
    try:
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            codes[ended[0]] = os.waitstatus_to_exitcode(ended[1])
    except ChildProcessError:
        return False
    return True


def _descendants() -> Iterator[int]:
    """Yield the processes below this one, as far as the system lists processes."""
    children: dict[int, list[int]] = {}
    for process in _listed():
        with suppress(OSError, IndexError):
            with open(f"/proc/{process}/stat", "rb") as file:  # noqa: PTH123 — pathlib imports much
                # The name of a program is in brackets and may hold any bytes.
                parent = int(file.read().rpartition(b")")[2].split()[1])
            children.setdefault(parent, []).append(process)
    todo = [os.getpid()]
    while todo:
        below = children.pop(todo.pop(), [])
        yield from below
        todo += below


def _listed() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdecimal()]  # noqa: PTH208
    except OSError:
        return []


def _resident_bytes() -> int:
    """Return the resident memory of all processes below this one; shared pages count in each."""
    pages = 0
    for process in _descendants():
        with suppress(OSError), open(f"/proc/{process}/statm", "rb") as file:  # noqa: PTH123
            pages += int(file.read().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _fresh_folder() -> str:
    """Make an empty folder, whose name tells nothing."""
    parent = os.environ.get("TMPDIR") or "/tmp"
    n_tried = 0
    while True:
        folder = os.path.join(parent, f"judge-{os.getpid()}-{n_tried}")  # noqa: PTH118
        try:
            os.mkdir(folder, 0o700)  # noqa: PTH102
        except FileExistsError:
            n_tried += 1
        else:
            return folder


def _remove(folder: str) -> None:
    from shutil import rmtree  # takes as long to import as all else together

    rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
