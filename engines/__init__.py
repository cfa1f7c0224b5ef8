"""Engines: whoever answers a request, behind one method, `complete`.

`engine` holds the contract, `catalog` opens one by its name.
"""
