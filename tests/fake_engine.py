"""The one engine of the tests: a script that keeps what it was sent, and fails on demand."""

import threading
from itertools import count

from faultpair.engines.engine import Identity
from faultpair.engines.scripted import ScriptedEngine


class FakeEngine(ScriptedEngine):
    """A `ScriptedEngine` whose answers to all other questions can be chosen too.

    Parameters
    ----------
    reply
        As for a `ScriptedEngine`: a function of the request, texts in turn, or texts by a
        piece of the prompt.
    fail
        Returns the exception that the n-th call raises, None if it is answered.
    identity
        Who answers, or the exception that `identify` raises.
    n_tokens
        The length of every prompt in tokens (None: only a call could tell), or the
        exception that `count_tokens` raises; by default the words of the prompt.
    max_parallel
        How many requests at once it says are of use.

    Attributes
    ----------
    requests
        All requests in the order in which they came, failed ones included.
    is_closed
        Whether it was closed.
    """

    def __init__(
        self,
        reply="yes",
        *,
        fail=lambda n: None,
        identity=None,
        n_tokens="words",
        name="scripted:own",
        context_tokens=None,
        max_parallel=1,
    ):
        super().__init__(reply, name=name, context_tokens=context_tokens)
        self.max_parallel = max_parallel
        self.requests = []
        self.is_closed = False
        self._fail = fail
        self._identity = identity
        self._n_tokens = n_tokens
        self._numbers = count(1)
        self._lock = threading.Lock()

    @property
    def n_calls(self):
        return len(self.requests)

    def identify(self):
        return super().identify() if self._identity is None else _given(self._identity)

    def count_tokens(self, request):
        if self._n_tokens == "words":
            return super().count_tokens(request)
        return _given(self._n_tokens)

    def complete(self, request):
        with self._lock:
            self.requests.append(request)
            error = self._fail(next(self._numbers))
        if error is not None:
            raise error
        return super().complete(request)

    def close(self):
        self.is_closed = True


def player(version="1"):
    """Return the identity of a made-up model in some version of its engine."""
    return Identity("scripted", version, "player", "sha256:0", build="by hand")


def _given(value):
    if isinstance(value, Exception):
        raise value
    return value
