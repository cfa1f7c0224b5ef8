"""A support desk that decides refund requests, with observations and replies."""

from .domain import SupportDesk

__all__ = ["SupportDesk"]
