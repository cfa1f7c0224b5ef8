"""A support desk that decides refund requests: the first full domain."""

from .domain import SupportDesk

__all__ = ["SupportDesk"]
