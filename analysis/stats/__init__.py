"""Estimators and intervals that know nothing of judges."""
