"""English names of the months."""

from __future__ import annotations

__all__ = ["MONTHS"]

# Not `calendar.month_name`: it follows the locale of the process, and records must not.
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip
