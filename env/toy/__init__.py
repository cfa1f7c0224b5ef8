"""A cloakroom: the tiny domain of the documentation and the tests."""

from .domain import Cloakroom

__all__ = ["Cloakroom"]
