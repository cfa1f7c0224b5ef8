"""Engines: model servers, models in the process, and judges from outside, behind `complete`.

`engine` holds the contract, `catalog` opens one by its name.
"""
