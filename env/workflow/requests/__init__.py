"""Requests: the sentences that ask for a plan, in three tiers."""
