"""What tests of leftovers share: judges that start processes, and whether these still run.

Each process writes its id as a line into the file ``pids`` of the current folder.
"""

from pathlib import Path
from time import monotonic, sleep

NOTE = """\
import os, time

def note():
    with open("pids", "a") as file:
        file.write(f"{os.getpid()}\\n")
"""

CHILDREN = (
    NOTE
    + """\

def child():
    if not os.fork():
        note(); time.sleep(60)

def daemon():
    middle = os.fork()
    if not middle:
        os.setsid()
        if not os.fork():
            os.closerange(0, 100)
            note(); time.sleep(60)
        os._exit(0)
    os.waitpid(middle, 0)
"""
)
"""The beginning of a judge's module: `note`, and two ways to leave a process behind."""


def pids():
    """Return the ids that were noted."""
    file = Path("pids")
    return file.read_text().split() if file.exists() else []


def is_running(pid):
    """Return whether a process runs; one that ended and was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition, seconds):
    """Wait until a condition holds or the time is over; return whether it holds."""
    deadline = monotonic() + seconds
    while not condition() and monotonic() < deadline:
        sleep(0.01)
    return condition()
