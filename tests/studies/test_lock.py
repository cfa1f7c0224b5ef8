"""A folder is locked by one process at a time, and no file of the lock is left in it."""

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
