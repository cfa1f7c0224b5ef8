"""The domain of a file that names none, as the public release, and of a command given none."""

from __future__ import annotations

__all__ = ["DEFAULT_DOMAIN"]

DEFAULT_DOMAIN = "support_desk"
