"""`faultpair/` links to the packages at the top; a checkout without links says so."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def links() -> list[Path]:
    return [path for path in sorted((ROOT / "faultpair").iterdir()) if path.is_symlink()]


def test_every_link_is_relative_and_leads_to_the_package_of_its_name():
    assert len(links()) >= 8
    for link in links():
        assert link.readlink() == Path("..", link.name)
        assert (link / "__init__.py").is_file()


def test_a_checkout_whose_links_are_text_files_says_so_in_one_sentence(tmp_path):
    shutil.copytree(
        ROOT / "faultpair", tmp_path / "faultpair", symlinks=True,
        ignore=shutil.ignore_patterns("__pycache__"),
    )  # fmt: skip
    for link in links():
        copy = tmp_path / "faultpair" / link.name
        target = copy.readlink().as_posix()
        copy.unlink()
        copy.write_text(target, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", "import faultpair"], env=os.environ | {"PYTHONPATH": str(tmp_path)},
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    message = done.stderr.splitlines()[-1]
    assert message.startswith("ImportError: The links in the folder faultpair/ were checked out")
    assert "core.symlinks" in message
