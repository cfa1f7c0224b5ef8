"""Requests, and the client that sends them to a fake engine."""

from faultpair.calls.adaptive_limiter import AdaptiveLimiter
from faultpair.calls.client import CallBudget, RetryingClient, RetryPolicy
from faultpair.engines.engine import Message, Request
from faultpair.env.errors import EngineError

IMPATIENT = RetryPolicy(attempts=3, pause_s=0.001, longest_pause_s=0.002)


def request(number=0, n_words=1):
    """Return a request whose text tells its number."""
    text = " ".join([f"Request-{number}."] + ["word"] * (n_words - 1))
    return Request((Message("user", text),), max_tokens=5)


def client(engine, *, parallel=1, policy=IMPATIENT, calls=None, requests=None, context=None):
    return RetryingClient(
        engine=engine,
        context_tokens=context,
        policy=policy,
        limiter=AdaptiveLimiter(parallel),
        budget=CallBudget(requests, calls),
        noun="prompt",
    )


def busy(**more):
    return EngineError("busy", transient=True, **more)


def failing(*errors):
    """Return a rule by which the first calls fail, each with its error."""
    return lambda n: errors[n - 1] if n <= len(errors) else None
