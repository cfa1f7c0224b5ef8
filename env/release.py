"""The domain of the public release of trajectory-judge, whose files do not name it.

A command without a domain takes it too.
"""

from __future__ import annotations

__all__ = ["DEFAULT_DOMAIN"]

DEFAULT_DOMAIN = "support_desk"
