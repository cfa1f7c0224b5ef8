"""The errors that a user can cause or act on, as one small tree.

::

    FaultpairError            exit code 4 unless a branch says otherwise
    ├── UsageError            2: an argument or a name that does not exist
    │   └── StudyError        2: a study file that contradicts itself
    ├── RecordError           2: a file whose line or field is not as expected
    │   └── SealError         2: a file that is not what the manifest has sealed
    ├── PluginError           2: a plug-in that breaks its contract, by name
    └── InfrastructureError   4: a disk, a server or a model that failed
        └── EngineError       4: a request that got no whole reply

A bug raises an exception of Python. A refusal inside a world is an observation and a
failed judge an unscored verdict, neither an exception.
"""

from __future__ import annotations

__all__ = [
    "EngineError",
    "FaultpairError",
    "InfrastructureError",
    "PluginError",
    "RecordError",
    "SealError",
    "StudyError",
    "UsageError",
]


class FaultpairError(Exception):
    """A failure that a user can understand and act on. The command prints it bare."""

    exit_code = 4


class UsageError(FaultpairError):
    """An argument that names nothing or cannot be used."""

    exit_code = 2


class StudyError(UsageError):
    """A study file that is malformed or names what does not exist."""


class RecordError(FaultpairError):
    """A record that does not fit its schema; the message names file, line and field."""

    exit_code = 2


class SealError(RecordError):
    """A record that is not what was sealed; the message names the file and what to do."""


class PluginError(FaultpairError):
    """A plug-in that breaks its contract; the message names it and the reason."""

    exit_code = 2


class InfrastructureError(FaultpairError):
    """A disk, server or model that failed, through no fault of the input."""


class EngineError(InfrastructureError):
    """A request that got no whole reply.

    ``transient`` says that the same request may succeed later, ``retry_after_s`` how
    long the server asked to wait, ``is_overload`` that fewer requests at once would help.
    """

    def __init__(
        self,
        message: str,
        *,
        transient: bool = False,
        is_overload: bool = False,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.transient = transient
        self.is_overload = is_overload
        self.retry_after_s = retry_after_s
