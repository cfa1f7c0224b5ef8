"""The fifteen enterprise domains that records come from, in a fixed order."""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import UsageError
from ..tools import Sector
from .cloud_costs import CLOUD_COSTS
from .contract_lifecycle import CONTRACT_LIFECYCLE
from .cybersecurity import CYBERSECURITY
from .energy_grid import ENERGY_GRID
from .facilities import FACILITIES
from .food_safety import FOOD_SAFETY
from .hospital_operations import HOSPITAL_OPERATIONS
from .human_resources import HUMAN_RESOURCES
from .insurance_claims import INSURANCE_CLAIMS
from .it_service import IT_SERVICE
from .manufacturing_quality import MANUFACTURING_QUALITY
from .retail_banking import RETAIL_BANKING
from .supply_chain import SUPPLY_CHAIN
from .telecom_networks import TELECOM_NETWORKS
from .travel_logistics import TRAVEL_LOGISTICS

__all__ = ["SECTORS", "SECTORS_BY_NAME", "sector_named"]

SECTORS: tuple[Sector, ...] = (
    ENERGY_GRID,
    IT_SERVICE,
    CONTRACT_LIFECYCLE,
    SUPPLY_CHAIN,
    HUMAN_RESOURCES,
    RETAIL_BANKING,
    INSURANCE_CLAIMS,
    HOSPITAL_OPERATIONS,
    MANUFACTURING_QUALITY,
    CYBERSECURITY,
    CLOUD_COSTS,
    TELECOM_NETWORKS,
    FACILITIES,
    FOOD_SAFETY,
    TRAVEL_LOGISTICS,
)

SECTORS_BY_NAME: Mapping[str, Sector] = {sector.name: sector for sector in SECTORS}


def sector_named(name: str) -> Sector:
    """Return a sector by its name."""
    try:
        return SECTORS_BY_NAME[name]
    except KeyError:
        known = ", ".join(SECTORS_BY_NAME)
        raise UsageError(f"No sector is named {name!r}. Known sectors: {known}.") from None
