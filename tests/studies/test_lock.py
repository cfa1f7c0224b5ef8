"""A folder is locked by one process at a time, and no file of the lock is left in it."""

import os
import signal
import subprocess
import sys

import pytest

from faultpair.env.errors import InfrastructureError, UsageError
from faultpair.studies.lock import held

HOLD = (
    "import sys; from pathlib import Path; from faultpair.studies.lock import held\n"
    "with held(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
)


def test_a_folder_that_another_process_has_locked_is_refused(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(UsageError, match="Another process is at work on"), held(tmp_path):
            pass
        other.kill()
    with held(tmp_path):
        pass


def test_a_lock_is_released_after_a_failure(tmp_path):
    with pytest.raises(ZeroDivisionError), held(tmp_path / "new"):
        raise ZeroDivisionError
    with held(tmp_path / "new"):
        pass


def test_a_folder_that_stays_empty_is_removed_and_one_with_records_holds_no_lock_file(tmp_path):
    with held(tmp_path / "empty"):
        pass
    with held(tmp_path / "full"):
        (tmp_path / "full" / "record").touch()
    assert [path.name for path in tmp_path.iterdir()] == ["full"]
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["record"]


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InfrastructureError, match="Cannot write in"), held(tmp_path / "file" / "x"):
        pass


def test_an_empty_folder_of_the_user_stays(tmp_path):
    with held(tmp_path):
        pass
    assert tmp_path.is_dir()


forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without forks")


@pytest.fixture
def forked():
    """Return a function that forks a child, which waits until it is killed."""
    children = []

    def fork():
        is_forked, tell = os.pipe()
        child = os.fork()
        if not child:
            os.write(tell, b".")
            signal.pause()
        os.read(is_forked, 1)
        os.close(is_forked)
        os.close(tell)
        children.append(child)

    yield fork
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@forks
def test_a_forked_child_does_not_hold_the_lock_of_a_folder_after_the_run(tmp_path, forked):
    with held(tmp_path):
        forked()
    with held(tmp_path):
        pass


@forks
def test_a_fork_leaves_the_lock_with_the_run(tmp_path, forked):
    with held(tmp_path):
        forked()
        with pytest.raises(UsageError, match="Another process is at work"), held(tmp_path):
            pass
