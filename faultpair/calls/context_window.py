"""Whether a request fits into an engine's context: what does not fit is not sent, and never cut."""

from __future__ import annotations

from faultpair.engines.engine import Engine, Request

__all__ = ["why_too_long"]


def why_too_long(engine: Engine, request: Request, room: int | None, *, what: str) -> str | None:
    """Return why a request is not sent; None if it fits, or if only a call could tell.

    Parameters
    ----------
    room : the context size of the engine in tokens, None if it is unknown
    what : what the reason calls the messages, such as ``prompt``
    """
    # No tokenizer makes more tokens than bytes, so most requests need no count.
    if room is None or _n_bytes(request) + request.max_tokens <= room:
        return None
    n_tokens = engine.count_tokens(request)
    if n_tokens is None or n_tokens + request.max_tokens <= room:
        return None
    return (
        f"the {what} has {n_tokens} tokens and the answer may have {request.max_tokens}; "
        f"the context holds {room}"
    )


def _n_bytes(request: Request) -> int:
    return sum(len(message.content.encode()) for message in request.messages)
