"""An engine that answers from a script, without a model and without a clock."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence

from faultpair.env.errors import EngineError, UsageError
from faultpair.env.records import TokenChoice

from .engine import Identity, Reply, Request
from .options import EngineOptions
from .scripts import SCRIPTS

__all__ = ["ScriptedEngine", "open_scripted"]

Script = Callable[[Request], str]

_OPPOSITES = {"true": "false", "false": "true", "yes": "no", "no": "yes"}
_SURE, _UNLIKELY = -0.1053605, -2.302585  # log-probabilities of 0.9 and 0.1


class ScriptedEngine:
    """An engine whose replies are given beforehand.

    Parameters
    ----------
    reply : callable, sequence of str, or mapping from str to str
        A function of the request; or replies in turn, of which the last
        repeats; or a reply for each piece of text that a prompt may hold, of which the
        first found counts, so that ``""`` as the last key is for all others.
        A function may raise `EngineError`.
    name : str
        The name it goes by.
    context_tokens : int or None
        The context size it claims; a token is a word of the prompt.

    Notes
    -----
    Where log-probabilities are asked for, ``true``, ``false``, ``yes`` and ``no`` have a
    chance of 0.9 against 0.1 for their opposite, and all other tokens are certain.
    A reply of more tokens than ``max_tokens`` is not cut.

    Examples
    --------
    >>> from faultpair.engines.engine import Message
    >>> engine = ScriptedEngine({"ORD-1": "yes", "": "no"})
    >>> engine.complete(Request((Message("user", "Is ORD-1 refunded?"),))).text
    'yes'
    """

    max_parallel = 1

    def __init__(
        self,
        reply: Script | Sequence[str] | Mapping[str, str],
        *,
        name: str = "scripted:own",
        context_tokens: int | None = None,
    ) -> None:
        self.name = name
        self._script = _as_script(reply)
        self._context_tokens = context_tokens

    def identify(self) -> Identity:
        """Return the name of the script as the model."""
        return Identity("scripted", model=self.name.removeprefix("scripted:"))

    def context_tokens(self) -> int | None:
        return self._context_tokens

    def count_tokens(self, request: Request) -> int:
        return sum(len(message.content.split()) for message in request.messages)

    def complete(self, request: Request) -> Reply:
        text = self._script(request)
        pieces = re.findall(r"\w+|\W", text)
        return Reply(
            text,
            prompt_tokens=self.count_tokens(request),
            completion_tokens=len(pieces),
            finish_reason="length" if len(pieces) > request.max_tokens else "stop",
            tokens=tuple(map(_token, pieces)) if request.top_logprobs else (),
        )

    def close(self) -> None:
        """Do nothing; it holds nothing."""


def open_scripted(model: str, *, options: EngineOptions) -> ScriptedEngine:
    """Open one of the scripts in `faultpair.engines.scripts` by its name."""
    if model not in SCRIPTS:
        raise UsageError(SCRIPTS.unknown(model))
    return ScriptedEngine(
        SCRIPTS[model], name=f"scripted:{model}", context_tokens=options.context_tokens
    )


def _as_script(reply: Script | Sequence[str] | Mapping[str, str]) -> Script:
    if callable(reply):
        return reply
    if isinstance(reply, Mapping):
        return _Lookup(reply)
    return _InTurn((reply,) if isinstance(reply, str) else reply)


class _InTurn:
    """Replies one after the other; the last repeats."""

    def __init__(self, replies: Sequence[str]) -> None:
        if not replies:
            raise UsageError("A script without a reply; expected at least one.")
        self._rest = list(reversed(replies))
        self._lock = threading.Lock()

    def __call__(self, request: Request) -> str:
        with self._lock:
            return self._rest.pop() if len(self._rest) > 1 else self._rest[0]


class _Lookup:
    """The reply for the first key that the prompt holds."""

    def __init__(self, replies: Mapping[str, str]) -> None:
        self._replies = dict(replies)

    def __call__(self, request: Request) -> str:
        prompt = "\n".join(message.content for message in request.messages)
        for key, reply in self._replies.items():
            if key in prompt:
                return reply
        raise EngineError(
            "The script has no reply to this prompt. It knows prompts that hold one of: "
            f"{', '.join(map(repr, self._replies))}."
        )


def _token(piece: str) -> TokenChoice:
    opposite = _OPPOSITES.get(piece)
    if opposite is None:
        return TokenChoice(piece, 0.0, ((piece, 0.0),))
    return TokenChoice(piece, _SURE, ((piece, _SURE), (opposite, _UNLIKELY)))
