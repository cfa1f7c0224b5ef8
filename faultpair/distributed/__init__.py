"""Work on many processes or machines by Dask: ``--executor dask``, the extra ``distributed``.

Only the process that was started writes files: workers make runs and answers, and
return them.
"""
