"""Judges: what each is shown of a run, and its finding.

`judge` holds the contract, `exhibit` what can be shown, `catalog` the list.
"""
