"""The fifteen enterprise domains, a module each with its tools and words; see `catalog`."""

from .catalog import SECTORS, SECTORS_BY_NAME, sector_named

__all__ = ["SECTORS", "SECTORS_BY_NAME", "sector_named"]
