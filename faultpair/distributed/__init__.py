"""Work on many processes or machines by Dask: ``--executor dask``, the extra ``distributed``.

What is written stays with the process that was started: workers make runs and
answers, and send them back.
"""
