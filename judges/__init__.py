"""Judges: what each is shown of a run, and what it says about it.

`judge` holds the contract, `exhibit` what can be shown, `catalog` who there is.
"""
