"""An HTTP endpoint as a judge: ``https://host/path``. The exhibit is posted to it.

The table of `faultpair.engines.http` lists the failures; an answer that is not a JSON object
is an incomplete reply.
"""

from __future__ import annotations

from ..addresses import parse_address
from ..clients import shown
from ..engine import Engine, EngineOptions, Identity
from ..http import OBJECT, JsonClient
from .document import ExternalEngine, answer_text

__all__ = ["open_endpoint"]

MOST_PARALLEL = 4


def open_endpoint(address: str, *, options: EngineOptions) -> Engine:
    """Open an endpoint, to which a key in the options is sent as a bearer token."""
    return _EndpointEngine(address, options)


class _EndpointEngine(ExternalEngine):
    """An endpoint. Its name and identity leave out the secrets of the address."""

    def __init__(self, address: str, options: EngineOptions) -> None:
        self._url = parse_address(address)
        self.name = shown(self._url)
        self.max_parallel = options.parallel or MOST_PARALLEL
        self._client = JsonClient(timeout_s=options.timeout_s, api_key=options.api_key)

    def identify(self) -> Identity:
        """Return the address; endpoints have no common request for a version."""
        return Identity("http", model=self.name)

    def close(self) -> None:
        self._client.close()

    def _reply(self, document: bytes) -> tuple[str, int | None]:
        return answer_text(self._client.post(self._url, document, OBJECT), self.name), None
